import { ERROR } from '../contract/error-names';
import {
  NAME_LENGTH_MAX,
  RECOVERY_SUFFIX,
  RECOVERY_SUFFIX_LENGTH,
  SUFFIX_LENGTH,
} from '../contract/execution-name';
import { beginning, expression, literal, numberIn, parsed } from '../contract/jsonata';

// The input of recovery is `{detail, workflowArn}`: the detail of a status change, or what is known of it, and where an
// event is delivered again. From a delivery it is `{detail: {executionArn}, deliveryArn, workflowArn}`, and from a
// search `{executions, workflowArn}`, with a detail for each.

const DETAIL = '$states.input.detail';

/** The input without the first execution of the list. */
export const WITHOUT_FIRST = expression(
  "{'executions': [$filter($states.input.executions, function($one, $at) { $at > 0 })], " +
    "'workflowArn': $states.input.workflowArn}",
);

/** JSONata of the recoveries in place of which this one runs, because they were interrupted. */
export const REPLACED = '($exists($replaced) ? $replaced : [])';

/** The variables behind the input of a recovery that was interrupted. */
export const REPLACES = {
  replaced: expression(`$append(${REPLACED}, [${DETAIL}.executionArn])`),
};

export const PARSED_INPUT = expression(parsed(`${DETAIL}.input`));

const OWN_NAME = `$replace(${DETAIL}.executionArn, /^.*:/, '')`;

/** How often the event had been delivered again when the execution was started: 0 if recovery has not started it. */
const EARLIER_TOLD =
  // Its own ending alone: what stands before may be any key, such as `account-recovery-4711-mail`.
  numberIn(OWN_NAME, RECOVERY_SUFFIX);

/** What stands in front of the endings of names: of its own, and of those under which its input is delivered again. */
const FRONT =
  `( $own := $replace(${OWN_NAME}, /(?:${RECOVERY_SUFFIX}|-[0-9a-f]{${SUFFIX_LENGTH}})$/, ''); ` +
  `${beginning('$own', NAME_LENGTH_MAX - RECOVERY_SUFFIX_LENGTH)} )`;

/** Why recovery gives up, unless something else is known: the execution fails whatever is done. */
const FAILS_AGAIN =
  'the execution failed again and again; look at its error, and redrive it when that is fixed';

/** Keeps why recovery gives up, and the error that it tells, for its last states. */
export function because(reason: string) {
  return { assign: { heldFor: ERROR.recoveryGivenUp, reason: expression(literal(reason)) } };
}

/**
 * The variables that tell of the execution. Dates are in epoch milliseconds; `endedAt` is 0 if it is not known yet when
 * the execution ended. `redrivesBefore` tells for which of its ends this recovery was started.
 */
export const KNOWN = {
  owner: expression(
    `{${['executionArn', 'status', 'error', 'startDate', 'stopDate', 'redriveCount'].map(name => `'${name}': ${DETAIL}.${name}`).join(', ')}}`,
  ),
  input: expression(`${DETAIL}.input`),
  workflowArn: expression('$states.input.workflowArn'),
  endedAt: expression(`$max([0, ${DETAIL}.stopDate])`),
  redrivesBefore: expression(`$max([0, ${DETAIL}.redriveCount])`),
  includedData: 'ALL_DATA',
  acts: 0,
  actedAt: 0,
  unknownAt: 0,
  isAsked: false,
  isCalled: expression('$exists($states.input.deliveryArn)'),
  deliveries: 0,
  record: {},
  earlier: expression(EARLIER_TOLD),
  front: expression(FRONT),
  ...because(FAILS_AGAIN).assign,
};

/** Why recovery gives up: the input of the execution is not known. */
export const UNREADABLE = 'the input of the execution cannot be read; redrive it, or deliver its event again';

/** Why recovery gives up: Step Functions no longer knows the execution. */
export const UNKNOWN = 'Step Functions no longer knows the execution; deliver its event again';

/** Why recovery gives up: the answers about the execution are older than the event of its end. */
export const BEHIND =
  'Step Functions describes the execution as it was before its end; check it, and deliver its event again';
