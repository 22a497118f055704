import type { ExecutionView } from '../../views';
import { startedBy } from '../history/calls';
import { costInWords } from '../history/cost';
import { timelineOf } from '../history/timeline';
import { Link } from '../link';
import { useLive } from '../live';
import { duration, moment } from '../text';
import { Actions } from './actions';
import { Notice, progressOf, Unread } from './notice';
import { Player } from './player';
import { Status } from './status';
import { Text } from './visit-panel';

/** One execution: the way that it went through its definition, at the end or at any event before. */
export function ExecutionPage({
  executionArn,
  at,
}: {
  readonly executionArn: string;
  readonly at: number | undefined;
}) {
  const live = useLive<ExecutionView>(`/executions/${encodeURIComponent(executionArn)}`);
  const { view } = live;
  return (
    <>
      <h1>
        Execution <code class="key">{view?.name ?? executionArn}</code>
      </h1>
      <Unread of={live}>Reading the history …</Unread>
      {view && (
        <>
          <div class="facts">
            <Status of={view.status} /> of {view.stateMachine}, began {moment(view.start, { ms: true })}
            {view.stop !== null && `, ran ${duration(view.stop - view.start)}`}
            {view.redriveCount > 0 &&
              `, redriven ${view.redriveCount === 1 ? 'once' : `${view.redriveCount} times`}`}
            {view.reading === null && costInWords(view.executionArn, timelineOf(view.events).at())}
            <Parent input={view.input} />
            <Texts view={view} />
          </div>
          {view.error !== null && (
            <Notice kind="problem">
              {view.error}
              {view.cause === null ? '' : `: ${view.cause}`}
            </Notice>
          )}
          <Actions of={view.actions} label="Actions" />
          {view.reading && (
            <Notice kind="wait">
              Reading the history: {progressOf(view.reading)} events. The graph shows the path as far as it is
              read.
            </Notice>
          )}
          <Player
            events={view.events}
            definition={view.definition}
            executionArn={executionArn}
            moment={at}
            origin="the revision that this execution runs, from Step Functions"
          />
        </>
      )}
    </>
  );
}

/** The execution that has started this one, where its input says so. */
function Parent({ input }: { readonly input: string | null }) {
  const executionArn = startedBy(input ?? undefined);
  if (executionArn === undefined) return null;
  return (
    <p>
      Started by <Link to={{ view: 'execution', executionArn }}>{executionArn.split(':').at(-1)}</Link>
    </p>
  );
}

/** What the execution as a whole got and gave. */
function Texts({ view: { input, output } }: { readonly view: ExecutionView }) {
  return (
    <section aria-label="Input and output" class="row">
      <Text name="Input of the execution" json={input ?? undefined} isShortOpen={false} />
      <Text name="Output of the execution" json={output ?? undefined} isShortOpen={false} />
    </section>
  );
}
