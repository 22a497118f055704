import { renderDiagram } from '../../../proof/explore/diagram';
import { StateSpace } from '../../../proof/explore/model/state-space';
import type { Mutation } from '../../../proof/explore/mutations/mutation';
import { neededIn } from '../../../proof/explore/mutations/report';
import { BUDGETS, MUTATIONS, mutated, SPARE_GUARDS, tryMutation } from '../../../proof/explore/mutations/run';
import { replayWalk } from '../../../proof/explore/random/walk';
import { replayCommand } from '../../../proof/explore/render';
import { explore } from '../../../proof/explore/search/search';
import { replayTrace } from '../../../proof/explore/trace';
import { killOf } from './schedules';
import { shippedSubject } from './subject';

function mutationCalled(name: string): Mutation {
  const found = MUTATIONS.find(mutation => mutation.name === name);
  if (!found) throw new Error(`no mutation ${name}`);
  return found;
}

/** Ends the exploration of a mutant that nothing kills by how much it has seen, which is the same on every machine. */
const MEMORY_BYTES = 16e6;

function killed(mutation: Mutation, invariant: string) {
  const searched = { ...mutation, budgets: BUDGETS.slice(0, 6) };
  return killOf(shippedSubject(), searched, { memoryBytes: MEMORY_BYTES, invariant });
}

describe('mutations', () => {
  test.each([...MUTATIONS, ...SPARE_GUARDS].map(mutation => [mutation.name, mutation] as const))(
    '%s: changes the shipped definition, which still is one',
    (_name, mutation) => {
      expect(() => mutated(shippedSubject(), mutation)).not.toThrow();
    },
  );

  test('names: each once', () => {
    const names = [...MUTATIONS, ...SPARE_GUARDS].map(({ name }) => name);

    expect(new Set(names).size).toBe(names.length);
  });

  test.each([
    ['claim-own-record-not-known', 'lostAnswersAreHarmless'],
    ['claim-reentrant-for-all', 'onlyTheOwnerWrites'],
    ['claim-without-retries', 'isPatient'],
    ['dispatch-keeps-elsewhere', 'everythingEnds'],
    ['step-failure-is-success', 'completedMeansSuccess'],
    ['claim-unconditional', 'completedStays'],
    ['takeover-same-attempt', 'onlyTheOwnerWrites'],
    ['takeover-keeps-the-expiry', 'unfinishedNeverExpires'],
    ['judge-payload-last', 'rejectedForWhatIs'],
    ['read-not-consistent', 'judgesTheRecord'],
    ['finalize-gives-up', 'noResultIsLost'],
    ['dispatch-any-payload-is-done', 'noDeliveryIsDropped'],
    ['dispatch-keeps-nothing', 'noDeliveryIsDropped'],
    ['dispatch-read-fails', 'noDeliveryIsDropped'],
    ['judge-payload-of-the-ended', 'rejectedForWhatIs'],
    ['judge-absent-counts', 'judgesTheRecord'],
    ['step-end-not-awaited-after-ServiceException', 'oneStepAtATime'],
    ['step-without-timeout', 'everythingEnds'],
  ])(
    '%s: breaks %s',
    async (name, invariant) => {
      const kill = await killed(mutationCalled(name), invariant);

      expect(kill?.violation.invariant).toBe(invariant);
    },
    60_000,
  );
});

describe('mutants that one invariant alone finds', () => {
  test.each(
    MUTATIONS.flatMap(mutation =>
      mutation.onlyBy ? [[mutation.name, mutation.onlyBy, mutation] as const] : [],
    ),
  )(
    '%s: found by %s, and by nothing else where that is not looked at',
    async (_name, invariant, mutation) => {
      const kill = await killed(mutation, invariant);
      if (!kill) throw new Error('it survives');
      const unchecked = { ...mutated(shippedSubject(), mutation), unchecked: [invariant] };

      const { violation } = await explore(unchecked, kill.budget);

      expect(kill.violation.invariant).toBe(invariant);
      expect(violation).toBeUndefined();
    },
    60_000,
  );
});

describe('spare guards', () => {
  test.each(
    SPARE_GUARDS.flatMap(guard => (guard.needed ? [[guard.name, guard, guard.needed] as const] : [])),
  )('%s: its schedule breaks without it, and with it does not', (_name, guard, needed) => {
    const { executions: deliveries, faults, without } = needed;
    const walk = { deliveries, faults, skews: [], schedule: needed.schedule.split(' ') };

    const shipped = replayWalk(new StateSpace({ ...shippedSubject(), ...(without && { without }) }), walk);

    expect(neededIn(shippedSubject(), guard)).toBeDefined();
    expect(shipped.violation).toBeUndefined();
  });
});

describe('a violation', () => {
  test('its schedule gone through again: the same violation, told step by step', async () => {
    const mutation = mutationCalled('finalize-gives-up');
    const { killed: kill } = await tryMutation(shippedSubject(), mutation);
    if (!kill) throw new Error('no violation');
    const { schedule, ...violation } = kill.violation;

    const replayed = replayTrace(mutated(shippedSubject(), mutation), kill.budget, schedule);

    expect(replayed.violation).toEqual(violation);
    expect(replayed.trace).toHaveLength(schedule.length);
    const diagram = renderDiagram(replayed.trace, replayed.violation);
    expect(diagram).toContain(
      'FAULT: E1: the request of "Record the result" is throttled until no retry is left.',
    );
    expect(diagram).toContain('record: IN_PROGRESS of direct-1, attempt 1');
    expect(diagram).toContain('VIOLATION of noResultIsLost: execution 1 has run the step and lost its claim');
    expect(replayCommand(kill.budget, schedule, [])).toBe(
      `npm run explore -- --executions 1 --faults 1 --start direct --replay '${schedule.join(' ')}'`,
    );
  }, 180_000);

  test('a step that is not possible: named, with those that are', () => {
    const budget = { executions: 1, faults: 0, channels: ['direct'] as const };

    expect(() => replayTrace(shippedSubject(), budget, ['start1', 'works1.1'])).toThrow(
      'step 2 cannot happen: works1.1. Can happen: do1',
    );
  });
});
