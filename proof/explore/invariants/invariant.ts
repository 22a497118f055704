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

/** The facts of one kind. */
export function ofKind<Kind extends Fact['kind']>(facts: readonly Fact[], kind: Kind) {
  return facts.filter((fact): fact is Extract<Fact, { kind: Kind }> => fact.kind === kind);
}

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
  const hasClaimed = ofKind(facts, 'wrote').some(({ by, isClaim }) => isClaim && by === entry);
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

/** The name of the error that a record holds; undefined where it holds none. */
export function storedErrorOf(record: Item | undefined): string | undefined {
  const text = record?.['error']?.['S'];
  return typeof text === 'string' ? (JSON.parse(text) as { readonly Error: string }).Error : undefined;
}
