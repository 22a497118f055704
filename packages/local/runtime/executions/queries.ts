import { requireExecutionArn } from '../requests/arns';
import { StatesError } from '../requests/errors';
import type { ListedExecution, Store, StoredExecution } from '../store/store';
import type { Clock } from '../time/clock';
import { describe, type ExecutionDescription } from './descriptions';
import type { StandardStarts } from './standard-starts';

/** What queries read from. */
export interface QueryPorts {
  readonly clock: Clock;
  readonly store: Store;
  readonly starts: StandardStarts;
}

/** Reads Standard executions. One that is being created is waited for, and not listed yet. */
export class Queries {
  readonly #ports: QueryPorts;

  constructor(ports: QueryPorts) {
    this.#ports = ports;
  }

  /** An execution with its history. @throws StatesError `InvalidArn`, `ExecutionDoesNotExist`. */
  stored(executionArn: string): StoredExecution {
    const stored = this.#ports.store.find(executionArn);
    if (stored) return stored;
    requireExecutionArn(executionArn);
    throw new StatesError('ExecutionDoesNotExist', `Execution Does Not Exist: '${executionArn}'`);
  }

  /** The same once the execution is created, if that is still going on. @throws StatesError as `stored`. */
  async settled(executionArn: string): Promise<StoredExecution> {
    await this.#ports.starts.pending(executionArn);
    return this.stored(executionArn);
  }

  /** DescribeExecution as it is now. @throws StatesError as `stored`. */
  described(executionArn: string): ExecutionDescription {
    return describe(this.stored(executionArn), this.#ports.clock.now());
  }

  /** The executions of a machine that have been created, the oldest first. */
  list(machineArn: string): readonly ListedExecution[] {
    const { store, starts } = this.#ports;
    return store.list(machineArn).filter(({ execution }) => starts.pending(execution.arn) === undefined);
  }
}
