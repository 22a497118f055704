import { GIVEN_UP_BEFORE_THE_STEP } from '../contract/error-names';
import { RECORD } from '../contract/record';
import { expression, literal } from './jsonata';
import { REDRIVE_COUNT_NOW } from './record';

/** What DescribeExecution says of the owner, in the variable `owner`; what it does not say is absent. */
export const OWNER_SEEN = expression(
  "{'status': $states.result.Status, 'stopDate': $states.result.StopDate, 'error': $states.result.Error, " +
    "'redriveCount': $states.result.RedriveCount, 'redriveStatus': $states.result.RedriveStatus, " +
    `'lookedIn': ${REDRIVE_COUNT_NOW}}`,
);

/** The same for an owner that Step Functions does not know. */
export const NO_OWNER_SEEN = { status: 'NOT_FOUND' } as const;

/** True where the owner is running, or about to go on. */
export const IS_RUNNING = "$owner.status in ['RUNNING', 'PENDING_REDRIVE']";

/** How long an execution that was started may not be visible yet, in milliseconds. */
const VISIBLE_WITHIN_MS = 15 * 60 * 1000;

/** True where Step Functions does not know the owner. */
const IS_UNKNOWN = "$owner.status = 'NOT_FOUND'";

/** True where an unknown owner has claimed so recently that it may just not be visible. */
export const IS_NOT_VISIBLE_YET = `${IS_UNKNOWN} and $millis() < $toMillis($record.claimedAt.S) + ${VISIBLE_WITHIN_MS}`;

/** True where the owner has succeeded, so that its record has been written meanwhile. */
export const HAS_SUCCEEDED = "$owner.status = 'SUCCEEDED'";

/**
 * True where the business step that the owner called may still be working: it ended too short a time ago. The owner may
 * have run another definition than this one: the record tells how long its step may take.
 */
export function mayStillWork(endsWithinSeconds: number): string {
  const recorded = `$record.${RECORD.stepTimeout}.N`;
  const seconds = `$max([${endsWithinSeconds}, $exists(${recorded}) ? $number(${recorded}) : 0])`;
  return `$exists($owner.stopDate) and $millis() < $toMillis($owner.stopDate) + ${seconds} * 1000`;
}

const GIVEN_UP = GIVEN_UP_BEFORE_THE_STEP.map(literal).join(', ');

/**
 * True where the owner gave its claim up in a Fail state before the business step. A redrive would only bring it to
 * that state again.
 */
export const GAVE_UP = `$owner.status = 'FAILED' and $owner.error in [${GIVEN_UP}]`;

/** How often an owner is brought back that fails again and never comes to its record. */
const FAILED_REDRIVES_MAX = 3;

/**
 * True where an owner that does more than this has failed again and again after its redrives: it stopped elsewhere, as
 * its machine has caught what went wrong here, and will not come back to the record.
 */
export const IS_BEYOND_REDRIVE = `$owner.status = 'FAILED' and $owner.redriveCount >= ${FAILED_REDRIVES_MAX}`;

/** True where the owner can go on where it stopped. */
export const IS_REDRIVABLE = "$owner.redriveStatus = 'REDRIVABLE'";

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
