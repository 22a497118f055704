import { violationIn } from '../../../proof/explore/invariants/invariants';
import type { Recovery } from '../../../proof/explore/model/model-state';
import { initialState, StateSpace } from '../../../proof/explore/model/state-space';
import { type DraftObject, listOf, objectAt, stateOf } from '../../../proof/explore/mutations/edit';
import { MUTATIONS, mutated } from '../../../proof/explore/mutations/run';
import { explore } from '../../../proof/explore/search/search';
import { successorsOf } from '../../../proof/explore/search/successors';
import { replayTrace } from '../../../proof/explore/trace';
import { shippedSubject, variantSubject } from './subject';

/** The shipped workflow with a mistake in it that no guard of it is there for. */
function mistaken(name: string, change: (draft: DraftObject) => void) {
  return mutated(shippedSubject(), { name, says: name, of: 'workflow', change });
}

const BUDGET = { executions: 2, faults: 1, channels: ['direct'] as const };

describe('invariants that other ones stand before', () => {
  test.each<[invariant: string, schedule: string, change: (draft: DraftObject) => void]>([
    [
      'oneResult',
      'start1 start2 do1 do1 works1.1 do1 do2 do2',
      draft => {
        stateOf(draft, 'Return stored result')['Output'] = { charge: 'charge-0' };
      },
    ],
    [
      'fencingRises',
      'start1 do1 do1 fail1.1 do1 start2 do2 do2 do2 do2',
      draft => {
        objectAt(draft, 'States', 'Business step', 'Arguments', 'Payload')['attempt'] = 1;
      },
    ],
    [
      'samePayloadIsNotRejected',
      'start1 start2 do1 do2 do2',
      draft => {
        const rules = listOf(stateOf(draft, 'What does the record say?'), 'Choices');
        const rule = rules.find(({ Condition }) => String(Condition).includes('$payloadHash'));
        if (rule) rule['Condition'] = '{% $record.payloadHash.S = $payloadHash %}';
      },
    ],
  ])('%s: broken by %s', (invariant, schedule, change) => {
    const { violation } = replayTrace(mistaken(invariant, change), BUDGET, schedule.split(' '));

    expect(violation?.invariant).toBe(invariant);
  });
});

describe('recoveryIsBounded', () => {
  // No definition acts a ninth time unless its loop is changed, which takes a trace of more than a hundred steps.
  test('recovery that acts a ninth time: found', () => {
    const space = new StateSpace(
      { ...shippedSubject(), running: ['recovery'], unchecked: ['recoversTheEnded'] },
      0,
    );
    const [start] = successorsOf(space, initialState(space, 1, 0), ['direct']).steps;
    if (!start) throw new Error('nothing starts');
    const { after: before } = start;
    const recovery = { execution: 0, redrives: 0, knows: { tries: 8 } } as Recovery;
    const fact = { kind: 'recovered', recovery, how: 'held' } as const;

    const violation = violationIn(space, before, { name: 'recover1', after: before, facts: [fact] });

    expect(violation?.invariant).toBe('recoveryIsBounded');
  });
});

describe('sentBeforeItsEnd', () => {
  const TWO_FAULTS = { executions: 2, faults: 2, channels: ['direct'] as const };

  test('failure written, its answer lost, and the record taken over: the rejected one owes nothing any more', () => {
    const schedule = 'start1 start2 do1 do2 throttle1 lose1 do2 do2 do1 end1';
    const { trace, violation } = replayTrace(variantSubject('on-failure'), TWO_FAULTS, schedule.split(' '));

    expect(trace.at(-1)?.record).toBe('IN_PROGRESS of direct-2, attempt 2');
    expect(trace.at(-1)?.executions).toContain('E1 FAILED, Lambda.TooManyRequestsException');
    expect(violation).toBeUndefined();
  });

  test('the same one rejected by its own record: owes it', () => {
    const failsOnce = MUTATIONS.find(({ name }) => name === 'fails-once');
    if (!failsOnce) throw new Error('no mutation fails-once');
    const subject = mutated(variantSubject('on-failure'), failsOnce);

    const { violation } = replayTrace(
      { ...subject, unchecked: ['lostAnswersAreHarmless'] },
      TWO_FAULTS,
      'start1 do1 throttle1 lose1 do1 end1'.split(' '),
    );

    expect(violation?.invariant).toBe('sentBeforeItsEnd');
  });
});

describe('everything ends', () => {
  test('execution that asks again and again: a circle, with the way there and once round', async () => {
    const subject = mistaken('asks for ever', draft => {
      objectAt(draft, 'States')['In progress'] = { Type: 'Pass', Next: 'Read record' };
    });

    const { violation } = await explore(subject, { ...BUDGET, faults: 0 });

    expect(violation).toMatchObject({
      invariant: 'everythingEnds',
      seen: expect.stringContaining('as it was before'),
    });
    const schedule = violation?.schedule ?? [];
    expect(schedule.slice(-2)).toEqual(['do2', 'do2']);
    const again = replayTrace(subject, { ...BUDGET, faults: 0 }, schedule);
    expect(again.violation?.invariant).toBe('everythingEnds');
    expect(again.trace).toHaveLength(schedule.length);
  });

  test('execution that waits without a timeout: nothing happens any more', async () => {
    const subject = mistaken('waits for ever', draft => {
      delete stateOf(draft, 'Business step')['TimeoutSeconds'];
    });

    const { violation } = await explore(subject, { ...BUDGET, executions: 1 });

    expect(violation).toMatchObject({
      invariant: 'everythingEnds',
      seen: 'nothing happens any more, with execution 1 in "Business step"',
    });
  });
});
