import { FilterPattern, type ILogGroupRef, type JsonPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { IStateMachine, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { ERROR, type ErrorName } from '../../state-machine/contract/error-names';
import { RECOVERY_SUFFIX, REDELIVERY_SUFFIX } from '../../state-machine/contract/execution-name';
import {
  SENDS_AFTER_THE_STEP,
  SENDS_BEFORE_THE_STEP,
  STATE,
  type StateName,
} from '../../state-machine/contract/state-names';
import { NAME_TAKEN } from '../../state-machine/tasks/aws-error-names';

/** Lines of one of these types. */
function ofType(...types: readonly string[]): JsonPattern {
  return FilterPattern.any(...types.map(type => FilterPattern.stringValue('$.type', '=', type)));
}

/** Lines about one of the workflow's states. */
function ofState(...names: readonly StateName[]): JsonPattern {
  return FilterPattern.any(...names.map(name => FilterPattern.stringValue('$.details.name', '=', name)));
}

/** The end of an execution with an error of this name; `*` stands for any text. */
function endedWith(error: string): JsonPattern {
  return FilterPattern.all(
    FilterPattern.stringValue('$.type', '=', 'ExecutionFailed'),
    FilterPattern.stringValue('$.details.error', '=', error),
  );
}

const REJECTED = {
  InProgress: ERROR.inProgress,
  PayloadMismatch: ERROR.payloadMismatch,
  InvalidEvent: ERROR.invalidEvent,
  ForeignRecord: ERROR.foreignRecord,
  ResultUnavailable: ERROR.resultUnavailable,
  ClaimLost: ERROR.claimLost,
  InDoubt: ERROR.inDoubt,
} as const satisfies Readonly<Record<string, ErrorName>>;

/**
 * The errors `Idempotency.*` that a workflow ends with, by the name of the metric that counts them.
 *
 * @example
 * workflow.metricRejected('PayloadMismatch')
 */
export type RejectionCount = keyof typeof REJECTED;

/** The name of a metric that the log of a workflow is counted by. */
export type LogCount = RejectionCount | keyof typeof OTHERS | keyof typeof NOTICES | typeof START_RETRIES;

const OTHERS = {
  // All of the above.
  Rejected: endedWith('Idempotency.*'),
  Failed: ofType('ExecutionFailed'),
  CutOff: ofType('ExecutionAborted', 'ExecutionTimedOut'),
  Succeeded: ofType('ExecutionSucceeded'),
  // A Task is also left by a catcher: to the other way to write the result, or to the end of a lost claim.
  Finalized: FilterPattern.all(ofType('TaskStateExited'), ofState(STATE.completed, STATE.resultElsewhere)),
  ResultsElsewhere: FilterPattern.all(ofType('TaskStateEntered'), ofState(STATE.resultElsewhere)),
  LostClaims: FilterPattern.all(ofType('FailStateEntered'), ofState(STATE.claimLost)),
  // A step's own error has any name: the state tells it apart.
  StepFailures: FilterPattern.all(ofType('FailStateEntered'), ofState(STATE.stepFailed)),
  StoredFailures: FilterPattern.all(ofType('FailStateEntered'), ofState(STATE.returnFailure)),
  StepRuns: FilterPattern.all(ofType('TaskStateEntered', 'ParallelStateEntered'), ofState(STATE.step)),
  // What recovery starts is named after the execution that it recovers.
  Recoveries: FilterPattern.all(
    ofType('ExecutionStarted'),
    FilterPattern.regexValue('$.execution_arn', '=', `${RECOVERY_SUFFIX}$`),
  ),
  Redeliveries: FilterPattern.all(
    ofType('ExecutionStarted'),
    FilterPattern.regexValue('$.execution_arn', '=', `${REDELIVERY_SUFFIX}$`),
  ),
  Held: FilterPattern.all(ofType('TaskStateExited'), ofState(STATE.inDoubt, STATE.ownerInDoubt)),
  Takeovers: FilterPattern.all(ofType('TaskStateExited'), ofState(STATE.takeOver)),
} as const;

/** The count that differs if results may be in a bucket. */
const RESULTS = {
  Finalized: FilterPattern.all(
    ofType('TaskStateExited'),
    ofState(STATE.completed, STATE.resultStored, STATE.resultElsewhere),
  ),
} as const;

/** The count if there is a destination for failures. */
const NOTICES = {
  // No catcher catches the error of a send: the state is left only after a successful send.
  NoticesSent: FilterPattern.all(
    ofType('TaskStateExited'),
    ofState(...SENDS_BEFORE_THE_STEP, ...SENDS_AFTER_THE_STEP),
  ),
  NoticesUnsent: FilterPattern.any(endedWith('SQS.*'), endedWith('EventBridge.*')),
} as const;

/** The count in the log of a dispatcher, whose calls are tried again: every call that failed. */
export const START_RETRIES = 'StartRetries';

/** The namespace of a workflow's own metrics: by the name of its state machine, which no other has in the region. */
export function namespaceOf(stateMachine: IStateMachine & { readonly stateMachineName: string }): string {
  return `Onceflow/${stateMachine.stateMachineName}`;
}

/** Whose log is counted, and the options by which it logs more. */
interface Counted {
  readonly stateMachine: StateMachine;
  readonly onFailure?: unknown;
  readonly results?: unknown;
}

/**
 * Counts what a workflow logs at level ALL, its notices if it has a destination for them. A metric has data, and a
 * price, if its lines come.
 */
export function countWorkflowLog(
  scope: Construct,
  logGroup: ILogGroupRef,
  { stateMachine, onFailure, results }: Counted,
): void {
  const rejections = Object.entries(REJECTED).map(([name, error]) => [name, endedWith(error)] as const);
  const metricNamespace = namespaceOf(stateMachine);
  const others = {
    ...OTHERS,
    ...(results !== undefined && RESULTS),
    ...(onFailure !== undefined && NOTICES),
  };
  const counted = [...rejections, ...Object.entries(others)];
  for (const [metricName, filterPattern] of counted) {
    new MetricFilter(scope, `Count${metricName}`, { logGroup, metricNamespace, metricName, filterPattern });
  }
}

/** Counts what a dispatcher logs at level ERROR. */
export function countDispatcherLog(scope: Construct, logGroup: ILogGroupRef, metricNamespace: string): void {
  const failed = FilterPattern.all(
    ofType('TaskFailed'),
    ...NAME_TAKEN.map(name => FilterPattern.stringValue('$.details.error', '!=', name)),
  );
  new MetricFilter(scope, `Count${START_RETRIES}`, {
    logGroup,
    metricNamespace,
    metricName: START_RETRIES,
    filterPattern: FilterPattern.any(ofType('TaskTimedOut'), failed),
  });
}
