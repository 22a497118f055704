import type { HistoryEvent } from '../../engine/index';
import type { StoredExecution } from '../store/store';

/** Whether an event reports that an execution was started. */
export function reportsStart({ type, resource }: HistoryEvent): boolean {
  // `.sync` reports its execution when it is submitted.
  const isAnswer = type === 'TaskSucceeded' || type === 'TaskSubmitted';
  return isAnswer && resource?.startsWith('startExecution') === true;
}

/**
 * How an Express execution has ended. On AWS only its logs have this.
 *
 * @example
 * const failed = outcomes.filter(({ status }: ExpressOutcome) => status === 'FAILED');
 */
export interface ExpressOutcome {
  readonly executionArn: string;
  readonly stateMachineArn: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly startDate: number;
  /** JSON text. */
  readonly input: string;
  readonly status: 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT';
  /** JSON text; of an execution that has succeeded. */
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
  /** The executions that its StartExecution calls were answered with, each once, the earliest first. */
  readonly startedExecutionArns: readonly string[];
}

/** Outcomes that are remembered; older ones are forgotten. */
const OUTCOMES_MAX = 1000;

/** The outcomes of the Express executions that ended last. */
export class ExpressOutcomes {
  readonly #outcomes = new Map<string, ExpressOutcome>();

  /** Adds how an execution has ended, and forgets the oldest where there are too many. */
  add(stored: StoredExecution): void {
    this.#outcomes.set(stored.execution.arn, outcomeOf(stored));
    if (this.#outcomes.size <= OUTCOMES_MAX) return;
    for (const oldest of this.#outcomes.keys()) {
      this.#outcomes.delete(oldest);
      return;
    }
  }

  /** All that are remembered, in the order in which they ended. */
  list(): readonly ExpressOutcome[] {
    return [...this.#outcomes.values()];
  }

  find(executionArn: string): ExpressOutcome | undefined {
    return this.#outcomes.get(executionArn);
  }
}

function outcomeOf({ choice, execution, history }: StoredExecution): ExpressOutcome {
  const { arn, name, startedAt, input, status, end } = execution;
  return {
    executionArn: arn,
    stateMachineArn: choice.machine.arn,
    name,
    startDate: startedAt,
    input: input.text,
    // Only a bug of ours stops an Express execution.
    status: status === 'SUCCEEDED' || status === 'TIMED_OUT' ? status : 'FAILED',
    ...(end?.output && { output: end.output.text }),
    ...(end?.error === undefined ? {} : { error: end.error }),
    ...(end?.cause === undefined ? {} : { cause: end.cause }),
    startedExecutionArns: [...new Set(history.filter(reportsStart).flatMap(startedBy))],
  };
}

function startedBy({ output }: HistoryEvent): string[] {
  if (output === undefined) return [];
  const { ExecutionArn } = JSON.parse(output) as { readonly ExecutionArn?: unknown };
  return typeof ExecutionArn === 'string' ? [ExecutionArn] : [];
}
