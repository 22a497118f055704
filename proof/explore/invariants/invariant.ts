import type { Json } from '../../../packages/local/json/json';
import { nameOfEntry } from '../model/entries';
import type { ModelState } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import type { Traits } from '../model/traits';
import { BY_RECOVERY } from '../transition/effects';
import type { Fact, Step } from '../transition/step';

/** What must hold, and a sentence that says it. */
export interface Invariant {
  readonly name: string;
  readonly says: string;
  /** Whether a definition with these traits promises it; absent: all definitions do. */
  readonly promisedBy?: (traits: Traits) => boolean;
  /** How a step breaks it; undefined if it does not. The step is already `remembered`. */
  readonly brokenBy: (space: StateSpace, before: ModelState, step: Step) => string | undefined;
}

/** The errors that reject an event for good, by the states that send such a rejection. */
export const REJECTIONS: Readonly<Record<string, string>> = {
  'Send invalid event': 'Idempotency.InvalidEvent',
  'Send foreign record': 'Idempotency.ForeignRecord',
  'Send payload mismatch': 'Idempotency.PayloadMismatch',
};

/** These errors alone. */
export const REJECTED_FOR_GOOD = Object.values(REJECTIONS);

/** What the first of these facts breaks that breaks something; undefined if none does. */
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

/** A fact of one kind. */
export type FactOf<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>;

/** The facts of one kind. */
export function ofKind<Kind extends Fact['kind']>(facts: readonly Fact[], kind: Kind) {
  return facts.filter((fact): fact is FactOf<Kind> => fact.kind === kind);
}

/** Whether an execution ends as its claim could not be evaluated: several times at once. */
export function isUnevaluated({ name }: Step, execution: number): boolean {
  return name.split(':', 1)[0] === `limit${nameOfEntry(execution)}`;
}

/**
 * The number that a pattern finds in a state of a definition, as its first group.
 *
 * @throws Error if it finds none: a check that compares with it would hold of everything
 */
export function numberIn(state: Json | undefined, pattern: RegExp): number {
  const text = JSON.stringify(state) ?? 'nothing';
  const [, digits] = pattern.exec(text) ?? [];
  if (digits === undefined) throw new Error(`the definition has no number that fits ${pattern}: ${text}`);
  return Number(digits);
}

export function writerName(by: number): string {
  return by === BY_RECOVERY ? 'recovery' : `execution ${nameOfEntry(by)}`;
}
