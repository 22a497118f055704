import type { Aws } from '../../../cli/aws/aws';
import { Rejection } from '../../../cli/program/rejection';
import { paced } from '../../../cli/repair/paced';

/** Does the items, each of which takes so many milliseconds; resolves to the rests between them, and the outcomes. */
async function done(durations: readonly number[], perSecond: number) {
  let now = 0;
  const rests: number[] = [];
  const time = {
    elapsed: () => now,
    sleep: async (ms: number) => {
      rests.push(ms);
      now += ms;
    },
  };
  const outcomes = await paced(
    { time } as unknown as Aws,
    durations,
    { perSecond, progress: () => undefined },
    async ms => {
      now += ms;
      if (ms < 0) throw new Rejection('no');
      return ms;
    },
  );
  return { rests, outcomes };
}

describe('work at most so often a second', () => {
  test('its own time counts: it rests for the rest of the interval, and not behind the last one', async () => {
    expect((await done([100, 250, 900, 0], 4)).rests).toEqual([150]);
    expect((await done([100, 100], 1)).rests).toEqual([900]);
  });

  test('one that is rejected: said, and the others are done', async () => {
    expect((await done([-1, 2], 1000)).outcomes).toEqual([{ problem: 'no' }, { result: 2 }]);
  });
});
