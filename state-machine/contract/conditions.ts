import { ERROR, GIVEN_UP_BEFORE_THE_STEP } from './error-names';
import * as jsonata from './jsonata';
import { literal, literals } from './jsonata';
import { RECORD, RESULT_ELSEWHERE, type ResultAttributes, STATUS } from './record';
import { isAnswer, isAnswerIn } from './step-errors';
import { type EpochMs, type EpochSeconds, isExpired } from './time';

/** A record as it is judged. A member that the item does not have is undefined; without a status there is no record. */
export interface JudgedRecord extends ResultAttributes {
  readonly status: string | undefined;
  readonly owner?: string | undefined;
  readonly claimId?: string | undefined;
  readonly payloadHash?: string | undefined;
  /** ISO-8601. */
  readonly claimedAt?: string | undefined;
  /** JSON text; null where only the owner's execution has the result. */
  readonly result?: string | null | undefined;
  /** JSON text of `{Error, Cause}`. */
  readonly error?: string | undefined;
  /** In seconds. */
  readonly stepTimeout?: number | undefined;
  readonly leaseExpiry?: EpochMs | undefined;
  readonly expiry?: EpochSeconds | undefined;
}

/** What DescribeExecution says of the execution that owns a record, as far as it is judged. */
export interface JudgedOwner {
  /** {@link OWNER_NOT_FOUND} where Step Functions does not know the execution. */
  readonly status: string;
  readonly stopDate?: EpochMs | undefined;
  readonly error?: string | undefined;
  readonly redriveCount?: number | undefined;
  readonly redriveStatus?: string | undefined;
}

/** The delivery whose execution judges. */
export interface Delivery {
  /** Of whoever asks from outside: the ARN of the state machine. */
  readonly executionArn?: string | undefined;
  readonly claimId?: string | undefined;
  readonly payloadHash?: string | undefined;
  /** How often the execution has been refused a write so far. */
  readonly refusals: number;
}

/** What is known when a record, or its owner, is judged. Without a `delivery` anybody asks who owns no record. */
export interface Facts {
  readonly record: JudgedRecord | undefined;
  readonly owner?: JudgedOwner | undefined;
  readonly now: EpochMs;
  readonly delivery?: Delivery | undefined;
}

/** A condition in its two forms, which say the same of every case. */
export interface Condition {
  readonly holds: (facts: Facts) => boolean;
  /** Over the variables of the workflow: `record`, `owner`, `payloadHash`, `refusals`. */
  readonly jsonata: string;
}

/** True where all of the conditions hold. */
export function all(...conditions: readonly [Condition, Condition, ...Condition[]]): Condition {
  const [one, other, ...rest] = conditions.map(condition => condition.jsonata) as [string, string];
  return {
    holds: facts => conditions.every(({ holds }) => holds(facts)),
    jsonata: jsonata.and(one, other, ...rest),
  };
}

/** True where the condition does not hold. */
export function not(condition: Condition): Condition {
  return { holds: facts => !condition.holds(facts), jsonata: jsonata.not(condition.jsonata) };
}

function hasStatus(status: string): Condition {
  return {
    holds: ({ record }) => record?.status === status,
    jsonata: `$record.${RECORD.status}.S = ${literal(status)}`,
  };
}

/** True where there is no record, or one that no longer counts: its table calls its expiry so. */
export function isGone(timeToLiveAttribute: string): Condition {
  const expiry = `$record.${jsonata.fieldName(timeToLiveAttribute)}`;
  const isOver = `$exists(${expiry}) and $number(${expiry}.N) <= $floor($millis() / 1000)`;
  return {
    holds: ({ record, now }) => record?.status === undefined || isExpired(record.expiry, now),
    jsonata: `$not($exists($record.${RECORD.status})) or (${isOver})`,
  };
}

/** The JSONata of this execution's ARN. */
const THIS_EXECUTION = '$states.context.Execution.Id';

/**
 * True where the record's owner is no execution of the state machine that judges, nor of one of these names, which it
 * had before. `own` is JSONata of that state machine's ARN, or of one of its executions. Nobody who judges for no
 * state machine is told so.
 */
export function isOfAnotherWorkflow(formerNames: readonly string[], own: string = THIS_EXECUTION): Condition {
  const names = ['$mine[6]', ...formerNames.map(literal)].join(', ');
  return {
    holds: ({ record, delivery }) => {
      if (delivery?.executionArn === undefined) return false;
      const [, , , region, account, , name] = delivery.executionArn.split(':');
      const [, , , itsRegion, itsAccount, , itsName = ''] = record?.owner?.split(':') ?? [];
      const isOfOne = itsName === name || formerNames.includes(itsName);
      return !(itsRegion === region && itsAccount === account && isOfOne);
    },
    jsonata:
      `( $its := $split($record.${RECORD.owner}.S, ':'); $mine := $split(${own}, ':'); ` +
      `$not($its[3] = $mine[3] and $its[4] = $mine[4] and $its[6] in [${names}]) )`,
  };
}

/** True where the record was claimed with another payload than this delivery's. */
export const IS_OTHER_PAYLOAD: Condition = {
  holds: ({ record, delivery }) =>
    record?.payloadHash !== undefined &&
    delivery?.payloadHash !== undefined &&
    record.payloadHash !== delivery.payloadHash,
  jsonata: jsonata.differ(`$record.${RECORD.payloadHash}.S`, '$payloadHash'),
};

/** True where the record says that the business step succeeded. */
export const IS_COMPLETED: Condition = hasStatus(STATUS.completed);

/** True where the record itself holds the result's text. */
export const HAS_RESULT_TEXT: Condition = {
  holds: ({ record }) => typeof record?.result === 'string' && record.result !== RESULT_ELSEWHERE,
  jsonata: `$exists($record.${RECORD.result}.S) and $not($record.${RECORD.result}.S = ${literal(RESULT_ELSEWHERE)})`,
};

/** True if the record says that the business step failed. */
export const IS_FAILED: Condition = hasStatus(STATUS.failed);

/** True if the next delivery may take the record over: its step failed, or it is released. */
export const IS_FAILED_OR_RELEASED: Condition = {
  holds: ({ record }) => record?.status === STATUS.failed || record?.status === STATUS.released,
  jsonata: `$record.${RECORD.status}.S in ${literals([STATUS.failed, STATUS.released])}`,
};

/** True if the record is released. */
export const IS_RELEASED: Condition = hasStatus(STATUS.released);

/** True if the record is held for review. */
export const IS_HELD: Condition = hasStatus(STATUS.held);

/** True where the record is held, or has the failure of a step that may have run. */
export const IS_IN_DOUBT: Condition = {
  holds: ({ record }) => {
    const { name, cause } = errorIn(record?.error);
    return name !== undefined && (name === ERROR.inDoubt || !isAnswer(name, cause));
  },
  jsonata:
    `( $stored := $parse($record.${RECORD.error}.S); $name := $stored.Error; ` +
    `$name = ${literal(ERROR.inDoubt)} or ` +
    `($exists($name) and $not(${isAnswerIn('$name', '$stored.Cause')})) )`,
};

// The workflow fails on a text that is no JSON; nobody writes one.
function errorIn(stored: string | undefined): { readonly name?: string; readonly cause?: string } {
  try {
    const { Error: name, Cause: cause } = JSON.parse(stored ?? '{}') as Readonly<Record<string, unknown>>;
    return { ...(typeof name === 'string' && { name }), ...(typeof cause === 'string' && { cause }) };
  } catch {
    return {};
  }
}

/** True where an execution owns the record and has not finished it. */
export const IS_IN_PROGRESS: Condition = hasStatus(STATUS.inProgress);

/** True where the record names the execution that judges as its owner. */
export const IS_OWN: Condition = {
  holds: ({ record, delivery }) => record?.owner !== undefined && record.owner === delivery?.executionArn,
  jsonata: `$record.${RECORD.owner}.S = ${THIS_EXECUTION}`,
};

/** True where the very claim of this delivery has written the record. `claimId` is JSONata of what it would write. */
export function isClaimOf(claimId: string): Condition {
  return {
    holds: ({ record, delivery }) => record?.claimId !== undefined && record.claimId === delivery?.claimId,
    jsonata: `$record.${RECORD.claimId}.S = ${claimId}`,
  };
}

/** True where an unfinished record has a lease: its owner is an Express execution, of which nobody can be asked. */
export const HAS_LEASE: Condition = {
  holds: facts => IS_IN_PROGRESS.holds(facts) && facts.record?.leaseExpiry !== undefined,
  jsonata: `${IS_IN_PROGRESS.jsonata} and $exists($record.${RECORD.leaseExpiry})`,
};

/** True where an unfinished record's lease is over, so that its owner and the step it called have certainly ended. */
export const IS_LEASE_OVER: Condition = {
  holds: facts => IS_IN_PROGRESS.holds(facts) && (facts.record?.leaseExpiry ?? Infinity) < facts.now,
  jsonata: `${IS_IN_PROGRESS.jsonata} and $number($record.${RECORD.leaseExpiry}.N) < $millis()`,
};

/** True where the execution has been refused a write as often as it may. */
export function isRefusedTooOften(refusalsMax: number): Condition {
  return {
    holds: ({ delivery }) => (delivery?.refusals ?? 0) >= refusalsMax,
    jsonata: `$refusals >= ${refusalsMax}`,
  };
}

/** The status of an owner that Step Functions does not know. */
export const OWNER_NOT_FOUND = 'NOT_FOUND';

/** True where the owner is running, or about to go on. */
export const IS_RUNNING: Condition = {
  holds: ({ owner }) => owner?.status === 'RUNNING' || owner?.status === 'PENDING_REDRIVE',
  jsonata: "$owner.status in ['RUNNING', 'PENDING_REDRIVE']",
};

/** How long an execution that was started may not be visible yet, in milliseconds. */
export const VISIBLE_WITHIN_MS = 15 * 60 * 1000;

/** When an owner that was started would certainly be visible, epoch milliseconds; NaN where it is not known. */
export function visibleBy({ claimedAt }: Pick<JudgedRecord, 'claimedAt'>): number {
  return Date.parse(claimedAt ?? '') + VISIBLE_WITHIN_MS;
}

/** True where an unknown owner has claimed so recently that it may just not be visible. */
export const IS_NOT_VISIBLE_YET: Condition = {
  holds: ({ owner, record, now }) => owner?.status === OWNER_NOT_FOUND && now < visibleBy(record ?? {}),
  jsonata:
    `$owner.status = ${literal(OWNER_NOT_FOUND)} and ` +
    `$millis() < $toMillis($record.${RECORD.claimedAt}.S) + ${VISIBLE_WITHIN_MS}`,
};

/** True where Step Functions does not know the owner: deleted, with its state machine or after 90 days. */
export const IS_UNKNOWN: Condition = {
  holds: ({ owner }) => owner?.status === OWNER_NOT_FOUND,
  jsonata: `$owner.status = ${literal(OWNER_NOT_FOUND)}`,
};

/** True where the owner has succeeded, so that its record has been written meanwhile. */
export const HAS_SUCCEEDED: Condition = {
  holds: ({ owner }) => owner?.status === 'SUCCEEDED',
  jsonata: "$owner.status = 'SUCCEEDED'",
};

/**
 * Until when the business step that the owner called may be running, epoch milliseconds; undefined: it has not ended.
 * The owner may have run another definition: the record tells how long its step may take, and the longer time counts.
 */
export function stepEndsBy({ record, owner }: Facts, stepTimeoutSeconds: number): number | undefined {
  return owner?.stopDate === undefined ? undefined : owner.stopDate + stepMs(record, stepTimeoutSeconds);
}

/** JSONata of how many seconds the business step may be running after its owner's end: the same longer time. */
export function ownersStepSeconds(stepTimeoutSeconds: number): string {
  const recorded = `$record.${RECORD.stepTimeout}.N`;
  return `$max([${stepTimeoutSeconds}, $exists(${recorded}) ? $number(${recorded}) : 0])`;
}

const stepMs = (record: JudgedRecord | undefined, seconds: number) =>
  Math.max(seconds, record?.stepTimeout ?? 0) * 1000;

/** True where the business step that the owner called may still be running: it ended too short a time ago. */
export function mayStillBeRunning(stepTimeoutSeconds: number): Condition {
  const seconds = ownersStepSeconds(stepTimeoutSeconds);
  return {
    holds: facts => facts.now < (stepEndsBy(facts, stepTimeoutSeconds) ?? -Infinity),
    jsonata: `$exists($owner.stopDate) and $millis() < $toMillis($owner.stopDate) + ${seconds} * 1000`,
  };
}

/** True where a claim is so young that its step could be running even if the owner had died at once: nothing is due. */
export function isWithinTheStepsTime(stepTimeoutSeconds: number): Condition {
  const claimedAt = `$record.${RECORD.claimedAt}`;
  const seconds = ownersStepSeconds(stepTimeoutSeconds);
  return {
    holds: ({ record, now }) =>
      now < Date.parse(record?.claimedAt ?? '') + stepMs(record, stepTimeoutSeconds),
    jsonata: `$exists(${claimedAt}) and $millis() < $toMillis(${claimedAt}.S) + ${seconds} * 1000`,
  };
}

/** True where the owner has failed. */
export const HAS_FAILED: Condition = {
  holds: ({ owner }) => owner?.status === 'FAILED',
  jsonata: "$owner.status = 'FAILED'",
};

/** True where the owner has failed, and nobody has said with which error. */
export const IS_ERROR_MISSING: Condition = {
  holds: facts => HAS_FAILED.holds(facts) && facts.owner?.error === undefined,
  jsonata: `${HAS_FAILED.jsonata} and $not($exists($owner.error))`,
};

/** True where the owner gave its claim up in a Fail state before the step, to which a redrive would bring it again. */
export const GAVE_UP: Condition = {
  holds: facts => HAS_FAILED.holds(facts) && GIVEN_UP_BEFORE_THE_STEP.some(e => e === facts.owner?.error),
  jsonata: `${HAS_FAILED.jsonata} and $owner.error in ${literals(GIVEN_UP_BEFORE_THE_STEP)}`,
};

/** True where the owner has been redriven, by whomever, as often as deliveries redrive one. */
export function isRedrivenTooOften(maxRedrives: number): Condition {
  return {
    holds: ({ owner }) => (owner?.redriveCount ?? 0) >= maxRedrives,
    jsonata: `$max([0, $owner.redriveCount]) >= ${maxRedrives}`,
  };
}

/** True where the owner can go on where it stopped. */
export const IS_REDRIVABLE: Condition = {
  holds: ({ owner }) => owner?.redriveStatus === 'REDRIVABLE',
  jsonata: "$owner.redriveStatus = 'REDRIVABLE'",
};

/** True if the owner can never resume: Step Functions does not know it any more, or says that it cannot be redriven. */
export const CAN_NEVER_GO_ON: Condition = {
  holds: facts => IS_UNKNOWN.holds(facts) || facts.owner?.redriveStatus === 'NOT_REDRIVABLE',
  jsonata: `(${IS_UNKNOWN.jsonata} or $owner.redriveStatus = 'NOT_REDRIVABLE')`,
};
