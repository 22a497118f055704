import { availableParallelism } from 'node:os';
import { MUTATIONS, mutated } from '../../../proof/explore/mutations/run';
import { explore } from '../../../proof/explore/search/search';
import { replayTrace } from '../../../proof/explore/trace';
import { runs } from '../../support/scale';
import { shippedExploration, shippedSubject } from './subject';

const DIRECT = ['direct'] as const;

describe('explore, the shipped definition', () => {
  test('two deliveries, faults at any point: no violation', async () => {
    const budget = { executions: 2, faults: runs(1, 2), channels: DIRECT, symmetry: true };
    const threads = { workers: availableParallelism() };
    const { violation, states, transitions } = await explore(shippedSubject(), budget, threads);

    expect(violation).toBeUndefined();
    expect([states, transitions]).toEqual([runs(2485, 43_663), runs(4035, 81_189)]);
  }, 180_000);

  test('two deliveries, also by the dispatcher: no violation', async () => {
    const channels = ['direct', 'dispatcher'] as const;

    const { violation } = await explore(shippedSubject(), { executions: 2, faults: runs(0, 1), channels });

    expect(violation).toBeUndefined();
  }, 60_000);

  test('threads, as many as they are: the same counts, those of the page', async () => {
    const budget = { executions: 2, faults: 1, channels: DIRECT };
    const { waiting, ...alone } = await shippedExploration(budget);

    // Two explore in `symmetry.test.ts`.
    const threads = { workers: 3, sharedFrom: 50 };
    expect(await explore(shippedSubject(), budget, threads)).toEqual({ ...alone, waiting });
    expect(waiting).toBe(0);
  }, 120_000);

  test.each([
    [1, 1, 155, 187],
    [2, 0, 84, 126],
    [2, 1, 4252, 6982],
  ])(
    '%i deliveries, %i faults: these counts, and no others',
    async (executions, faults, states, transitions) => {
      const explored = await shippedExploration({ executions, faults, channels: DIRECT });

      expect(explored).toMatchObject({ states, transitions, comparesPayload: true, violation: undefined });
    },
    60_000,
  );

  test('states that only the last delivery comes to, which is tried in the end: told apart', async () => {
    const explored = await shippedExploration({ executions: 1, faults: 1, channels: DIRECT });

    expect(explored.enteredInProbe).toContain('Call recovery');
    expect(explored.neverEntered).toEqual(expect.arrayContaining([...explored.enteredInProbe]));
  });

  test('threads, and a guard that is missing: a schedule as short as without them, that breaks the same', async () => {
    const mutation = MUTATIONS.find(({ name }) => name === 'claim-reentrant-for-all');
    if (!mutation) throw new Error('no such mutation');
    const mutant = mutated(shippedSubject(), mutation);
    const budget = { executions: 2, faults: 1, channels: DIRECT };
    const alone = await explore(mutant, budget);

    const { violation } = await explore(mutant, budget, { workers: 2, sharedFrom: 50 });

    expect(violation?.schedule).toHaveLength(alone.violation?.schedule.length ?? 0);
    expect(replayTrace(mutant, budget, violation?.schedule ?? []).violation?.invariant).toBe(
      violation?.invariant,
    );
  }, 120_000);

  test('too little memory: ends, and says how much is not explored', async () => {
    const budget = { executions: 2, faults: 2, channels: DIRECT };

    const { stopped, waiting, violation } = await explore(shippedSubject(), budget, { memoryBytes: 1 });

    expect(stopped).toBe('memory');
    expect(waiting).toBeGreaterThan(0);
    expect(violation).toBeUndefined();
  }, 60_000);

  test('no faults: the step runs once, in any order of deliveries', async () => {
    const { violation, states } = await shippedExploration({ executions: 3, faults: 0, channels: DIRECT });

    expect(violation).toBeUndefined();
    expect(states).toBeGreaterThan(100);
  });
});
