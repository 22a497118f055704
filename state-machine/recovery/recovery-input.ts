import { and, expression, literal, parsed } from '../contract/jsonata';

// What recovery is given: the detail of a status change, `{executionArn}`, or `{executions}`, several of these.

/** True where a search has found several executions. */
export const HAS_SEVERAL = '$exists($states.input.executions)';

/** True where the execution goes on, or has succeeded. */
export const IS_NO_DEATH =
  "$exists($states.input.status) and $not($states.input.status in ['FAILED', 'TIMED_OUT', 'ABORTED'])";

/** True where the input of the execution is known. */
export const HAS_INPUT = "$type($states.input.input) = 'string'";

/** True where Step Functions has been asked about the execution. */
export const IS_ASKED = '$exists($states.input.isAsked)';

/** True for an execution of the very state machine that this is in: a recovery that was cut off. */
export const IS_A_RECOVERY = and(
  '$states.input.stateMachineArn = $states.context.StateMachine.Id',
  HAS_INPUT,
);

/** What the execution was given. */
export const PARSED_INPUT = expression(parsed('$states.input.input'));

/** The variables that tell of the execution, with more of what is told. Dates are in epoch milliseconds. */
export function factsOf(more: readonly string[] = []): {
  readonly execution: string;
  readonly input: string;
} {
  const told = ['executionArn', 'name', 'startDate', 'stopDate', 'redriveCount', ...more];
  return {
    execution: expression(`{${told.map(member => `'${member}': $states.input.${member}`).join(', ')}}`),
    input: expression('$states.input.input'),
  };
}

/** Why recovery gives up: the execution tells no input. */
export const UNREADABLE = 'the input of the execution cannot be read; redrive it, or deliver its event again';

/** Why recovery gives up: the execution is older than Step Functions remembers. */
export const UNKNOWN = 'Step Functions does not know the execution any more; deliver its event again';

/** Why recovery gives up: what it is told of the execution is behind what it knows. */
export const BEHIND =
  'Step Functions tells of the execution as it was before its end; look at it, and deliver its event again';

/** Keeps why recovery gives up for its last state. */
export function because(reason: string): { readonly assign: { readonly reason: string } } {
  return { assign: { reason: expression(literal(reason)) } };
}
