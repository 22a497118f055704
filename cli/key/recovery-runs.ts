import { STATUS } from '../../state-machine/contract/index';
import { describe, listExecutions } from '../aws/executions';
import type { WorkflowAccess } from '../aws/workflow';
import { each } from '../concurrency';
import { Rejection } from '../program/rejection';
import type { FoundExecution, KeyState, RecoveryRun } from './key-state';
import { sinceWhen } from './record';

/** The newest executions of recovery in which those of a key are searched: one page of a list. */
const LISTED_MAX = 1000;
/** So many of them are opened, one DescribeExecution each. */
const OPENED_MAX = 25;
/** So long after the end of an owner its recovery can begin. */
const RUN_MS = 600_000;
/** So long after its last call recovery may end, and the clocks of two services may differ. */
const SLACK_MS = 2_000;

/** The run that was running at a moment, in epoch milliseconds. */
export function runAt<Run extends Omit<RecoveryRun, 'executionArn'>>(
  runs: readonly Run[],
  at: number,
): Run | undefined {
  return runs.find(
    ({ start, stop }) => start - SLACK_MS <= at && at <= (stop ?? Number.POSITIVE_INFINITY) + SLACK_MS,
  );
}

/**
 * The runs of recovery behind changes that no delivery made: redrives, and a record that is held or released. If an
 * event or the search has started recovery, no history of the key shows its name, so only its input tells its owner.
 */
export async function readRecoveryRuns(
  { aws, workflow: { recoveryArn } }: WorkflowAccess,
  { record, executions }: Pick<KeyState, 'record'> & { readonly executions: readonly FoundExecution[] },
): Promise<KeyState['recoveryRuns']> {
  const redrives = executions.flatMap(({ history }) =>
    history.parts.flatMap(part => (part.kind === 'redriven' ? [part.at.getTime()] : [])),
  );
  const isWritten = record !== undefined && record.status !== STATUS.inProgress;
  const ends = executions.map(({ description }) => description.stopDate?.getTime() ?? 0);
  // A record that recovery holds does not say since when: it was soon after the end of its owner.
  const isUndated = isWritten && record.finishedAt === undefined;
  const written = isUndated ? Math.max(0, ...ends) + RUN_MS : isWritten ? sinceWhen(record) : undefined;
  const moments = [...redrives, ...(written === undefined ? [] : [written])];
  if (recoveryArn === undefined || moments.length === 0) return [];
  const owners = [...executions.map(({ executionArn }) => executionArn), record?.owner ?? ''];
  const starts = executions.map(({ description }) => description.startDate?.getTime() ?? 0);
  const since = Math.min(...moments, ...starts);
  try {
    const listing = {
      stateMachineArn: recoveryArn,
      since,
      until: Math.max(...moments),
      namesMax: LISTED_MAX,
    };
    const { items } = await listExecutions(aws, listing);
    const runs = items
      .map(({ executionArn = '', startDate, stopDate }) => {
        return { executionArn, start: startDate?.getTime() ?? 0, stop: stopDate?.getTime() };
      })
      .filter(run => isUndated || moments.some(at => runAt([run], at)))
      .toReversed();
    const opened = await each(runs.slice(0, OPENED_MAX), async run => {
      const { input = '' } = (await describe(aws, run.executionArn)) ?? {};
      return owners.some(owner => input.includes(JSON.stringify(owner))) ? [run] : [];
    });
    return opened.flat();
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
}
