import { type ExecutionListItem, ListExecutionsCommand } from '@aws-sdk/client-sfn';
import { ERROR } from '../../state-machine/contract/index';
import { STATE } from '../../state-machine/contract/state-names';
import { answerOf } from '../aws/aws';
import { describe, historyOf } from '../aws/executions';
import type { WorkflowAccess } from '../aws/workflow';
import { each } from '../concurrency';
import { claimedKeysIn } from '../key/claimed-keys';
import { historyIn } from '../key/history';
import { recordKeyOfInput } from '../key/input/key-of-input';
import { whyNotListed } from '../key/list/executions-cost';
import { Rejection } from '../program/rejection';
import { plural } from '../text';
import { isWithin, type TimeRange } from '../time-range';

/** An execution of the workflow that has ended without succeeding, and what it was about. */
export interface EndedExecution {
  readonly executionArn: string;
  /** FAILED, TIMED_OUT or ABORTED. */
  readonly status: string;
  /** What it failed with; where it has no error, its status. */
  readonly error: string;
  /** Epoch milliseconds. */
  readonly stoppedAt: number;
  /** As it was started with; undefined where Step Functions does not tell it. */
  readonly input: string | undefined;
  /** The record that it claimed, or tried to; undefined where its event has no usable key, or that is not known. */
  readonly recordKey: string | undefined;
  /** Whether it came to its step, so that it had a record. */
  readonly hasOwned: boolean;
}

/** Which executions are looked for. */
export interface EndedSearch {
  /** When they ended. */
  readonly range: TimeRange;
  /** Only those that ended with such an error. */
  isWanted(error: string): boolean;
  /** What executions were before, by ARN and end, or the error of one that was not wanted; what is found is added. */
  readonly known?: Map<string, EndedExecution | string>;
}

/** Executions with this error; undefined: with any. */
export function endedWith(error: string | undefined): Pick<EndedSearch, 'isWanted'> {
  return { isWanted: its => error === undefined || its === error };
}

/** Deliveries that the workflow itself rejected, or that met an owner at work: none of them came to its step. */
export const REJECTED_DELIVERIES: Pick<EndedSearch, 'isWanted'> = {
  isWanted: error => error.startsWith('Idempotency.') && error !== ERROR.stopped,
};

/** Whether the workflow rejected it: an owner that recovery held can end with the same error, after its step. */
export function isRejectedDelivery({ error, hasOwned }: EndedExecution): boolean {
  return REJECTED_DELIVERIES.isWanted(error) && !hasOwned;
}

/** So many executions are opened at most: each takes a DescribeExecution and a look at its history. */
const OPENED_MAX = 5000;
/** An execution claims its key in its first state; one of a larger machine has other states before. */
const EVENTS = 30;
const EVENTS_WITHIN = 300;
const STATUSES = ['FAILED', 'TIMED_OUT', 'ABORTED'] as const;

/**
 * The executions of the workflow that ended since without succeeding, newest first.
 *
 * @throws Rejection for an Express workflow, whose executions cannot be listed, and if there are too many to read
 */
export async function findEndedExecutions(
  access: WorkflowAccess,
  search: EndedSearch,
  progress: (text: string) => void,
): Promise<readonly EndedExecution[]> {
  const { workflow } = access;
  const why = whyNotListed(workflow);
  if (why !== undefined) throw new Rejection(`${why}. See its log group`);
  const listed = (await Promise.all(STATUSES.map(status => listEnded(access, search.range, status)))).flat();
  if (listed.length > OPENED_MAX) {
    throw new Rejection(
      `more than ${plural(OPENED_MAX, 'execution')} ended without succeeding in this time, which is too many ` +
        'to read. Pass a shorter --since',
    );
  }
  let done = 0;
  const opened = await each(listed, async item => {
    const execution = await openedOf(access, item, search);
    done += 1;
    progress(`reading executions: ${done} of ${listed.length}`);
    return execution;
  });
  const found: EndedExecution[] = [];
  // One key after another, because each takes the thread that has evaluated the last one.
  for (const { execution, hasKeys } of opened.filter(one => one !== undefined)) {
    const recordKey = hasKeys ? execution.recordKey : await recordKeyOfInput(access, execution.input);
    const whole = { ...execution, recordKey };
    search.known?.set(`${whole.executionArn} ${whole.stoppedAt}`, whole);
    found.push(whole);
  }
  return found.sort((one, other) => other.stoppedAt - one.stoppedAt);
}

// Listed by the time of their end, newest first: the first that is too old ends the list.
async function listEnded(
  { aws, workflow: { stateMachineArn } }: WorkflowAccess,
  range: TimeRange,
  statusFilter: (typeof STATUSES)[number],
): Promise<readonly ExecutionListItem[]> {
  const items: ExecutionListItem[] = [];
  let nextToken: string | undefined;
  do {
    const request = new ListExecutionsCommand({ stateMachineArn, statusFilter, maxResults: 1000, nextToken });
    const sent = aws.sfn.send(request, { abortSignal: aws.signal });
    const page = await answerOf(aws, 'ListExecutions', `state machine ${stateMachineArn}`, sent);
    const executions = page?.executions ?? [];
    const inTime = executions.filter(({ stopDate }) => (stopDate?.getTime() ?? 0) >= range.since);
    items.push(...inTime.filter(({ stopDate }) => isWithin(stopDate?.getTime(), range)));
    nextToken = inTime.length < executions.length ? undefined : page?.nextToken;
  } while (nextToken !== undefined && items.length <= OPENED_MAX);
  return items;
}

async function openedOf(
  { aws, workflow }: WorkflowAccess,
  { executionArn = '', stopDate: endedAt }: Pick<ExecutionListItem, 'executionArn' | 'stopDate'>,
  { isWanted, known }: Omit<EndedSearch, 'range'>,
): Promise<{ readonly execution: EndedExecution; readonly hasKeys: boolean } | undefined> {
  const before = known?.get(`${executionArn} ${endedAt?.getTime() ?? 0}`);
  if (typeof before === 'object') return { execution: before, hasKeys: true };
  if (before !== undefined && !isWanted(before)) return undefined;
  const description = await describe(aws, executionArn);
  const { status = '', stopDate, input } = description ?? {};
  const error = description?.error ?? status;
  // It may have been redriven since it was listed.
  if (!STATUSES.some(ended => ended === status)) return undefined;
  if (!isWanted(error)) {
    known?.set(`${executionArn} ${stopDate?.getTime() ?? 0}`, error);
    return undefined;
  }
  const eventsMax = workflow.prefix === '' ? EVENTS : EVENTS_WITHIN;
  const events = (await historyOf(aws, executionArn, eventsMax)) ?? [];
  const { keys } = claimedKeysIn(events, workflow);
  const [recordKey] = keys;
  const execution = {
    executionArn,
    status,
    error,
    stoppedAt: stopDate?.getTime() ?? 0,
    input,
    recordKey: keys.size === 1 ? recordKey : undefined,
    hasOwned: historyIn(events, workflow.prefix).visits.some(({ name }) => name === STATE.step),
  };
  return { execution, hasKeys: keys.size > 0 };
}

/** An execution of a key that ended without succeeding; undefined for any other, and one that is not known. */
export async function endedExecutionOf(
  access: WorkflowAccess,
  executionArn: string,
  recordKey: string,
): Promise<EndedExecution | undefined> {
  if (executionArn.split(':')[5] !== 'execution') return undefined;
  const opened = await openedOf(access, { executionArn }, { isWanted: () => true });
  return opened && { ...opened.execution, recordKey };
}
