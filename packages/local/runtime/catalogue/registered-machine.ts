import type { Machine, Started } from '../../engine/index';

/** Standard executions have a history and may run for a year; Express ones are short and return only their answer. */
export type MachineType = 'STANDARD' | 'EXPRESS';

/** The logging configuration, as CreateStateMachine takes it. */
export interface LoggingConfiguration {
  readonly level: 'ALL' | 'ERROR' | 'FATAL' | 'OFF';
  readonly includeExecutionData: boolean;
  readonly destinations?: readonly LogDestination[];
}

/** Where logs go. */
export interface LogDestination {
  readonly cloudWatchLogsLogGroup?: { readonly logGroupArn?: string };
}

/** Whether executions are traced. Stored and returned; nothing is traced here. */
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
  /** When the revision was created. */
  readonly updateDate: number;
  /** Absent until the first update. */
  readonly revisionId?: string;
  readonly loggingConfiguration: LoggingConfiguration;
  readonly tracingConfiguration: TracingConfiguration;
}

/** The revision that an ARN of a machine, a version or an alias names at one moment. */
export interface MachineChoice {
  readonly machine: RegisteredMachine;
  /** Present where the ARN names a version, or an alias that chose one. */
  readonly versionArn?: string;
  readonly aliasArn?: string;
  /** Present in executions of a Map Run, with how many items each is for. */
  readonly mapRun?: { readonly arn: string; readonly items: number };
}

/** The signal that starts an execution of it. */
export function startSignal({ versionArn, aliasArn }: MachineChoice): Started {
  if (versionArn === undefined) return STARTED;
  return { kind: 'started', versionArn, ...(aliasArn !== undefined && { aliasArn }) };
}

const STARTED: Started = { kind: 'started' };
