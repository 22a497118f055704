import { type DraftObject, listOf, objectAt, stateOf } from '../../../proof/explore/mutations/edit';
import { mutated } from '../../../proof/explore/mutations/run';
import { explore } from '../../../proof/explore/search/search';
import { replayTrace } from '../../../proof/explore/trace';
import { shippedSubject } from './subject';

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
      'samePayloadIsNotRefused',
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
