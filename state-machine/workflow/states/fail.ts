import { Token } from 'aws-cdk-lib';
import { Fail, type State } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { ERROR, type ErrorName } from '../../contract/error-names';
import { expression, literal } from '../../contract/jsonata';
import { RECORD, STATUS } from '../../contract/record';
import { STATE, type StateName } from '../../contract/state-names';
import { isPath } from '../../expression/key-expressions';
import { differingFields } from '../../jsonata/kept-payload';
import { PASS_INPUT_ON, type Settings } from '../../settings';
import { evaluate } from '../../tasks/evaluate';

/** The end of a delivery that is rejected for good, and what it says: a notice says the same. */
export interface Rejection {
  readonly end: Fail;
  readonly error: ErrorName;
  /** JSONata of the cause, a text; it names the key and fields, never a value of the payload. */
  readonly cause: string;
}

function rejection(
  scope: Construct,
  id: StateName,
  { comment, ...told }: { readonly comment: string } & Omit<Rejection, 'end'>,
): Rejection {
  const end = Fail.jsonata(scope, id, { comment, error: told.error, cause: expression(told.cause) });
  return { ...told, end };
}

/** Rejects an event whose key or payload could not be evaluated. Names the expressions, which the team wrote. */
export function invalidEvent(scope: Construct, { key, payload }: Settings): Rejection {
  const parts = key.parts.map(({ jsonata }) => jsonata);
  return rejection(scope, STATE.invalidEvent, {
    comment: 'The event has no usable key or payload: delivering it again does not help',
    error: ERROR.invalidEvent,
    cause: causeText(
      'the event has no valid idempotency key (a text that is not empty, a whole number up to 2^53 - 1, or a list of ' +
        'these), or no payload that can be hashed in a second: correct the event or the expression',
      {
        ...WHY,
        keyExpression: literal(inWords(parts)),
        ...(key.kind !== 'payload' &&
          key.parts.every(isPath) && { keyType: parts.map(TYPE_OF).join(" & ', ' & ") }),
        ...(payload !== undefined && { payloadExpression: literal(inWords([payload])) }),
      },
    ),
  });
}

/** Rejects a key that has a record of another workflow, or in a form that this version does not know. */
export function foreignRecord(scope: Construct): Rejection {
  const cause = causeText(
    "the record of the idempotency key is another workflow's: give each a scope of its own, or list the former name " +
      'in formerStateMachines; if it has the attribute form, deploy the later version that wrote it',
    RECORD_FACTS,
  );
  return rejection(scope, STATE.foreignRecord, {
    comment:
      "The record is another workflow's, on the same table and scope: nothing is run, and nothing written",
    error: ERROR.foreignRecord,
    cause,
  });
}

/**
 * Rejects a key that comes again with another payload, whatever became of the first. If payloads are kept,
 * {@link nameFields} comes before: then the cause names the fields that differ.
 */
export function payloadMismatch(scope: Construct, { keptPayload }: Settings): Rejection {
  const named = keptPayload !== undefined && { differingFields: "$lookup($differing, 'fields')" };
  const cause = causeText(
    'the idempotency key was used before with another payload: compare the inputs of both executions',
    { ...RECORD_FACTS, ...named },
  );
  return rejection(scope, STATE.payloadMismatch, {
    comment: 'The key was used before with another payload: delivering it again does not help',
    error: ERROR.payloadMismatch,
    cause,
  });
}

/** Names the fields that differ before it reports a mismatch: if the evaluation fails, the cause names none. */
export function nameFields(scope: Construct, { keptPayload }: Settings, next: State): State {
  if (keptPayload === undefined) return next;
  const name = evaluate(scope, STATE.nameFields, {
    comment: 'Names, and no values; none if they are not known',
    outputs: PASS_INPUT_ON,
    steps: [{ outputs: expression(`{'fields': ${differingFields(keptPayload)}}`) }],
    assign: { differing: expression('$states.result[0]') },
  });
  name.addCatch(next, { assign: { differing: {} }, outputs: PASS_INPUT_ON });
  name.next(next);
  return name;
}

/** Ends a delivery while another execution owns the key. */
export function inProgress(scope: Construct, isFragment: boolean): Fail {
  return rejectedInProgress(scope, {
    ...(isFragment && { redriveError: '$redriveError' }),
    serviceError: '$serviceError',
  });
}

/** The same for a delivery that has waited: an error from before its last wait, emptied there, is left out. */
export function inProgressAfterWaits(scope: Construct, isFragment: boolean): Fail {
  const unlessEmpty = (name: string) => `$exists(${name}) and $not(${name} = '') ? ${name}`;
  return rejectedInProgress(scope, {
    ...(isFragment && { redriveError: unlessEmpty('$redriveError') }),
    serviceError: unlessEmpty('$serviceError'),
  });
}

function rejectedInProgress(scope: Construct, errors: Readonly<Record<string, string>>): Fail {
  const cause = causeExpression('another execution owns the idempotency key and has not finished', {
    ...RECORD_FACTS,
    ...errors,
  });
  return Fail.jsonata(scope, STATE.inProgress, {
    comment: 'Another execution owns the key and has not finished: deliver the event again later',
    error: ERROR.inProgress,
    cause,
  });
}

/** Ends a delivery to a team's machine whose owner has been redriven as often as deliveries may redrive one. */
export function redrivesExhausted(scope: Construct): Fail {
  const cause = causeExpression(
    'the execution that owns the idempotency key failed again after each redrive: find out why, then redrive it ' +
      'manually, or release the key',
    { ...RECORD_FACTS, ownerStatus: '$owner.status', redriveCount: '$owner.redriveCount' },
  );
  return Fail.jsonata(scope, STATE.redrivesExhausted, {
    comment: 'The owner failed again after each redrive: an operator redrives it, or releases the key',
    error: ERROR.redrivesExhausted,
    cause,
  });
}

/** Ends an execution whose step succeeded after its claim had been taken over. */
export function claimLost(scope: Construct): Fail {
  const cause = causeExpression(
    'the business step succeeded, but another execution has taken over the idempotency key and runs the step again: ' +
      'compare both executions',
    CLAIM_FACTS,
  );
  return Fail.jsonata(scope, STATE.claimLost, {
    comment:
      'The business step succeeded, but the record has another owner by now, which runs the step again',
    error: ERROR.claimLost,
    cause,
  });
}

/** Ends a duplicate whose result is in the owner's execution only, if it could not be read, or is not read. */
export function resultUnavailable(scope: Construct, { variant }: Settings): Fail {
  const message = variant.isFragment
    ? "the record cannot hold the result exactly; it is in the history of the owner's execution"
    : "the result is in the owner's output, which could not be read";
  const cause = causeExpression(message, RECORD_FACTS);
  return Fail.jsonata(scope, STATE.resultUnavailable, {
    comment:
      "The business step has run, but its result is in its owner's execution only, and cannot be read there",
    error: ERROR.resultUnavailable,
    cause,
  });
}

/** Ends a delivery whose record is held: with the error and the cause that the record has. */
export function heldForReview(scope: Construct, { variant }: Settings): Fail {
  const stored = `$parse($record.${RECORD.error}.S)`;
  // At most once, this execution may hold its own record, and the failure of an earlier definition may be in doubt.
  const error = `$exists($doubt) or $not($record.${RECORD.status}.S = ${literal(STATUS.held)}) ? ${literal(ERROR.inDoubt)} : ${stored}.Error`;
  const cause = `$parse($exists($doubt) ? $doubt : $record.${RECORD.error}.S).Cause`;
  return Fail.jsonata(scope, STATE.heldForReview, {
    comment: 'The record is held: an operator decides what becomes of the key',
    error: expression(variant.isAtMostOnce ? error : `${stored}.Error`),
    cause: expression(variant.isAtMostOnce ? cause : `${stored}.Cause`),
  });
}

/** Answers with the error of the business step that failed before. */
export function storedFailure(scope: Construct): Fail {
  return Fail.jsonata(scope, STATE.returnFailure, {
    comment: 'The business step has failed: answers with its error',
    error: expression('$parse($record.error.S).Error'),
    cause: expression('$parse($record.error.S).Cause'),
  });
}

/** Ends the execution with the business step's own error. */
export function businessStepFailed(scope: Construct): Fail {
  return Fail.jsonata(scope, STATE.stepFailed, {
    comment: 'The business step has failed: the execution ends with its error',
    error: expression('$failure.Error'),
    cause: expression('$failure.Cause'),
  });
}

/**
 * A Fail state's cause: JSON that an operator can act on. Names the key and who owns it, never the payload.
 *
 * `facts` are JSONata expressions by member name; one that is undefined is left out.
 */
function causeExpression(message: string, facts: Readonly<Record<string, string>> = {}): string {
  return expression(causeText(message, facts));
}

/** The same without `{% %}`. */
function causeText(message: string, facts: Readonly<Record<string, string>>): string {
  const members = Object.entries({ message: literal(message), ...facts });
  return `$string({${members.map(([name, jsonata]) => `${literal(name)}: ${jsonata}`).join(', ')}})`;
}

/** What a path reads. Other expressions are not evaluated again: one that fails would fail here too. */
const TYPE_OF = (path: string) => `[$type(${path}), 'nothing'][0]`;

/** Expressions as the team wrote them, cut where they would fill a screen, but never in a token of the CDK. */
function inWords(expressions: readonly string[]): string {
  const text = expressions.map(one => one.trim()).join(', ');
  const characters = [...text];
  return characters.length > EXPRESSION_MAX && !Token.isUnresolved(text)
    ? `${characters.slice(0, EXPRESSION_MAX).join('')}…`
    : text;
}

const EXPRESSION_MAX = 200;

/** Why an expression over the event could not be evaluated, if the service says that. */
const WHY = { reason: '$length($evaluationError) > 0 ? $evaluationError' } as const;

/** The facts of a cause about the record that was read. */
const RECORD_FACTS = {
  idempotencyKey: '$idempotencyKey',
  status: '$record.status.S',
  owner: '$record.owner.S',
  attempt: '$number($record.attempt.N)',
  claimedAt: '$record.claimedAt.S',
} as const;

/** The facts of a cause about this execution's own claim. */
const CLAIM_FACTS = { idempotencyKey: '$idempotencyKey', attempt: '$attempt' } as const;
