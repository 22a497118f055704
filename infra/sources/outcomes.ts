import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { KeyAndPayload } from '../../state-machine/expression/same-in-each-delivery';
import type { IRecordTable } from '../../state-machine/settings';
import type { ResolvedTime } from '../../state-machine/template/resolved-time';
import { namesOfStateMachines } from '../../state-machine/template/state-machine-names';
import { executionArns } from '../cdk/own-executions';
import type { IdempotentWorkflowProps } from '../idempotent-workflow-props';

/** How a source finds out whether an execution that it started has finished its key. */
export interface Outcomes {
  readonly table: IRecordTable;
  /** What stands before the key in each record. */
  readonly recordScope: string;
  /** For how long the step may be at work: a key that is not finished then has failed, or takes more than a step. */
  readonly stepTimeout: ResolvedTime;
  /** How long the step takes at most, with all its retries. */
  readonly runTime: ResolvedTime;
  /** The workflow's own state machine. */
  readonly stateMachine: StateMachine;
  /** Whether recovery decides about executions that ended before their record was finished. */
  readonly isRecovered: boolean;
  /** The ARNs, as patterns, of all executions that may own a record of the workflow. */
  readonly executionArns: readonly string[];
  /** The names of the state machines that the workflow has had before. */
  readonly formerStateMachines: readonly string[];
  /** The expressions of its key and payload, parsed. */
  readonly keyAndPayload: KeyAndPayload;
  /** What the workflow itself makes of a key, a payload, a duplicate and a failure. */
  readonly options: Pick<
    IdempotentWorkflowProps,
    | 'executionNames'
    | 'keepPayload'
    | 'stepInput'
    | 'delivery'
    | 'onDuplicateInProgress'
    | 'onFailedBefore'
    | 'results'
  >;
}

/** The same of a workflow and its options. */
export function outcomesOf(
  options: Outcomes['options'] & Pick<IdempotentWorkflowProps, 'formerStateMachines'>,
  parts: Omit<Outcomes, 'options' | 'executionArns' | 'formerStateMachines'>,
): Outcomes {
  const { formerStateMachines } = options;
  return {
    ...parts,
    options,
    executionArns: executionArns(parts.stateMachine, formerStateMachines),
    formerStateMachines: namesOfStateMachines(formerStateMachines),
  };
}
