import { requireExecutionArn } from './arns';
import type { Clock } from './clock';
import { describe, type ExecutionDescription, type ExecutionSummary } from './descriptions';
import { StatesError } from './errors';
import { type ListExecutionsRequest, listExecutions } from './list-executions';
import type { Machines } from './machines';
import { type PageRequest, pageOf } from './pages';
import type { Starts } from './starts';
import type { Store, Stored } from './store';
import { type ToldEvent, toldEvent } from './told-event';

/** What GetExecutionHistory takes. */
export interface HistoryRequest extends PageRequest {
  readonly executionArn: string;
  readonly reverseOrder?: boolean;
  /** @default true */
  readonly includeExecutionData?: boolean;
}

/** What queries read from. */
export interface QueryPorts {
  readonly clock: Clock;
  readonly store: Store;
  readonly machines: Machines;
  readonly starts: Starts;
}

/** Answers questions about Standard executions. One that is being created is waited for, and not listed yet. */
export class Queries {
  readonly #ports: QueryPorts;

  constructor(ports: QueryPorts) {
    this.#ports = ports;
  }

  /** What is known of an execution. @throws StatesError `InvalidArn`, `ExecutionDoesNotExist`. */
  stored(executionArn: string): Stored {
    const stored = this.#ports.store.find(executionArn);
    if (stored) return stored;
    requireExecutionArn(executionArn);
    throw new StatesError('ExecutionDoesNotExist', `Execution Does Not Exist: '${executionArn}'`);
  }

  /** The same for an execution that may still be on its way. @throws StatesError as `stored`. */
  async settled(executionArn: string): Promise<Stored> {
    await this.#ports.starts.pending(executionArn);
    return this.stored(executionArn);
  }

  /** DescribeExecution as it is now. @throws StatesError as `stored`. */
  described(executionArn: string): ExecutionDescription {
    return describe(this.stored(executionArn), this.#ports.clock.now());
  }

  async history(request: HistoryRequest): Promise<{ events: readonly ToldEvent[]; nextToken?: string }> {
    const { history } = await this.settled(request.executionArn);
    const { items, ...more } = pageOf(history, request, { isNewestFirst: request.reverseOrder ?? false });
    const includeData = request.includeExecutionData ?? true;
    return { events: items.map(event => toldEvent(event, includeData)), ...more };
  }

  list(request: ListExecutionsRequest): {
    readonly executions: readonly ExecutionSummary[];
    readonly nextToken?: string;
  } {
    const { machines, store, starts } = this.#ports;
    const isKept = ({ execution }: Stored) => starts.pending(execution.arn) === undefined;
    const list = (machineArn: string) => store.list(machineArn).filter(isKept);
    return listExecutions(machines, { list }, request);
  }
}
