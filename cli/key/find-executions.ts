import type { DescribeExecutionOutput } from '@aws-sdk/client-sfn';
import { executionName, isNameOf } from '../../state-machine/contract/execution-name';
import { executionNameIn, isInAccountOf } from '../arns';
import { describe, historyOf, historyOfDescribed, listExecutions } from '../aws/executions';
import type { WorkflowAccess } from '../aws/workflow';
import { each } from '../concurrency';
import { claimedKeysIn } from './claimed-keys';
import { historyIn } from './history';
import { recordKeyOfInput } from './input/key-of-input';
import type { FoundExecution, FoundExecutions } from './key-state';

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

/** The facts of a key before its executions are known. */
export interface KeyNames {
  readonly text: string;
  readonly recordKey: string;
  /** The record's owner; undefined if there is no record. */
  readonly owner: string | undefined;
}

/** So many executions are listed at most. */
const NAMES_MAX = 10_000;
/** An execution claims its key in its first state; one of a larger machine has other states before. */
const EVENTS_UNTIL_CLAIM = 20;
const EVENTS_UNTIL_CLAIM_WITHIN = 200;

/**
 * Finds every execution of a key within the search: by the names that a key has, the record's owner, and, among those
 * with other names, by opening their histories, newest first. What could not be decided is counted.
 *
 * @throws Rejection
 */
export async function findExecutions(
  access: WorkflowAccess,
  key: KeyNames,
  search: Search,
): Promise<FoundExecutions> {
  const { arns, likely, listed, isListCutOff, unopened, own } = await candidatesFor(access, key, search);
  let done = 0;
  const opened = await each(arns, async arn => {
    const execution = await openExecution(access, arn, key, likely.has(arn));
    done += 1;
    search.progress?.(done, arns.length);
    return execution;
  });
  const executions = opened.filter(execution => typeof execution === 'object').sort(byStart(listed));
  return {
    executions,
    namesake: executions.some(({ executionArn }) => executionArn === own.arn) ? undefined : own.description,
    searched: {
      since: new Date(search.since),
      listed: listed.length,
      isListCutOff,
      opened: arns.length,
      unopened,
      undecided: opened.filter(execution => execution === 'undecided').length,
    },
  };
}

/** Executions that may be of a key. */
interface Candidates {
  /** ARNs to open: first those that are likely of the key, then the newest of the others. */
  readonly arns: readonly string[];
  readonly likely: ReadonlySet<string>;
  /** How many of the others are not opened. */
  readonly unopened: number;
  /** ARNs of all executions in the time of the search, newest first. */
  readonly listed: readonly string[];
  readonly isListCutOff: boolean;
  /** The execution with the key's own name; no description if there is none. */
  readonly own: { readonly arn: string; readonly description: DescribeExecutionOutput | undefined };
}

async function candidatesFor(
  access: WorkflowAccess,
  { text, owner }: KeyNames,
  { since, until, openedMax }: Search,
): Promise<Candidates> {
  const { aws, workflow } = access;
  const { stateMachineArn, executionNames } = workflow;
  // The other ones are from before the option was changed.
  const names = (['readable', 'hash'] as const).map(kind => executionName(text, kind));
  const inTime = { stateMachineArn, since, ...(until !== undefined && { until }), namesMax: NAMES_MAX };
  const { items, isCutOff: isListCutOff } = await listExecutions(aws, inTime);
  const listed = items.flatMap(({ executionArn }) => executionArn ?? []);
  const executionOf = stateMachineArn.replace(':stateMachine:', ':execution:');
  const ownArn = `${executionOf}:${executionName(text, executionNames)}`;
  const byName = await describeNamesakeAndOwner(access, ownArn, owner);
  const isLikely = (arn: string) => byName.has(arn) || names.some(one => isNameOf(one, executionNameIn(arn)));
  const likely = new Set([...byName.keys(), ...listed.filter(isLikely)]);
  const others = listed.filter(arn => !isLikely(arn));
  const opened = others.slice(0, openedMax);
  return {
    arns: [...likely, ...opened],
    likely,
    unopened: others.length - opened.length,
    listed,
    isListCutOff,
    own: { arn: ownArn, description: byName.get(ownArn) },
  };
}

/** Oldest first. Of two that began in one millisecond the list, newest first, says which was later. */
function byStart(listed: readonly string[]) {
  const startOf = ({ description }: FoundExecution) => description.startDate?.getTime() ?? 0;
  const positionOf = ({ executionArn }: FoundExecution) => listed.indexOf(executionArn);
  return (one: FoundExecution, other: FoundExecution) =>
    startOf(one) - startOf(other) || positionOf(other) - positionOf(one);
}

/** Executions that need no list: the one with the key's own name, and the owner, which another machine may have run. */
async function describeNamesakeAndOwner(
  { aws }: WorkflowAccess,
  own: string,
  owner: string | undefined,
): Promise<ReadonlyMap<string, DescribeExecutionOutput>> {
  // Step Functions cannot describe an Express execution, nor one of another account or region.
  const isKept = owner !== undefined && isInAccountOf(owner, own) && owner.split(':')[5] === 'execution';
  const arns = [...new Set([own, ...(isKept ? [owner] : [])])];
  const descriptions = await each(arns, arn => describe(aws, arn));
  return new Map(arns.flatMap((arn, index) => (descriptions[index] ? [[arn, descriptions[index]]] : [])));
}

/** Reads an execution that is of the key; one that is of another gives `other`. */
async function openExecution(
  access: WorkflowAccess,
  arn: string,
  { recordKey, owner }: KeyNames,
  isLikely: boolean,
): Promise<FoundExecution | 'other' | 'undecided'> {
  const { aws, workflow } = access;
  const { prefix } = workflow;
  const eventsMax = prefix === '' ? EVENTS_UNTIL_CLAIM : EVENTS_UNTIL_CLAIM_WITHIN;
  const description = await describe(aws, arn);
  // Of an execution that is hardly of the key, only the beginning is read.
  const beginning =
    description && (await (isLikely ? historyOfDescribed(aws, description) : historyOf(aws, arn, eventsMax)));
  if (description === undefined || beginning === undefined) return 'other';
  const { keys, isKeyMissing, isInvalid } = claimedKeysIn(beginning, workflow);
  // A payload that is missing fails the claim, too: then the input has a key all the same.
  const input = isInvalid ? beginning[0]?.executionStartedEventDetails?.input : undefined;
  const isOfKey = keys.has(recordKey) || (await recordKeyOfInput(access, input)) === recordKey;
  const isWhole = isLikely || beginning.length < eventsMax;
  if (!isOfKey && arn !== owner) {
    // A larger machine may claim further keys in what was not read.
    const mayFollow = !isWhole && (keys.size === 0 || prefix !== '');
    return isKeyMissing || mayFollow ? 'undecided' : 'other';
  }
  const events = isWhole ? beginning : await historyOfDescribed(aws, description);
  if (events === undefined) return 'other';
  return { executionArn: arn, description, events, history: historyIn(events, prefix) };
}
