import { MUTATIONS, mutated } from '../../../proof/explore/mutations/run';
import { walkAtRandom } from '../../../proof/explore/random/run';
import { type Course, goAgain, shrunk, walk } from '../../../proof/explore/random/walk';
import { Universe } from '../../../proof/explore/world/world';
import courses from './courses.json';
import { shippedSubject } from './subject';

describe('random walks', () => {
  test('some runs: no violation', async () => {
    const walked = await walkAtRandom(shippedSubject(), { seed: 7, milliseconds: 3000 });

    expect(walked.kept).toBeUndefined();
    expect(walked.steps).toBeGreaterThan(0);
  }, 60_000);

  test('definition alone, without a dispatcher: no violation', async () => {
    const alone = { ...shippedSubject(), dispatcher: undefined };

    const walked = await walkAtRandom(alone, { seed: 7, milliseconds: 1000 });

    expect(walked.kept).toBeUndefined();
  }, 60_000);

  test('same seed: the same walk', async () => {
    const once = await walk(new Universe(shippedSubject()), '1 5');

    expect(await walk(new Universe(shippedSubject()), '1 5')).toEqual(once);
  });

  test('definition without a guard: a violation, with a course that has nothing to leave out', async () => {
    const mutation = MUTATIONS.find(({ name }) => name === 'owner-running-is-dead');
    if (!mutation) throw new Error('no such mutation');
    const universe = new Universe(mutated(shippedSubject(), mutation));
    let walked = await walk(universe, '1 0');
    for (let run = 1; !walked.violation; run += 1) walked = await walk(universe, `1 ${run}`);

    const { course, violation } = await shrunk(universe, walked);

    expect(violation?.invariant).toBe(walked.violation.invariant);
    for (const left of course.schedule) {
      const schedule = course.schedule.filter(step => step !== left);
      const tried = await goAgain(universe, { ...course, schedule });
      expect(tried.violation?.invariant).not.toBe(violation?.invariant);
    }
  }, 60_000);

  test('clocks that differ: a run has ended when the grace of its stopped owner is over on any of them', async () => {
    const course = {
      deliveries: 6,
      faults: 12,
      skews: [515, 186, 663],
      schedule: 'start1 start2 do1 do1 send3 start4 do3 wait3 abort1 end3 pass do3 do3 do1'.split(' '),
    };

    const { violation, course: gone } = await goAgain(new Universe(shippedSubject()), course);

    expect(violation).toBeUndefined();
    expect(gone.schedule).not.toContain('pass');
  });

  test.each((courses as (Course & { because: string })[]).map(course => [course.because, course] as const))(
    'kept: %s',
    async (_because, course) => {
      const { violation, course: gone } = await goAgain(new Universe(shippedSubject()), course);

      expect(violation).toBeUndefined();
      expect(gone.schedule).toEqual(course.schedule);
    },
  );
});
