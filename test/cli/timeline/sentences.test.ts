import { sentenceFor } from '../../../cli/timeline/sentences';
import { STATE } from '../../../state-machine/contract/state-names';

const AT = new Date('2026-11-20T09:00:00Z');

/** The kind of the event for a visit of a state whose last try failed with this error. */
function kindAfter(name: string, error: string): string | undefined {
  const failures = [{ at: AT, error, cause: '' }];
  const visit = { name, isOurs: true, enteredAt: AT, isFail: false, isRedriven: false, exitedAt: AT };
  const context = { executionArn: '', attempt: undefined, record: undefined, owner: undefined };
  return sentenceFor({ ...visit, variables: {}, failures }, context)?.[0];
}

describe('the kind of an event', () => {
  test.each([STATE.claim, STATE.takeOver, STATE.completed, STATE.failed])(
    '%s: a condition that failed is `rejected`, a request that failed is `requestFailed`',
    name => {
      expect(kindAfter(name, 'DynamoDB.ConditionalCheckFailedException')).toBe('rejected');
      expect(kindAfter(name, 'DynamoDB.SdkClientException')).toBe('requestFailed');
    },
  );

  test('a read that failed is `requestFailed`', () => {
    expect(kindAfter(STATE.read, 'DynamoDB.SdkClientException')).toBe('requestFailed');
  });
});
