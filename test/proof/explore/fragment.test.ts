import { statesOf } from '../../../proof/explore/model/definition-states';
import { subjectOfText } from '../../../proof/explore/model/load-subject';
import { changeCondition } from '../../../proof/explore/mutations/edit';
import { mutated } from '../../../proof/explore/mutations/run';
import { replayTrace } from '../../../proof/explore/trace';
import { variantExploration, variantSubject } from './subject';

type Name = 'fragment' | 'fragment-in-turn';

const BUDGET = { executions: 3, faults: 3, channels: ['direct'] as const };

/** What a schedule comes to, in the end: the record, and each entry of the executions. */
function cameTo(name: Name, schedule: string) {
  const { trace, violation } = replayTrace(variantSubject(name), BUDGET, schedule.split(' '));
  return { record: trace.at(-1)?.record, entries: trace.at(-1)?.executions, violation };
}

/** Another entry claims the key when the retention is over, and the end of the first one is written once more. */
const WRITTEN_AGAIN = 'lose1 retention pass do1b do1b do1b do1b do1';
const STOPPED = 'start1 do1 do1 do1b abort1 ends1.1';

describe('two entries of one execution, at the same time', () => {
  test('the second one claims as well: rejected, while the first is in its step', () => {
    const { record, entries } = cameTo('fragment', 'start1 do1 do1 do1b do1b');

    expect(record).toBe('IN_PROGRESS of direct-1, attempt 1');
    expect(entries).toBe('E1 in Business step; E1b FAILED, Idempotency.InProgress');
  });

  test('the second one is the first to claim: it runs the step', () => {
    expect(cameTo('fragment', 'start1 do1b do1 do1b').entries).toBe(
      'E1 in Read record; E1b in Business step',
    );
  });

  test('the execution is stopped: both end, and what each of them has asked for may still happen', () => {
    expect(cameTo('fragment', 'start1 abort1 late1b.1 never1').entries).toBe('E1 ABORTED; E1b ABORTED');
    expect(cameTo('fragment', 'start1 abort1 late1b.1 late1').record).toBe(
      'IN_PROGRESS of direct-1, attempt 1',
    );
  });

  test('one has ended when the execution is stopped: stays what it was, and only the other one goes on again', () => {
    const stopped = 'start1 do1 do1 do1b do1b abort1 ends1.1';

    expect(cameTo('fragment', stopped).entries).toBe('E1 ABORTED; E1b FAILED, Idempotency.InProgress');
    expect(cameTo('fragment', `${stopped} pass redrive1`).entries).toBe(
      'E1 in Business step; E1b FAILED, Idempotency.InProgress',
    );
  });

  test('an entry of another execution finds that the owner has ended: both entries of the owner go on', () => {
    const { entries } = cameTo('fragment', `${STOPPED} pass start2 do2 do2 do2 do2`);

    expect(entries).toContain('E1 in Business step; E1b in Read record');
  });

  test('both waited for an answer when the execution is redriven: each one makes its request again', () => {
    const { entries } = cameTo('fragment', `${STOPPED} pass redrive1 do1 do1b works1.1`);

    expect(entries).toBe('E1 in Record the result; E1b in Ask about the owner');
  });

  test('its machine goes on without its record: taken over from when the grace is over, and the step runs again', () => {
    const left = 'start1 do1 do1 works1.1 throttle1 do1b do1b';
    const takenOver = `${left} pass start2${' do2'.repeat(2 + 2 * 10)}`;

    expect(cameTo('fragment', left).entries).toBe(
      'E1 FAILED, DynamoDB.ProvisionedThroughputExceededException; E1b FAILED, Idempotency.InProgress',
    );
    expect(cameTo('fragment', `${takenOver} do2 works2.2`)).toMatchObject({
      record: 'IN_PROGRESS of direct-2, attempt 2',
      violation: undefined,
    });
  });

  test('the key has expired and the other one has claimed it: an end that is written again is rejected', () => {
    const { record, entries, violation } = cameTo(
      'fragment',
      `start1 do1 do1 works1.1 ${WRITTEN_AGAIN} end1`,
    );

    expect(record).toBe('IN_PROGRESS of direct-1, attempt 1');
    expect(entries).toBe('E1 FAILED, Idempotency.ClaimLost; E1b in Business step');
    expect(violation).toBeUndefined();
  });
});

describe('two entries of one execution, one after the other', () => {
  test('the first one is not over: the second one has not begun', () => {
    expect(cameTo('fragment-in-turn', 'start1 do1').entries).toBe('E1 in Business step; E1b in ');
  });

  test('the step has failed for the first one: the second one takes over, with the next attempt', () => {
    const { record, entries } = cameTo(
      'fragment-in-turn',
      'start1 do1 do1 fail1.1 do1 end1 do1b do1b do1b do1b works1b.2 do1b end1b',
    );

    expect(record).toBe('COMPLETED of direct-1, attempt 2, result {"charge":"charge-1"}');
    expect(entries).toBe('E1 FAILED, PaymentDeclined; E1b SUCCEEDED');
  });
});

describe('the end of an entry, without the claim ID in its condition', () => {
  test.each([
    ['Record the result', 'works1.1'],
    ['Record the failure', 'fail1.1'],
  ])("%s: ends another entry's claim", (state, end) => {
    const mutant = mutated(variantSubject('fragment'), {
      name: state,
      says: state,
      of: 'workflow',
      change: draft => changeCondition(draft, state, ' AND #claimId = :claimId', ''),
    });
    const schedule = `start1 do1 do1 ${end} ${WRITTEN_AGAIN}`;

    expect(replayTrace(mutant, BUDGET, schedule.split(' ')).violation?.invariant).toBe('onlyTheOwnerWrites');
  });
});

describe('a fragment that is explored', () => {
  test('in a machine that does more than its Map: rejected', () => {
    const { json } = variantSubject('fragment').workflow;
    const { End: _, ...map } = statesOf(json)['Each item'] ?? {};
    const states = { 'Each item': { ...map, Next: 'More' }, More: { Type: 'Succeed' } };

    expect(subjectOfText(JSON.stringify({ ...json, States: states }))).toEqual({
      kind: 'problem',
      message: 'a fragment is explored in a Map that is all of its machine',
    });
  });

  test('one delivery and a fault: these counts', async () => {
    const counts = async (name: Name) => {
      const { states, transitions, violation } = await variantExploration(name, {
        executions: 1,
        faults: 1,
        channels: ['direct'],
      });
      return { states, transitions, violation };
    };

    expect(await counts('fragment')).toEqual({ states: 1664, transitions: 3009, violation: undefined });
    expect(await counts('fragment-in-turn')).toEqual({ states: 276, transitions: 336, violation: undefined });
  });
});
