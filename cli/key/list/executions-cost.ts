import { executionName, isNameOf } from '../../../state-machine/contract/execution-name';
import { recordKey } from '../../../state-machine/contract/index';
import { executionNameIn } from '../../arns';
import { historyOf, listExecutions } from '../../aws/executions';
import type { Workflow, WorkflowAccess } from '../../aws/workflow';
import { each } from '../../concurrency';
import { Rejection } from '../../program/rejection';
import { plural } from '../../text';
import type { TimeRange } from '../../time-range';
import { claimedKeysIn } from '../claimed-keys';
import { readStoppedDeliveries } from '../stopped-deliveries';
import { type Cost, costInWords, costOf, stoppedCostInWords, sumOf } from './cost';

/** The most executions that are listed. */
const LISTED_MAX = 100_000;

/** So many histories are read for a cost: an account has a bucket of 400, and recovery takes of it, too. */
export const HISTORIES_MAX = 60;

/** The executions whose cost is added up. */
export interface CostSearch {
  /** When they began. */
  readonly range: TimeRange;
  /** The most histories that are read. */
  readonly sample: number;
  progress(text: string): void;
}

/** What executions have cost. If only a sample of their histories was read, the cost is an estimate. */
export interface ExecutionsCost {
  readonly cost: Cost;
  /** How many executions there are. */
  readonly listed: number;
  /** How many histories of them were read. */
  readonly opened: number;
  /** Whether there are more than could be listed. */
  readonly isCutOff: boolean;
  /** How many duplicates started no execution; undefined if unknown, as on AWS. */
  readonly stopped: number | undefined;
}

/**
 * What the executions of a workflow that began in a time have cost. If there are more than `sample`, it reads
 * a sample that is evenly distributed over the time, and estimates the sum.
 *
 * @throws Rejection for an Express workflow, whose executions Step Functions does not list
 */
export async function costInTime(access: WorkflowAccess, search: CostSearch): Promise<ExecutionsCost> {
  const { range, sample } = search;
  const { items, isCutOff } = await listExecutionArns(access, range);
  const step = Math.max(1, items.length / sample);
  const count = Math.min(sample, items.length);
  const chosen = Array.from({ length: count }, (_, index) => items[Math.floor(index * step)] ?? '');
  const histories = await readHistories(access, chosen, search);
  const costs = histories.flatMap(events => (events ? [costOf(events, access.workflow.prefix)] : []));
  const factor = costs.length === 0 ? 1 : items.length / costs.length;
  const stopped = (await readStoppedDeliveries(access, range))?.length;
  return { cost: sumOf(costs, factor), listed: items.length, opened: costs.length, isCutOff, stopped };
}

/** A sentence without its period. */
export function executionsCostInWords({
  cost,
  listed: all,
  opened,
  isCutOff,
  stopped = 0,
}: ExecutionsCost): string {
  const sampled = opened < all ? `; estimated from ${plural(opened, 'history', 'histories')} of ${all}` : '';
  const more = isCutOff ? `; there are more than ${LISTED_MAX} executions: these are the newest` : '';
  const besides = stopped === 0 ? '' : `; ${stoppedCostInWords(stopped)} besides`;
  return `${costInWords(cost)}${sampled}${more}${besides}`;
}

export interface ListedKeys {
  /** Their texts, as the records have them. */
  readonly texts: readonly string[];
  /** The executions that are known to have one of these keys. */
  readonly executionArns: readonly string[];
}

/** What the executions of some keys have cost. */
export interface KeysCost {
  readonly cost: Cost;
  /** Executions of that time whose histories were not read, so that their keys are not known. */
  readonly unopened: number;
  readonly isCutOff: boolean;
}

/**
 * The cost of the executions of these keys. These are executions that are known to have one of the keys, and executions
 * that began in a time and have the name of a key, or claim a key in their histories.
 *
 * @throws Rejection for an Express workflow, whose executions Step Functions does not list
 */
export async function costOfKeys(
  access: WorkflowAccess,
  { texts, executionArns }: ListedKeys,
  search: CostSearch,
): Promise<KeysCost> {
  const { workflow } = access;
  const { items, isCutOff } = await listExecutionArns(access, search.range);
  const known = new Set(executionArns.filter(arn => arn.split(':')[5] === 'execution'));
  const candidates = likelyFirst(items, known, texts);
  const chosen = candidates.slice(0, search.sample);
  const histories = await readHistories(access, chosen, search);
  const recordKeys = new Set(texts.map(text => recordKey(workflow.scope, text)));
  const costs = histories.flatMap((events, index) => {
    const { keys } = claimedKeysIn(events ?? [], workflow);
    const isOwn = known.has(chosen[index] ?? '') || [...keys].some(key => recordKeys.has(key));
    return isOwn && events ? [costOf(events, workflow.prefix)] : [];
  });
  return { cost: sumOf(costs), unopened: candidates.length - chosen.length, isCutOff };
}

/** Executions that are known to have one of the keys or have a name of one, before the others. */
function likelyFirst(
  arns: readonly string[],
  known: ReadonlySet<string>,
  texts: readonly string[],
): string[] {
  const names = new Set(
    texts.flatMap(text => [executionName(text, 'readable'), executionName(text, 'hash')]),
  );
  const isLikely = (arn: string) => known.has(arn) || hasNameOf(names, executionNameIn(arn));
  const likely = new Set([...known, ...arns.filter(isLikely)]);
  return [...likely, ...arns.filter(arn => !likely.has(arn))];
}

/** A sentence without its period. */
export function keysCostInWords({ cost, unopened, isCutOff }: KeysCost): string {
  const left = isCutOff ? `${unopened} or more` : String(unopened);
  const more = unopened === 0 ? '' : `; ${left} other executions of this time were not read`;
  return `${costInWords(cost)}${more}`;
}

/** Only names with a key's ending can be those of its further executions. */
function hasNameOf(names: ReadonlySet<string>, candidate: string): boolean {
  if (names.has(candidate)) return true;
  return /-[0-9a-f]{16}$/.test(candidate) && [...names].some(name => isNameOf(name, candidate));
}

/** Why the executions of a workflow cannot be listed; undefined if they can be. */
export function whyNotListed({ name, type }: Pick<Workflow, 'name' | 'type'>): string | undefined {
  return type === 'EXPRESS'
    ? `${name} is an Express workflow, so Step Functions cannot list its executions`
    : undefined;
}

/** @throws Rejection for an Express workflow, whose executions Step Functions does not list */
export function requireHistories(workflow: Pick<Workflow, 'name' | 'type'>): void {
  const why = whyNotListed(workflow);
  if (why !== undefined) throw new Rejection(`${why}. See its metrics`);
}

/** The newest executions that began in a time: their ARNs, at most {@link LISTED_MAX}. */
async function listExecutionArns({ aws, workflow }: WorkflowAccess, { since, until }: TimeRange) {
  requireHistories(workflow);
  const inTime = { stateMachineArn: workflow.stateMachineArn, since, until, namesMax: LISTED_MAX };
  const { items, isCutOff } = await listExecutions(aws, inTime);
  return { items: items.flatMap(({ executionArn }) => executionArn ?? []), isCutOff };
}

/** The histories in the order of the executions; undefined for one that is gone. */
function readHistories({ aws }: WorkflowAccess, arns: readonly string[], { progress }: CostSearch) {
  let done = 0;
  return each(arns, async arn => {
    const events = await historyOf(aws, arn);
    done += 1;
    progress(`reading histories: ${done} of ${arns.length}`);
    return events;
  });
}
