import { useSignal } from '@preact/signals';
import type { ExecutionView } from '../../views';
import { type ParsedHistory, parseHistory } from '../history/parse';
import { useLive } from '../live';
import { duration, moment } from '../text';
import { Notice } from './notice';
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
      {problem && <Notice kind="problem">{problem}</Notice>}
      {view === undefined && problem === undefined && <Notice kind="wait">Reading the history …</Notice>}
      {view && (
        <>
          <p class="facts">
            <Status of={view.status} /> of {view.stateMachine}, began {moment(view.start, { ms: true })}
            {view.stop !== null && `, ran ${duration(view.stop - view.start)}`}
            {view.redriveCount > 0 &&
              `, redriven ${view.redriveCount === 1 ? 'once' : `${view.redriveCount} times`}`}
          </p>
          {view.error !== null && (
            <Notice kind="problem">
              {view.error}
              {view.cause === null ? '' : `: ${view.cause}`}
            </Notice>
          )}
          <Player events={view.events} definition={view.definition} />
        </>
      )}
    </>
  );
}

/** A history out of a file: nothing of it leaves the page. */
export function HistoryPage() {
  const opened = useSignal<(ParsedHistory & { readonly name: string }) | undefined>(undefined);
  const definition = useSignal<string | null>(null);
  const open = async (files: FileList | null | undefined) => {
    for (const file of files ?? []) {
      const text = await file.text();
      if (isDefinition(text)) definition.value = text;
      else opened.value = { ...parseHistory(text), name: file.name };
    }
  };
  const history = opened.value;
  return (
    <section
      aria-label="A history file"
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        event.preventDefault();
        void open(event.dataTransfer?.files);
      }}
    >
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
          <Player events={history.events} definition={definition.value} />
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
