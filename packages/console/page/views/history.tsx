import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type HistoryFile, readHistory } from '../../../local/history/index';
import { definitionIn } from '../graph/definition-file';
import { graphOf } from '../graph/graph';
import { timelineOf } from '../history/timeline';
import { Notice } from './notice';
import { Player } from './player';

type History = Extract<HistoryFile, { readonly kind: 'history' }>;

/** The last opened visit: each has a player of its own, which begins at the end. */
type Opened = History & { readonly name: string; readonly count: number };

const UNREADABLE =
  'the browser could not read it: it is a folder, too large, or has changed since it was chosen';

/** A history from a file: nothing of it leaves the page. */
export function HistoryPage() {
  const opened = useSignal<Opened | undefined>(undefined);
  const definition = useSignal<{ readonly text: string; readonly name: string } | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const open = async (files: FileList | null | undefined) => {
    problem.value = undefined;
    for (const file of files ?? []) {
      const { name } = file;
      const text = await file.text().catch(() => undefined);
      const drawn = text === undefined ? undefined : definitionIn(text);
      const read: HistoryFile =
        text === undefined ? { kind: 'unreadable', reason: UNREADABLE } : readHistory(text);
      if (drawn !== undefined) definition.value = { text: drawn, name };
      // Visits that were opened before stay.
      else if (read.kind === 'unreadable') problem.value = `${name}: ${read.reason}`;
      else opened.value = { ...read, name, count: (opened.value?.count ?? 0) + 1 };
    }
  };
  useDrop(files => void open(files));
  return (
    <section aria-label="A history file">
      <h1>A history from a file</h1>
      <p>
        Drop a file on this page, or choose one: what{' '}
        <code>aws stepfunctions get-execution-history --execution-arn ARN &gt; history.json</code> prints, or,
        of an Express execution,{' '}
        <code>
          aws logs filter-log-events --log-group-name GROUP --filter-pattern &apos;&#123; $.execution_arn =
          &quot;ARN&quot; &#125;&apos; &gt; log.json
        </code>
        ; and, for the graph, the definition: its file, or what{' '}
        <code>aws stepfunctions describe-state-machine-for-execution --execution-arn ARN</code> prints. They
        stay in this page.
      </p>
      <label class="file">
        History or definition{' '}
        <input
          type="file"
          accept=".json,application/json"
          multiple
          onChange={({ currentTarget }) => void open(currentTarget.files)}
        />
      </label>
      {problem.value && <Notice kind="problem">{problem.value}</Notice>}
      {opened.value ? (
        <Loaded history={opened.value} definition={definition.value} />
      ) : (
        definition.value && (
          <Notice kind="wait">
            The definition of {definition.value.name} is there; its history is missing.
          </Notice>
        )
      )}
    </section>
  );
}

function Loaded(props: {
  readonly history: Opened;
  readonly definition: { readonly text: string; readonly name: string } | undefined;
}) {
  const { history, definition } = props;
  const strangers = useMemo(
    () => (definition === undefined ? [] : statesMissingIn(definition.text, history)),
    [definition, history],
  );
  return (
    <>
      <h2>{history.name}</h2>
      {history.events.some(({ id }, index) => id !== index + 1) && (
        <Notice kind="wait">Events are missing in this file, so the page shows only the others.</Notice>
      )}
      {strangers.length > 0 && (
        <Notice kind="problem">
          {definition?.name} is the definition of another machine, or of another version: it has no{' '}
          {strangers
            .slice(0, 3)
            .map(name => `"${name}"`)
            .join(', ')}
          {strangers.length > 3 ? ` and ${strangers.length - 3} other states` : ''}, which this history has
          entered.
        </Notice>
      )}
      <Player
        key={history.count}
        events={history.events}
        definition={definition?.text ?? null}
        origin={`${definition?.name}, as you opened it`}
      />
    </>
  );
}

/** Names of states that a history has entered and a definition does not have. */
function statesMissingIn(definition: string, { events }: History): readonly string[] {
  const known = new Set(graphOf(definition)?.nodes.map(({ name }) => name));
  // A definition that cannot be drawn is said to be so.
  if (known.size === 0) return [];
  const entered = new Set(
    timelineOf(events)
      .at()
      .visits.map(({ name }) => name),
  );
  return [...entered].filter(name => !known.has(name));
}

/** Anywhere in the window: where nothing takes a file that is dropped, the browser leaves the page for it. */
function useDrop(open: (files: FileList | undefined) => void): void {
  useEffect(() => {
    const onDragOver = (event: DragEvent) => event.preventDefault();
    const onDrop = (event: DragEvent) => {
      event.preventDefault();
      open(event.dataTransfer?.files);
    };
    addEventListener('dragover', onDragOver);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onDragOver);
      removeEventListener('drop', onDrop);
    };
  });
}
