import type { StateVisit } from '../../../cli/key/history';
import { sentenceFor } from '../../../cli/timeline/sentences';
import { STATE } from '../../../state-machine/contract/state-names';

const AT = new Date('2026-11-20T09:00:00Z');

const CONDITION_FAILED = 'DynamoDB.ConditionalCheckFailedException';

/** The kind of the event for a visit of a state whose last try failed with this error, or that had no failed try. */
function kindAfter(name: string, error?: string): string | undefined {
  const failures = error === undefined ? [] : [{ at: AT, error, cause: '' }];
  return kindOf({ name, failures, exitedAt: AT });
}

function kindOf(
  seen: Pick<StateVisit, 'name' | 'failures' | 'exitedAt'>,
  hasOwned = false,
): string | undefined {
  const visit = { isOurs: true, enteredAt: AT, isFail: false, isRedriven: false, variables: {}, ...seen };
  const unknown = { attempt: undefined, record: undefined, owner: undefined };
  const context = { executionArn: '', ...unknown, hasOwned, stepMs: 30_000 };
  return sentenceFor(visit, context)?.[0];
}

describe('the kind of an event', () => {
  test.each([STATE.claim, STATE.takeOver, STATE.completed, STATE.failed, STATE.inDoubt, STATE.ownerInDoubt])(
    '%s: a write whose condition failed is `conditionFailed`, a request that failed is `requestFailed`',
    name => {
      expect(kindAfter(name, CONDITION_FAILED)).toBe('conditionFailed');
      expect(kindAfter(name, 'DynamoDB.SdkClientException')).toBe('requestFailed');
    },
  );

  test.each([
    [STATE.read, 'DynamoDB.SdkClientException'],
    [STATE.askAboutOwner, 'Sfn.SdkClientException'],
    [STATE.redrive, 'Sfn.AccessDeniedException'],
    [STATE.callRecovery, 'Sfn.AccessDeniedException'],
    [STATE.readResult, 'S3.NoSuchKeyException'],
    [STATE.returnOwnersResult, 'Sfn.ExecutionDoesNotExistException'],
    [STATE.nameFields, 'States.QueryEvaluationError'],
  ])('%s that failed with %s is `requestFailed`', (name, error) => {
    expect(kindAfter(name, error)).toBe('requestFailed');
  });

  test.each([STATE.readResult, STATE.returnOwnersResult])(
    '%s that is not over is `returned`, unless a try has failed',
    name => {
      const failures = [{ at: AT, error: 'S3.SdkClientException', cause: '' }];

      expect(kindOf({ name, failures: [], exitedAt: undefined })).toBe('returned');
      expect(kindOf({ name, failures, exitedAt: undefined })).toBe('requestFailed');
    },
  );

  test('a delivery that the workflow rejected is `rejected`; an owner that lost its claim is not', () => {
    expect(kindAfter(STATE.payloadMismatch)).toBe('rejected');
    expect(kindAfter(STATE.inProgress)).toBe('rejected');
    expect(kindAfter(STATE.claimLost)).toBe('conditionFailed');
  });

  test.each(Object.values(STATE).filter(name => kindAfter(name) === 'rejected'))(
    '%s: an execution that came to its step is not a rejected delivery',
    name => {
      expect(kindOf({ name, failures: [], exitedAt: AT }, true)).toBe('passed');
    },
  );

  test('the comparison of the payloads is `passed`, because it decides nothing', () => {
    expect(kindAfter(STATE.nameFields)).toBe('passed');
  });
});
