import type { DescribeExecutionOutput, HistoryEvent } from '@aws-sdk/client-sfn';
import type { EpochMs } from '../../state-machine/contract/index';
import type { Workflow } from '../aws/workflow';
import type { ExecutionHistory } from './history';
import type { Key } from './input/key';
import type { KeyRecord } from './record';
import type { StoppedDelivery } from './stopped-deliveries';

/** All that was read of a key, and nothing that was concluded from it. */
export interface KeyState {
  readonly workflow: Workflow;
  readonly key: Key;
  /** The key within the workflow's scope: the partition key of its record. */
  readonly recordKey: string;
  readonly record: KeyRecord | undefined;
  /** What Step Functions knows of the record's owner; undefined if there is no record. */
  readonly owner: OwnerState | undefined;
  /** The executions of the key; undefined if they were not asked for, or are not kept (Express). */
  readonly executions: FoundExecutions | undefined;
  /** Who recovers its executions; undefined if nothing is known to, or it was not asked for. */
  readonly recovery: KeyRecovery | undefined;
  /**
   * The runs of recovery for executions of the key that were running when something changed that no delivery did;
   * undefined if they cannot be read.
   */
  readonly recoveryRuns: readonly RecoveryRun[] | undefined;
  /** The deliveries that started nothing; undefined if they cannot be known, as on AWS. */
  readonly stopped?: readonly StoppedDelivery[] | undefined;
  /** When the record was read, by the clock of AWS. The owner was read after it. */
  readonly now: EpochMs;
}

/** The execution that a record names as its owner. */
export interface OwnerState {
  /** True for an Express execution: Step Functions cannot describe it, so there is nothing else. */
  readonly isExpress: boolean;
  /** Undefined where Step Functions does not know the execution. */
  readonly description: DescribeExecutionOutput | undefined;
  /** Undefined if it cannot be read, or does not matter. */
  readonly history: ExecutionHistory | undefined;
}

export interface FoundExecution {
  readonly executionArn: string;
  readonly description: DescribeExecutionOutput;
  /** All of its events. */
  readonly events: readonly HistoryEvent[];
  /** What these events say. */
  readonly history: ExecutionHistory;
}

/** Who recovers executions of a key that ended without finishing it. */
export interface KeyRecovery {
  /** The name of its state machine. */
  readonly stateMachine: string;
  /** The execution of it that a delivery of the key has started last, for the present owner. */
  readonly execution: Pick<DescribeExecutionOutput, 'executionArn' | 'status' | 'error'> | undefined;
}

/** An execution of recovery for an execution of a key. Times in epoch milliseconds. */
export interface RecoveryRun {
  readonly executionArn: string;
  readonly start: number;
  /** Undefined while it is running. */
  readonly stop: number | undefined;
}

/** What a search for a key's executions has found. */
export interface FoundExecutions {
  /** Oldest first. */
  readonly executions: readonly FoundExecution[];
  /** The execution that has the name of the key, and is not known to be of it: of another one, or of none. */
  readonly namesake: DescribeExecutionOutput | undefined;
  readonly searched: Searched;
}

/** What a search went through: that it found nothing proves nothing about the rest. */
export interface Searched {
  readonly since: Date;
  /** Executions whose names were seen; not all of them, if the list was too long. */
  readonly listed: number;
  readonly isListCutOff: boolean;
  /** Executions whose histories were opened. */
  readonly opened: number;
  /** Executions that were not opened, although any of them may be of the key. */
  readonly unopened: number;
  /** Executions that were opened, and whose histories do not say for which key they are. They are left out. */
  readonly undecided: number;
}
