import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ExecutionView } from '../../views';
import { billedTransitions } from '../history/cost';
import { type ParsedHistory, parseHistory } from '../history/parse';
import { timelineOf } from '../history/timeline';
import { useLive } from '../live';
import { duration, moment } from '../text';
import { Actions } from './actions';
import { Notice, NotRead, progressOf } from './notice';
import { Player } from './player';
import { Status } from './status';

/** One execution: the way that it went through its definition, at the end or at any event before. */
export function ExecutionPage({ executionArn }: { readonly executionArn: string }) {
  const { view, problem } = useLive<ExecutionView>(`/executions/${encodeURIComponent(executionArn)}`);
  return (
    <>
      <h1>
        Execution <code class="key">{view?.name ?? executionArn}</code>
      </h1>
      {problem && <NotRead problem={problem} isOlder={view !== undefined} />}
      {view === undefined && problem === undefined && <Notice kind="wait">Reading the history …</Notice>}
      {view && (
        <>
          <p class="facts">
            <Status of={view.status} /> of {view.stateMachine}, began {moment(view.start, { ms: true })}
            {view.stop !== null && `, ran ${duration(view.stop - view.start)}`}
            {view.redriveCount > 0 &&
              `, redriven ${view.redriveCount === 1 ? 'once' : `${view.redriveCount} times`}`}
            {view.reading === null && costOf(view)}
          </p>
          {view.error !== null && (
            <Notice kind="problem">
              {view.error}
              {view.cause === null ? '' : `: ${view.cause}`}
            </Notice>
          )}
          <Actions of={view.actions} label="What may be done" />
          {view.reading && (
            <Notice kind="wait">
              Reading the history: {progressOf(view.reading)} events. What is shown is the way as far as it is
              read.
            </Notice>
          )}
          <Player events={view.events} definition={view.definition} />
        </>
      )}
    </>
  );
}

/** In dollars, in most regions. */
const TRANSITION_PRICE = 0.000_025;

function costOf({ events }: ExecutionView): string {
  const count = billedTransitions(timelineOf(events).at());
  const dollars = (count * TRANSITION_PRICE).toFixed(6).replace(/0+$/, '');
  return `, ${count} billed transitions: $${dollars} at $0.025 for a thousand`;
}

/** What was opened last: each has a player of its own, which begins at the end. */
type Opened = ParsedHistory & { readonly name: string; readonly count: number };

const UNREADABLE: ParsedHistory = {
  kind: 'problem',
  message: 'the browser could not read it: it is a folder, too large, or has changed since it was chosen',
};

/** A history out of a file: nothing of it leaves the page. */
export function HistoryPage() {
  const opened = useSignal<Opened | undefined>(undefined);
  const definition = useSignal<string | null>(null);
  const open = async (files: FileList | null | undefined) => {
    for (const file of files ?? []) {
      const text = await file.text().catch(() => undefined);
      if (text !== undefined && isDefinition(text)) definition.value = text;
      else {
        const read = text === undefined ? UNREADABLE : parseHistory(text);
        opened.value = { ...read, name: file.name, count: (opened.value?.count ?? 0) + 1 };
      }
    }
  };
  // Anywhere in the window: where nothing takes a file that is dropped, the browser leaves the page for it.
  useEffect(() => {
    const onDragOver = (event: DragEvent) => event.preventDefault();
    const onDrop = (event: DragEvent) => {
      event.preventDefault();
      void open(event.dataTransfer?.files);
    };
    addEventListener('dragover', onDragOver);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onDragOver);
      removeEventListener('drop', onDrop);
    };
  });
  const history = opened.value;
  return (
    <section aria-label="A history file">
      <h1>A history out of a file</h1>
      <p>
        Drop a file on this page, or choose one: what{' '}
        <code>aws stepfunctions get-execution-history --execution-arn ARN &gt; history.json</code> prints,
        and, for the graph, the definition. It stays in this page.
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
      {history?.kind === 'problem' && (
        <Notice kind="problem">
          {history.name}: {history.message}
        </Notice>
      )}
      {history?.kind === 'history' && (
        <>
          <h2>{history.name}</h2>
          {history.isCut && (
            <Notice kind="wait">
              Events are missing in this file: what is shown is what the others tell.
            </Notice>
          )}
          <Player key={history.count} events={history.events} definition={definition.value} />
        </>
      )}
    </section>
  );
}

function isDefinition(text: string): boolean {
  try {
    const parsed = JSON.parse(text);
    return typeof parsed?.States === 'object' && parsed.States !== null;
  } catch {
    return false;
  }
}
