import { requireExecutionArn } from './arns';
import type { Clock } from './clock';
import { describe, type ExecutionDescription, type ExecutionSummary } from './descriptions';
import { StatesError } from './errors';
import { type ListExecutionsRequest, listExecutions } from './list-executions';
import type { Machines } from './machines';
import type { Starts } from './starts';
import type { ListedExecution, Store, StoredExecution } from './store';

/** What queries read from. */
export interface QueryPorts {
  readonly clock: Clock;
  readonly store: Store;
  readonly machines: Machines;
  readonly starts: Starts;
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

  /** The same once the execution is created, where that is still going on. @throws StatesError as `stored`. */
  async settled(executionArn: string): Promise<StoredExecution> {
    await this.#ports.starts.pending(executionArn);
    return this.stored(executionArn);
  }

  /** DescribeExecution as it is now. @throws StatesError as `stored`. */
  described(executionArn: string): ExecutionDescription {
    return describe(this.stored(executionArn), this.#ports.clock.now());
  }

  /** ListExecutions: those of one machine, newest first. */
  list(request: ListExecutionsRequest): {
    readonly executions: readonly ExecutionSummary[];
    readonly nextToken?: string;
  } {
    const { machines, store, starts } = this.#ports;
    const isVisible = ({ execution }: ListedExecution) => starts.pending(execution.arn) === undefined;
    const list = (machineArn: string) => store.list(machineArn).filter(isVisible);
    return listExecutions(machines, { list }, request);
  }
}
