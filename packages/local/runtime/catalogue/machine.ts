import type { Machine } from '../../engine/execution';

/** What decides how executions behave: kept for a year with a history, or short and told of only in their answer. */
export type MachineType = 'STANDARD' | 'EXPRESS';

/** What is logged, as CreateStateMachine takes it. Kept and told; nothing is logged here. */
export interface LoggingConfiguration {
  readonly level: 'ALL' | 'ERROR' | 'FATAL' | 'OFF';
  readonly includeExecutionData: boolean;
  readonly destinations?: readonly LogDestination[];
}

/** Where logs go. */
export interface LogDestination {
  readonly cloudWatchLogsLogGroup?: { readonly logGroupArn?: string };
}

/** Whether executions are traced. Kept and told; nothing is traced here. */
export interface TracingConfiguration {
  readonly enabled: boolean;
}

/**
 * One revision of a machine, with the text it was made of: never changes, so an execution keeps the one it was started
 * with. Times are epoch milliseconds.
 */
export interface RegisteredMachine extends Machine {
  readonly definitionText: string;
  readonly type: MachineType;
  /** When the machine was created, not the revision. */
  readonly creationDate: number;
  /** When the revision came about. */
  readonly updateDate: number;
  /** Absent until the first update. */
  readonly revisionId?: string;
  readonly loggingConfiguration: LoggingConfiguration;
  readonly tracingConfiguration: TracingConfiguration;
}

/** What the ARN of a machine, a version or an alias stands for at one moment. */
export interface MachineChoice {
  readonly machine: RegisteredMachine;
  /** Present where the ARN names a version, or an alias that chose one. */
  readonly versionArn?: string;
  readonly aliasArn?: string;
}
