import { canonical, type Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import type { ModelState } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import type { Fact, Step } from '../transition/step';

/** What must hold, and a sentence that says it. */
export interface Invariant {
  readonly name: string;
  readonly says: string;
  /** How a step breaks it; undefined where it does not. The step is already `remembered`. */
  readonly brokenBy: (space: StateSpace, before: ModelState, step: Step) => string | undefined;
}

/** What the first of these facts breaks that breaks something; undefined where none does. */
export function found<Of>(
  facts: readonly Of[],
  brokenBy: (fact: Of) => string | undefined,
): string | undefined {
  for (const fact of facts) {
    const seen = brokenBy(fact);
    if (seen !== undefined) return seen;
  }
  return undefined;
}

function ofKind<Kind extends Fact['kind']>(facts: readonly Fact[], kind: Kind) {
  return facts.filter((fact): fact is Extract<Fact, { kind: Kind }> => fact.kind === kind);
}

/** Facts of one kind. */
export const writes = (facts: readonly Fact[]) => ofKind(facts, 'wrote');
/** Facts of one kind. */
export const ends = (facts: readonly Fact[]) => ofKind(facts, 'ended');
/** Facts of one kind. */
export const reads = (facts: readonly Fact[]) => ofKind(facts, 'read');
/** Facts of one kind. */
export const losses = (facts: readonly Fact[]) => ofKind(facts, 'lost');
/** Facts of one kind. */
export const invocations = (facts: readonly Fact[]) => ofKind(facts, 'invoked');
/** Facts of one kind. */
export const redrives = (facts: readonly Fact[]) => ofKind(facts, 'redriven');
/** Facts of one kind. */
export const refusals = (facts: readonly Fact[]) => ofKind(facts, 'refused');
/** Facts of one kind. */
export const recoveries = (facts: readonly Fact[]) => ofKind(facts, 'recovered');
/** Facts of one kind. */
export const calls = (facts: readonly Fact[]) => ofKind(facts, 'called');
/** Facts of one kind. */
export const dispatches = (facts: readonly Fact[]) => ofKind(facts, 'dispatched');
/** Facts of one kind. */
export const wornOuts = (facts: readonly Fact[]) => ofKind(facts, 'wornOut');
/** Facts of one kind. */
export const notices = (facts: readonly Fact[]) => ofKind(facts, 'sent');
/** Facts of one kind. */
export const kept = (facts: readonly Fact[]) => ofKind(facts, 'kept');

/** The status that a record says. */
export function statusOf(record: Item | undefined): unknown {
  return record?.['status']?.['S'];
}

/** The attempt that a record says; 0 where there is none. */
export function attemptOf(record: Item | undefined): number {
  return Number(record?.['attempt']?.['N'] ?? 0);
}

/** The text in an attribute of a record; empty where there is none. */
export function textOf(record: Item, name: string): string {
  const text = record[name]?.['S'];
  return typeof text === 'string' ? text : '';
}

/**
 * Whether an entry is that which has made its execution the owner of the record, before or by one of these facts; any
 * is where one is not told apart.
 */
export function isClaimant(
  { past: { claimant } }: ModelState,
  entry: number,
  facts: readonly Fact[] = [],
): boolean {
  const hasClaimed = writes(facts).some(({ by, isClaim }) => isClaim && by === entry);
  return claimant === undefined || claimant === entry || hasClaimed;
}

/** Whether two records are the same one. */
export function isSame(a: Item, b: Item | undefined): boolean {
  return a === b || (b !== undefined && canonical({ M: a }) === canonical({ M: b }));
}

/** A record in a few words. */
export function recordText(record: Item | undefined): string {
  if (!record) return 'absent';
  const [, , , , , , , owner = '?'] = String(record['owner']?.['S']).split(':');
  const result = record['result']?.['S'];
  const stored = result === undefined ? '' : `, result ${result}`;
  return `${statusOf(record)} of ${owner}, attempt ${attemptOf(record)}${stored}`;
}
