import { OWNER_NOT_FOUND } from '../contract/conditions';
import { expression } from '../contract/jsonata';
import { REDRIVE_COUNT_NOW } from './record';

/** What DescribeExecution says of the owner, in the variable `owner`; what it does not say is absent. */
export const OWNER_SEEN = expression(
  "{'status': $states.result.Status, 'stopDate': $states.result.StopDate, 'error': $states.result.Error, " +
    "'redriveCount': $states.result.RedriveCount, 'redriveStatus': $states.result.RedriveStatus, " +
    `'lookedIn': ${REDRIVE_COUNT_NOW}}`,
);

/** The same for an owner that Step Functions does not know. */
export const NO_OWNER_SEEN = { status: OWNER_NOT_FOUND } as const;

/**
 * The token of the redrive: the same for all who saw the owner in the same state, so that they redrive it once. 64
 * characters, the most the operation takes. Fails in an execution that was itself redriven since it asked: what it saw
 * is old, and the service knows a token for fifteen minutes only.
 */
export const REDRIVE_TOKEN = expression(
  `${REDRIVE_COUNT_NOW} = $owner.lookedIn ` +
    "? $hash($record.owner.S & '#' & $formatBase($owner.redriveCount, 10), 'SHA-256') " +
    ": $error('this execution has been redriven since it asked about the owner')",
);
