import type { DescribeExecutionOutput } from '@aws-sdk/client-sfn';
import { executionName, isNameOf } from '../../state-machine/contract/execution-name';
import { STATE } from '../../state-machine/contract/state-names';
import { executionNameIn } from '../arns';
import { describe, historyOf, listExecutions } from '../aws/executions';
import type { WorkflowAccess } from '../aws/workflow';
import { each } from '../concurrency';
import { Refusal } from '../program/refusal';
import { claimsIn, visitsIn } from './history';
import type { FoundExecution, FoundExecutions } from './key-state';
import type { KeyRecord } from './record';

/** Which executions to look through. */
export interface Search {
  /** Executions that began before are found by name only, in epoch milliseconds. */
  readonly since: number;
  /** Those that began after are left out; absent: now. */
  readonly until?: number;
  /** So many executions with names of their own are opened, to see which key they claim. */
  readonly openedMax: number;
  /** Called after each history: how many are done, and of how many. */
  readonly progress?: (done: number, total: number) => void;
}

/** What is known of a key before its executions are. */
export interface KeyNames {
  readonly text: string;
  readonly recordKey: string;
  /** The record's owner, where there is a record. */
  readonly owner: string | undefined;
}

/** So many names are looked through at most. */
const NAMES_MAX = 10_000;
/** An execution claims its key in its first state; one of a larger machine has other states before. */
const EVENTS_UNTIL_CLAIM = 20;
const EVENTS_UNTIL_CLAIM_WITHIN = 200;

/**
 * Finds every execution of a key within the search: by the names that a key has, the record's owner, and, among those
 * with other names, by opening their histories, newest first. What could not be decided is counted.
 *
 * @throws Refusal
 */
export async function findExecutions(
  access: WorkflowAccess,
  key: KeyNames,
  search: Search,
): Promise<FoundExecutions> {
  const { aws, workflow } = access;
  const { stateMachineArn, executionNames } = workflow;
  const name = executionName(key.text, executionNames);
  // The other ones are from before the option was changed.
  const names = (['readable', 'hash'] as const).map(kind => executionName(key.text, kind));
  const { items, isCutOff } = await listExecutions(aws, {
    stateMachineArn,
    since: search.since,
    ...(search.until !== undefined && { until: search.until }),
    namesMax: NAMES_MAX,
  });
  const listedArns = items.flatMap(({ executionArn }) => executionArn ?? []);
  const own = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
  const byName = await described(access, own, key.owner);
  const isLikely = (arn: string) => byName.has(arn) || names.some(one => isNameOf(one, executionNameIn(arn)));
  const likely = [...new Set([...byName.keys(), ...listedArns.filter(isLikely)])];
  const others = listedArns.filter(arn => !isLikely(arn));
  const candidates = [...likely, ...others.slice(0, search.openedMax)];

  let done = 0;
  const opened = await each(candidates, async arn => {
    const execution = await openExecution(access, arn, key);
    done += 1;
    search.progress?.(done, candidates.length);
    return execution;
  });
  const startOf = ({ description }: FoundExecution) => description.startDate?.getTime() ?? 0;
  // Of two that began in one millisecond the list knows which was later.
  const positionOf = ({ executionArn }: FoundExecution) => listedArns.indexOf(executionArn);
  const executions = opened
    .filter(execution => typeof execution === 'object')
    .sort((one, other) => startOf(one) - startOf(other) || positionOf(other) - positionOf(one));
  return {
    executions,
    namesake: executions.some(({ executionArn }) => executionArn === own) ? undefined : byName.get(own),
    searched: {
      since: new Date(search.since),
      listed: items.length,
      isListCutOff: isCutOff,
      opened: candidates.length,
      unopened: others.length - (candidates.length - likely.length),
      undecided: opened.filter(execution => execution === 'undecided').length,
    },
  };
}

/** Executions that need no list: the one with the key's own name, and the owner, which another machine may have run. */
async function described(
  { aws }: WorkflowAccess,
  own: string,
  owner: string | undefined,
): Promise<ReadonlyMap<string, DescribeExecutionOutput>> {
  const isStandard = owner !== undefined && owner.split(':')[5] === 'execution';
  const arns = [...new Set([own, ...(isStandard ? [owner] : [])])];
  const descriptions = await each(arns, arn => describe(aws, arn));
  return new Map(arns.flatMap((arn, index) => (descriptions[index] ? [[arn, descriptions[index]]] : [])));
}

/** Reads an execution that is of the key; one that is of another gives `other`. */
async function openExecution(
  { aws, workflow }: WorkflowAccess,
  arn: string,
  { recordKey, owner }: KeyNames,
): Promise<FoundExecution | 'other' | 'undecided'> {
  const { prefix } = workflow;
  const eventsMax = prefix === '' ? EVENTS_UNTIL_CLAIM : EVENTS_UNTIL_CLAIM_WITHIN;
  const beginning = await historyOf(aws, arn, eventsMax);
  if (beginning === undefined) return 'other';
  const { keys, isKeyMissing } = claimsIn(beginning, workflow);
  if (!keys.has(recordKey) && arn !== owner) {
    // A larger machine may claim further keys in what was not read.
    const mayFollow = beginning.length >= eventsMax && (keys.size === 0 || prefix !== '');
    return isKeyMissing || mayFollow ? 'undecided' : 'other';
  }
  const [description, events] = await Promise.all([describe(aws, arn), historyOf(aws, arn)]);
  if (description === undefined || events === undefined) return 'other';
  return { executionArn: arn, description, events };
}

/**
 * States in which a delivery to a team's own state machine acts on the record as it has read it before. In all others
 * it reads the record again first.
 */
const ACTS_ON_WHAT_IT_READ: ReadonlySet<string> = new Set([
  STATE.read,
  STATE.whatDoesRecordSay,
  STATE.returnOwnersResult,
  STATE.readResult,
  STATE.askAboutOwner,
  STATE.isOwnerAlive,
  STATE.redrive,
]);

/** So many running executions are looked at. */
const RUNNING_MAX = 500;

/**
 * ARNs of running deliveries that may still act on a record that they read before now, such as by redriving its owner.
 *
 * @throws Refusal where more executions are running than can be looked at
 */
export async function findActingDeliveries(access: WorkflowAccess, record: KeyRecord): Promise<string[]> {
  return stillActing(access, record, await runningOthers(access, record));
}

/** Those of the deliveries that may still act on the record. @throws Refusal */
export async function stillActing(
  access: WorkflowAccess,
  record: KeyRecord,
  arns: readonly string[],
): Promise<string[]> {
  const isActing = await each(arns, arn => isActingOn(access, record, arn));
  return arns.filter((_, index) => isActing[index]);
}

async function runningOthers(
  { aws, workflow: { stateMachineArn } }: WorkflowAccess,
  { owner }: KeyRecord,
): Promise<string[]> {
  const arns: string[] = [];
  // In this order: what is about to go on when the first list is made may be running when the second is.
  for (const status of ['PENDING_REDRIVE', 'RUNNING'] as const) {
    const listing = { stateMachineArn, since: 0, namesMax: RUNNING_MAX, status };
    const { items, isCutOff } = await listExecutions(aws, listing);
    if (isCutOff) {
      throw new Refusal(
        `nothing was released, because more than ${RUNNING_MAX} executions are running, and each of them might be about to ` +
          'redrive the owner. Try again when fewer executions run',
      );
    }
    arns.push(...items.flatMap(({ executionArn }) => executionArn ?? []));
  }
  return arns.filter(arn => arn !== owner);
}

async function isActingOn(
  { aws, workflow }: WorkflowAccess,
  { recordKey }: KeyRecord,
  arn: string,
): Promise<boolean> {
  const events = (await historyOf(aws, arn)) ?? [];
  const { keys } = claimsIn(events, workflow);
  if (keys.size > 0 && !keys.has(recordKey)) return false;
  const last = visitsIn(events, workflow.prefix).at(-1);
  if (last === undefined || !ACTS_ON_WHAT_IT_READ.has(last.name)) return false;
  const status: DescribeExecutionOutput['status'] = (await describe(aws, arn))?.status;
  return status === 'RUNNING' || status === 'PENDING_REDRIVE';
}
