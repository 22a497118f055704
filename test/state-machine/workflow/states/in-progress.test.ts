import { secondsToWait } from '../../../../state-machine/workflow/states/in-progress';
import { evaluate206 } from '../../../support/evaluate';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Delays before the look after so many, when `leftMs` of the time are left; several, as chance has a part in them. */
async function delays(totalMs: number, waits: number, leftMs = totalMs): Promise<number[]> {
  const evaluations = Array.from({ length: 40 }, () =>
    evaluate206(secondsToWait(totalMs), { waits, waitUntil: Date.now() + leftMs }),
  );
  return (await Promise.all(evaluations)).map(evaluation =>
    'value' in evaluation ? Number(evaluation.value) : Number.NaN,
  );
}

describe('the delay before the next look', () => {
  test.each([
    ['the fifth of a wait of five minutes', 5 * MINUTE, 4, 16, 16],
    ['a late one of a wait of five minutes', 5 * MINUTE, 20, 29, 30],
    ['the third of a wait of an hour', 60 * MINUTE, 2, 16, 16],
    ['a late one of a wait of an hour', 60 * MINUTE, 20, 285, 300],
    ['a late one of a wait of a day: few, for its cost and its history', DAY, 20, 1368, 1440],
  ])('%s: chance decides on the last twentieth', async (_, totalMs, waits, least, most) => {
    const seconds = await delays(totalMs, waits);

    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(least);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(most);
    expect(new Set(seconds).size > 1).toBe(most > least);
  });

  test('at the end: no longer than what is left, and a second at least', async () => {
    expect(Math.max(...(await delays(5 * MINUTE, 20, 2500)))).toBeLessThanOrEqual(3);
    expect(new Set(await delays(5 * MINUTE, 20, 0))).toEqual(new Set([1]));
  });
});
