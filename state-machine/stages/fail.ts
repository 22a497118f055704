import { Fail } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { ERROR, type ErrorName } from '../contract/error-names';
import { expression } from '../contract/jsonata';
import { CLAIM_FACTS, causeExpression, KEY_FACT, RECORD_FACTS } from '../expressions/cause';
import type { Settings } from '../settings';

/** Refuses an event whose key expression gave nothing usable. */
export function missingKey(scope: Construct): Fail {
  const cause = causeExpression('the event has no usable idempotency key');
  return refusal(scope, 'Missing key', ERROR.missingKey, cause);
}

/** Refuses an event whose payload could not be hashed. */
export function invalidPayload(scope: Construct): Fail {
  const cause = causeExpression('the event has no payload, or none that can be hashed within one second');
  return refusal(scope, 'Invalid payload', ERROR.invalidPayload, cause);
}

/** Refuses a key that comes again with another payload, whatever became of the first. */
export function payloadMismatch(scope: Construct): Fail {
  const cause = causeExpression('the idempotency key was used before with another payload', RECORD_FACTS);
  return refusal(scope, 'Payload mismatch', ERROR.payloadMismatch, cause);
}

/** Refuses a delivery while another execution owns the key. */
export function inProgress(scope: Construct): Fail {
  const cause = causeExpression('another execution owns the idempotency key and has not finished', {
    ...RECORD_FACTS,
    redriveError: '$redriveError',
  });
  return refusal(scope, 'In progress', ERROR.inProgress, cause);
}

/** Gives up on a claim that was refused by something else at every look, or could not be evaluated to its end. */
export function claimContended(scope: Construct): Fail {
  const cause = causeExpression('the claim did not settle; deliver the event again later', KEY_FACT);
  return refusal(scope, 'Claim contended', ERROR.claimContended, cause);
}

/** Ends an execution whose step succeeded after its claim had been taken over. */
export function claimLost(scope: Construct): Fail {
  const cause = causeExpression(
    'the business step succeeded, but the record has another owner now',
    CLAIM_FACTS,
  );
  return refusal(scope, 'Claim lost', ERROR.claimLost, cause);
}

/** Ends a duplicate whose result is in the owner's execution only, where it could not be read, or is not looked for. */
export function resultUnavailable(scope: Construct, { variant }: Settings): Fail {
  const message = variant.isPart
    ? "the record cannot hold the result exactly; it is in the history of the owner's execution"
    : "the result is in the owner's output, which could not be read";
  const cause = causeExpression(message, RECORD_FACTS);
  return refusal(scope, 'Stored result unavailable', ERROR.resultUnavailable, cause);
}

/** Answers with the error of the business step that failed before. */
export function storedFailure(scope: Construct): Fail {
  return Fail.jsonata(scope, 'Return stored failure', {
    comment: 'The business step has failed: answers with its error',
    error: expression('$parse($record.error.S).Error'),
    cause: expression('$parse($record.error.S).Cause'),
  });
}

/** Ends the execution with the business step's own error. */
export function businessStepFailed(scope: Construct): Fail {
  return Fail.jsonata(scope, 'Business step failed', {
    comment: "The business step's own error",
    error: expression('$failure.Error'),
    cause: expression('$failure.Cause'),
  });
}

function refusal(scope: Construct, id: string, error: ErrorName, cause: string): Fail {
  return Fail.jsonata(scope, id, { error, cause });
}
