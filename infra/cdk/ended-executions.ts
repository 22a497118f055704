import { EventField, type EventPattern, RuleTargetInput } from 'aws-cdk-lib/aws-events';

/** Which executions an event pattern selects. */
export interface EndedExecutions {
  /** The state machines, by their ARNs. */
  readonly stateMachineArns: readonly string[];
  /** How the executions ended. */
  readonly statuses: readonly ('FAILED' | 'TIMED_OUT' | 'ABORTED')[];
  /** Executions that ended with one of these errors are left out. */
  readonly exceptErrors: readonly string[];
}

/**
 * The event pattern of executions that have ended.
 *
 * AWS does not document that the event contains the error: an event without one, or with null, matches. `anything-but`
 * matches null. A null of its own is legal for EventBridge, but CloudFormation rejects a template with a null.
 */
export function endedExecutions({ stateMachineArns, statuses, exceptErrors }: EndedExecutions): EventPattern {
  return {
    source: ['aws.states'],
    detailType: ['Step Functions Execution Status Change'],
    detail: {
      stateMachineArn: [...stateMachineArns],
      status: [...statuses],
      error: [{ 'anything-but': [...exceptErrors] }, { exists: false }],
    },
  };
}

/**
 * The input of the state machine that such an event starts: its detail, and the ARN of the state machine to which an
 * event is delivered again. Not in the definition: that would make two state machines depend on each other.
 */
export function endedInput(workflowArn: string): RuleTargetInput {
  return RuleTargetInput.fromObject({ detail: EventField.fromPath('$.detail'), workflowArn });
}
