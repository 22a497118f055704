import { StateSpace } from '../../../proof/explore/model/state-space';
import { MUTATIONS, mutated } from '../../../proof/explore/mutations/run';
import { walkAtRandom } from '../../../proof/explore/random/run';
import { randomWalk, replayWalk, shrink, type Walk } from '../../../proof/explore/random/walk';
import { runs } from '../../support/scale';
import { shippedSubject } from './subject';
import walks from './walks.json';

/** Many more walks than it takes to find a violation. */
const RUNS_MAX = 500;

describe('random walks', () => {
  test('some runs: no violation', async () => {
    const walked = await walkAtRandom(shippedSubject(), { seed: 7, milliseconds: runs(500, 3000) });

    expect(walked.counterexample).toBeUndefined();
    expect(walked.steps).toBeGreaterThan(0);
  }, 60_000);

  test('definition alone, without a dispatcher: no violation', async () => {
    const alone = { ...shippedSubject(), dispatcher: undefined };

    const walked = await walkAtRandom(alone, { seed: 7, milliseconds: runs(300, 1000) });

    expect(walked.counterexample).toBeUndefined();
  }, 60_000);

  test('same seed: the same walk', () => {
    const once = randomWalk(new StateSpace(shippedSubject()), '1 5');

    expect(randomWalk(new StateSpace(shippedSubject()), '1 5')).toEqual(once);
  });

  test('definition without a guard: a violation, with a course that has nothing to leave out', () => {
    const mutation = MUTATIONS.find(({ name }) => name === 'claim-reentrant-for-all');
    if (!mutation) throw new Error('no such mutation');
    const space = new StateSpace(mutated(shippedSubject(), mutation));
    let walked = randomWalk(space, '1 0');
    for (let run = 1; !walked.violation && run < RUNS_MAX; run += 1) walked = randomWalk(space, `1 ${run}`);
    if (!walked.violation) throw new Error(`no violation in ${RUNS_MAX} walks`);

    const { walk, violation } = shrink(space, walked);

    expect(violation?.invariant).toBe(walked.violation.invariant);
    for (const left of walk.schedule) {
      const schedule = walk.schedule.filter(step => step !== left);
      const tried = replayWalk(space, { ...walk, schedule });
      expect(tried.violation?.invariant).not.toBe(violation?.invariant);
    }
  }, 60_000);

  test('clocks that differ: a run has ended when the grace of its stopped owner is over on any of them', () => {
    const walk = {
      deliveries: 6,
      faults: 12,
      skews: [515, 186, 663],
      schedule: 'start1 start2 do1 do1 send3 start4 do3 wait3 abort1 end3 pass do3 do3 do1'.split(' '),
    };

    const { violation, walk: gone } = replayWalk(new StateSpace(shippedSubject()), walk);

    expect(violation).toBeUndefined();
    expect(gone.schedule).not.toContain('pass');
  });

  test.each((walks as (Walk & { because: string })[]).map(walk => [walk.because, walk] as const))(
    'kept: %s',
    (_because, walk) => {
      const { violation, walk: gone } = replayWalk(new StateSpace(shippedSubject()), walk);

      expect(violation).toBeUndefined();
      expect(gone.schedule).toEqual(walk.schedule);
    },
  );
});
