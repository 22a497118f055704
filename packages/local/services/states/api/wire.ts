import { isJsonObject } from '../../../json/json';

const MS_PER_SECOND = 1000;

/**
 * An answer with its times as the wire has them: epoch seconds with a fraction instead of epoch milliseconds.
 *
 * A time is a number in a member that ends in `Date`, or a history event's `timestamp`; data of executions is text, so
 * nothing of theirs is taken for one.
 */
export function toWire(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(toWire);
  if (!isJsonObject(answer)) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => {
      const isTime = typeof value === 'number' && (name.endsWith('Date') || name === 'timestamp');
      return [name, isTime ? value / MS_PER_SECOND : toWire(value)];
    }),
  );
}
