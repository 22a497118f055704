/** What distinguishes one workflow's judgement from another's. */
export interface Variant {
  /** True where a payload is compared. */
  readonly hasPayload: boolean;
  readonly isAtMostOnce: boolean;
  /** True where a failed step is the answer for later deliveries, instead of being run again. */
  readonly returnsStoredFailure: boolean;
  /** The errors that are such an answer; undefined: all. */
  readonly returnedErrors?: readonly string[] | undefined;
  /** True for an Express workflow, whose owners cannot be asked about. */
  readonly isExpress: boolean;
  /** True where the states are a part of a state machine that does more than this. */
  readonly isFragment: boolean;
  /** True where results that a record does not hold are in a bucket. */
  readonly storesResults: boolean;
  /** For how long the business step may be running after its execution has ended. */
  readonly stepTimeoutSeconds: number;
  /** True if recovery decides about owners that ended: a delivery starts it. */
  readonly hasRecovery: boolean;
  /** How often one owner is redriven. */
  readonly maxRedrives: number;
  /** The names of state machines whose executions are owners as its own are: those that the workflow had before. */
  readonly formerStateMachines: readonly string[];
  /** What the table calls a record's expiry. */
  readonly timeToLiveAttribute: string;
}

/** What a dispatcher's judgement depends on. */
export interface DispatchVariant
  extends Pick<Variant, 'hasPayload' | 'hasRecovery' | 'formerStateMachines' | 'timeToLiveAttribute'> {
  /** Of an Express workflow, which is run, and does not know names. @default - a Standard one */
  readonly isExpress?: boolean;
  readonly returnsStoredFailure?: boolean;
  readonly returnedErrors?: readonly string[] | undefined;
  /** The ARN of the workflow's state machine. */
  readonly stateMachineArn: string;
}
