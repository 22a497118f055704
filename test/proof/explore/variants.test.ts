import { type DraftObject, dropRules, objectAt } from '../../../proof/explore/mutations/edit';
import { mutated } from '../../../proof/explore/mutations/run';
import { explore } from '../../../proof/explore/search/search';
import { replayTrace } from '../../../proof/explore/trace';
import { explored } from '../../support/scale';
import { shippedSubject } from './subject';

const BUDGET = { executions: 2, faults: 2, channels: ['direct'] as const };
/** What the whole of a variant is explored with. */
const EXPLORED = { ...BUDGET, faults: explored(1, 2) };

/** The shipped workflow with a setting that the reference app does not have. */
function variant(name: string, change: (draft: DraftObject) => void) {
  return mutated(shippedSubject(), { name, says: name, of: 'workflow', change });
}

function limited(draft: DraftObject): void {
  draft['TimeoutSeconds'] = 3600;
}

function keepsResultsElsewhere(draft: DraftObject): void {
  const values = objectAt(draft, 'States', 'Record the result', 'Arguments', 'ExpressionAttributeValues');
  values[':outcome'] = { S: 'ELSEWHERE' };
}

describe('explore, variants of the shipped definition', () => {
  test('workflow with a timeout: may end by it at any moment; no violation', async () => {
    const subject = variant('timeout', limited);

    const { trace } = replayTrace(subject, BUDGET, ['start1', 'do1', 'timeout1']);
    const { violation } = await explore(subject, EXPLORED);

    expect(trace.at(-1)?.executions).toBe('E1 TIMED_OUT');
    expect(violation).toBeUndefined();
  }, 60_000);

  test('results that the record does not hold: the owner is asked for them; no violation', async () => {
    const { violation, neverEntered } = await explore(variant('elsewhere', keepsResultsElsewhere), EXPLORED);

    expect(violation).toBeUndefined();
    expect(neverEntered).not.toContain("Return the owner's result");
  }, 60_000);

  test('nothing compared: all deliveries have one payload; no violation', async () => {
    const changed = variant('no payload', draft => {
      delete objectAt(draft, 'States', 'Claim record', 'Arguments', 'Item')['payloadHash'];
      dropRules(draft, 'What does the record say?', ['Another payload']);
      delete objectAt(draft, 'States')['Payload mismatch'];
    });

    // Deployed like this, and not a mutant of what compares payloads.
    const { deployed: _, ...workflow } = changed.workflow;
    const { violation, comparesPayload } = await explore({ ...changed, workflow }, { ...BUDGET, faults: 1 });

    expect(violation).toBeUndefined();
    expect(comparesPayload).toBe(false);
  }, 60_000);
});

describe('retries', () => {
  test.each([
    [12, 'E1 in Claim record'],
    [2, 'E1 in Claim record'],
    [1, 'E1 FAILED, DynamoDB.SdkClientException'],
  ])('%i are allowed, two answers are lost: %s', (most, places) => {
    const subject = variant(`${most} retries`, draft => {
      const retriers = objectAt(draft, 'States', 'Claim record')['Retry'] as DraftObject[];
      for (const retrier of retriers) {
        if ((retrier['ErrorEquals'] as string[]).includes('States.ALL')) retrier['MaxAttempts'] = most;
      }
      // Also if it changes nothing else. The settings are the last line.
      draft['Comment'] = `Another\n${String(draft['Comment'])}`;
    });

    const { trace } = replayTrace(subject, BUDGET, ['start1', 'lose1', 'lose1']);

    expect(trace.at(-1)?.executions).toBe(places);
  });
});
