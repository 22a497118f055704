import type { RecordedEvent } from '../cases/recorded-case';
import { type Difference, pointer } from './difference';
import { compareValue, differing, type Location, type Terms } from './value';

/** How bags of events are matched. */
export interface BagRules {
  /** The list the events belong to, and the index of the first in it. */
  readonly location: Location;
  readonly start?: number;
  /** May reject a pair that is equal in itself; what it remembers of a pair, `undo` takes back. */
  accept?(expected: RecordedEvent, actual: RecordedEvent): boolean;
  undo?(expected: RecordedEvent): void;
}

/** Comparisons of two events, after which a bag counts as different: some bags have more pairings than patience. */
const COMPARISONS_MAX = 200_000;

/**
 * Pairs each recorded event with one of the same content, ids aside, in any order; the first recorded event that finds
 * none in any pairing is the difference.
 */
export function matchBag(
  terms: Terms,
  expected: readonly RecordedEvent[],
  actual: readonly RecordedEvent[],
  rules: BagRules,
): Difference | undefined {
  if (expected.length !== actual.length) {
    return differing(rules.location, 'has another number of events', expected.length, actual.length);
  }
  const isTaken = new Array<boolean>(actual.length).fill(false);
  let comparisons = 0;
  let deepest = { index: -1, difference: differing(rules.location, 'has no consistent order of events') };

  const pairFrom = (index: number): boolean => {
    const wanted = expected[index];
    if (wanted === undefined) return true;
    const location = { path: pointer(rules.location.path, (rules.start ?? 0) + index), member: '' };
    let nearest: Difference | undefined;
    for (const [position, found] of actual.entries()) {
      if (isTaken[position] || found.type !== wanted.type || comparisons >= COMPARISONS_MAX) continue;
      comparisons += 1;
      const bindings = terms.placeholders.save();
      const difference = compareValue(terms, withoutIds(wanted), withoutIds(found), location);
      if (difference) nearest ??= difference;
      else if (rules.accept?.(wanted, found) ?? true) {
        isTaken[position] = true;
        if (pairFrom(index + 1)) return true;
        isTaken[position] = false;
        rules.undo?.(wanted);
      } else nearest = differing(location, 'follows another event', wanted, found);
      terms.placeholders.restore(bindings);
    }
    nearest ??= differing(location, 'has no counterpart', wanted);
    if (index > deepest.index) deepest = { index, difference: nearest };
    return false;
  };
  return pairFrom(0) ? undefined : deepest.difference;
}

function withoutIds({ id: _, previousEventId: __, ...rest }: RecordedEvent): object {
  return rest;
}
