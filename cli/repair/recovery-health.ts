import type { HealthLine } from '@onceflow/console';
import { STATUS } from '../../state-machine/contract/index';
import type { Aws } from '../aws/aws';
import { describe, listExecutions } from '../aws/executions';
import { listQueues } from '../aws/queues';
import { describeStateMachine, listStateMachines } from '../aws/state-machines';
import type { WorkflowAccess } from '../aws/workflow';
import { each } from '../concurrency';
import { isMachine } from '../definition/claims';
import { readRecord } from '../key/read-record';
import { Rejection } from '../program/rejection';
import { age, duration, plural, valueOfText } from '../text';
import { DAY_MS } from '../time-range';

/** So many executions of recovery are counted; more are said to be more. */
const COUNTED_MAX = 1000;
/** So many that gave up are opened, newest first; older ones count as open. */
const OPENED_MAX = 100;
const HOUR_MS = 3_600_000;

/** Whether recovery works, and what lies in dead-letter queues: a line for each. @throws Rejection */
export async function readHealth(accesses: readonly WorkflowAccess[]): Promise<readonly HealthLine[]> {
  const [first] = accesses;
  if (first === undefined) return [];
  const { aws } = first;
  const owners = new Map(
    accesses.flatMap(access => {
      const { recoveryArn } = access.workflow;
      return recoveryArn === undefined ? [] : [[recoveryArn, access] as const];
    }),
  );
  const arns = [...owners.keys()];
  const searches = arns.length === 0 ? new Map<string, string>() : await searchesOf(aws, arns);
  const recoveries = await each([...owners], async ([arn, access]) => [
    await recoveryLine(access, arn),
    await searchLine(aws, arn, searches.get(arn)),
  ]);
  const without = accesses.filter(({ workflow }) => workflow.recoveryArn === undefined);
  return [
    ...recoveries.flat(),
    ...without.map(({ workflow: { name, prefix, type } }) => ({
      name,
      state: 'unknown' as const,
      words:
        type === 'EXPRESS'
          ? 'an Express workflow has no recovery: its lease replaces it'
          : prefix === ''
            ? 'it has no recovery: a delivery or an operator completes an interrupted key'
            : "the definition of a team's machine does not name its recovery",
    })),
    ...(await queueLines(aws)),
    {
      name: 'reserved keys',
      state: 'unknown',
      words:
        'only reading the table finds keys that an operator began to complete or release: ' +
        '`onceflow list --status RELEASING` says who, since when, and what continues it',
    },
    {
      name: 'throttling',
      state: 'unknown',
      words: 'no call returns it: see the metric ExecutionThrottled of each state machine in CloudWatch',
    },
  ];
}

/** How the executions of recovery of the last day ended, and whether the keys of those that gave up are closed. */
async function recoveryLine(access: WorkflowAccess, stateMachineArn: string): Promise<HealthLine> {
  const { aws } = access;
  const listing = { stateMachineArn, since: aws.time.now() - DAY_MS, namesMax: COUNTED_MAX };
  const { items, isCutOff } = await listExecutions(aws, listing);
  const of = (...statuses: string[]) => items.filter(({ status }) => statuses.includes(status ?? ''));
  const gaveUp = of('FAILED', 'TIMED_OUT', 'ABORTED');
  const closed = await each(gaveUp.slice(0, OPENED_MAX), ({ executionArn = '' }) =>
    isClosedSince(access, executionArn),
  );
  const open = gaveUp.length - closed.filter(Boolean).length;
  const more = isCutOff ? `, of the last ${COUNTED_MAX}` : '';
  return {
    name: nameOf(stateMachineArn),
    state: open > 0 ? 'bad' : 'good',
    words:
      `${plural(of('SUCCEEDED').length, 'execution')} of recovery done in the last day${more}, ` +
      `${gaveUp.length} given up${gaveUp.length > 0 ? ` (${open} still open)` : ''}, ` +
      `${of('RUNNING').length} running${open > 0 ? '. See `onceflow list --status HELD`' : ''}`,
  };
}

/**
 * Whether the key that recovery gave up was completed, released or taken over since. False if that is not known: then
 * an operator must look at it.
 */
async function isClosedSince(access: WorkflowAccess, executionArn: string): Promise<boolean> {
  try {
    const { cause } = (await describe(access.aws, executionArn)) ?? {};
    const { idempotencyKey, execution } = (valueOfText(cause) ?? {}) as Record<string, unknown>;
    if (typeof idempotencyKey !== 'string') return false;
    const record = await readRecord(access, idempotencyKey);
    if (record === undefined) return false;
    const { status, owner } = record;
    return status === STATUS.completed || status === STATUS.released || owner !== execution;
  } catch (error) {
    if (error instanceof Rejection) return false;
    throw error;
  }
}

/** When the last search was, and how it ended. It is late after twice the time that was between the last two. */
async function searchLine(aws: Aws, recoveryArn: string, arn: string | undefined): Promise<HealthLine> {
  const name = `${nameOf(recoveryArn)}, search`;
  if (arn === undefined)
    return {
      name,
      state: 'unknown',
      words: 'its state machine was not found among those that can be listed',
    };
  const now = aws.time.now();
  const { items } = await listExecutions(aws, { stateMachineArn: arn, since: 0, namesMax: 2 });
  const [last, before] = items.map(({ startDate }) => startDate?.getTime() ?? 0);
  if (last === undefined)
    return { name, state: 'unknown', words: 'no search yet: the first one comes within its interval' };
  const interval = before === undefined ? HOUR_MS : Math.max(last - before, HOUR_MS);
  const status = items[0]?.status ?? 'unknown';
  const isLate = now - last > 2 * interval;
  return {
    name,
    state: isLate || /^(?:FAILED|TIMED_OUT|ABORTED)$/.test(status) ? 'bad' : 'good',
    words: `last search ${age(last, now)}, ${status}${isLate ? `; one was due every ${duration(interval)}` : ''}`,
  };
}

/** The search of each recovery, by the ARN of the recovery. */
async function searchesOf(aws: Aws, recoveries: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const machines = await listStateMachines(aws);
  const found = await each(machines, async ({ stateMachineArn = '' }) => {
    const definition = (await describeStateMachine(aws, stateMachineArn, 'StateMachineDoesNotExist'))
      ?.definition;
    if (definition === undefined || !isMachine(definition, 'search')) return undefined;
    const of = recoveries.find(arn => definition.includes(JSON.stringify(arn)));
    return of === undefined ? undefined : ([of, stateMachineArn] as const);
  });
  return new Map(found.filter(one => one !== undefined));
}

/** Dead-letter queues with messages; the age of the oldest is a metric. */
async function queueLines(aws: Aws): Promise<readonly HealthLine[]> {
  try {
    const { queues, isCutOff } = await listQueues(aws, undefined);
    const targets = new Set(queues.map(({ redrive }) => redrive?.deadLetterTargetArn));
    const isDead = (name: string, arn: string) =>
      targets.has(arn) || /Not(?:Started|Delivered)[0-9A-F]{8}/.test(name);
    const filled = queues.filter(
      ({ name, arn, waiting, inFlight }) => isDead(name, arn) && waiting + inFlight > 0,
    );
    if (filled.length === 0 && isCutOff) {
      const words = `none in the first ${queues.length} queues; the region has more, which are not read`;
      return [{ name: 'dead letters', state: 'unknown', words, isUnread: true }];
    }
    if (filled.length === 0) return [{ name: 'dead letters', state: 'good', words: 'none' }];
    return filled.map(({ name, waiting, inFlight }) => ({
      name,
      state: 'bad' as const,
      words:
        `${plural(waiting + inFlight, 'dead letter')}: \`onceflow resend ${name} --dry-run\`; the age of the oldest ` +
        'is the metric ApproximateAgeOfOldestMessage',
    }));
  } catch (error) {
    if (error instanceof Rejection)
      return [{ name: 'dead letters', state: 'unknown', words: error.message, isUnread: true }];
    throw error;
  }
}

function nameOf(arn: string): string {
  return arn.split(':').at(-1) ?? arn;
}
