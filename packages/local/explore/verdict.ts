import { kindOf } from '../option-names';
import { atOnce, ExploreError } from './kernel/index';

/**
 * The reason why an invariant does not hold; undefined if it holds. `what` names it in errors.
 *
 * @throws ExploreError if it says neither, such as by a promise or a number
 */
export function verdictOf(what: string, ask: () => unknown): string | undefined {
  const held = atOnce(answerOf(ask), what);
  if (typeof held === 'string') return held;
  if (held === false) return 'the invariant does not hold';
  // The assertions of some libraries return an object.
  const isAssertion = typeof held === 'object' && held !== null && !Array.isArray(held);
  if (held === true || held === undefined || isAssertion) return undefined;
  const expected = 'it must return true or nothing if it holds, and false or the reason if it does not';
  throw new ExploreError(`${what} returns ${kindOf(held)}; ${expected}`);
}

function answerOf(ask: () => unknown): unknown {
  try {
    return ask();
  } catch (error) {
    if (error instanceof ExploreError) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}
