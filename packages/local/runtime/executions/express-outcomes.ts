import type { HistoryEvent } from '../../engine/index';
import type { StoredExecution } from '../store/store';

/** Whether an event is a call of StartExecution, or reports that an execution was started. */
export function isOfStart({ type, resource }: HistoryEvent): boolean {
  // `.sync` reports its execution when it is submitted.
  const isPart = type === 'TaskScheduled' || type === 'TaskSucceeded' || type === 'TaskSubmitted';
  return isPart && resource?.startsWith('startExecution') === true;
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

/** A start by an Express execution that found its name in use, by an execution of the same input or of another one. */
export interface RepeatedStart extends Pick<ExpressOutcome, 'executionArn' | 'startDate' | 'status'> {
  /** Without its long texts. */
  readonly output: unknown;
  /** The execution with the name. */
  readonly namedExecutionArn: string;
  /** The executions that the same Express execution has started. */
  readonly newExecutionArns: readonly string[];
}

/** Outcomes that are remembered; older ones are forgotten. */
const OUTCOMES_MAX = 1000;
/** Repeated starts that are remembered: as many as there are ended executions by default. */
const REPEATED_MAX = 25_000;
/** The length of a text that is kept of an output. */
const TEXT_MAX = 500;

/** The outcomes of the Express executions that ended last. */
export class ExpressOutcomes {
  readonly #outcomes = new Map<string, ExpressOutcome>();
  /** The executions that they have started last: two starts of one can come at the same time. */
  readonly #started = new Set<string>();
  readonly #repeated: RepeatedStart[] = [];

  /** Adds how an execution has ended, and forgets the oldest where there are too many. */
  add(stored: StoredExecution): void {
    const outcome = outcomeOf(stored);
    this.#addRepeated(outcome, stored.history);
    this.#outcomes.set(outcome.executionArn, outcome);
    if (this.#outcomes.size > OUTCOMES_MAX) this.#outcomes.delete(first(this.#outcomes.keys()));
  }

  #addRepeated(outcome: ExpressOutcome, history: readonly HistoryEvent[]): void {
    const newExecutionArns = newIn(history).filter(arn => !this.#started.has(arn));
    for (const arn of newExecutionArns) this.#started.add(arn);
    while (this.#started.size > REPEATED_MAX) this.#started.delete(first(this.#started));
    const { executionArn, startDate, status } = outcome;
    const named = [...namedIn(history)].filter(arn => !newExecutionArns.includes(arn));
    const output = named.length === 0 ? undefined : withoutLongTexts(outcome.output);
    for (const namedExecutionArn of named)
      this.#repeated.push({ executionArn, startDate, status, output, namedExecutionArn, newExecutionArns });
    while (this.#repeated.length > REPEATED_MAX) this.#repeated.shift();
  }

  /** The starts that found their name in use, in the order in which they ended. */
  get repeated(): readonly RepeatedStart[] {
    return this.#repeated;
  }

  /** All that are remembered, in the order in which they ended. */
  list(): readonly ExpressOutcome[] {
    return [...this.#outcomes.values()];
  }

  find(executionArn: string): ExpressOutcome | undefined {
    return this.#outcomes.get(executionArn);
  }
}

function withoutLongTexts(json = 'null'): unknown {
  return JSON.parse(json, (_, value) =>
    typeof value === 'string' && value.length > TEXT_MAX ? undefined : value,
  );
}

function first(texts: Iterable<string>): string {
  const [text = ''] = texts;
  return text;
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
    startedExecutionArns: [...new Set(history.flatMap(startedBy))],
  };
}

function startedBy({ output }: HistoryEvent): string[] {
  if (output === undefined) return [];
  const { ExecutionArn } = JSON.parse(output) as { readonly ExecutionArn?: unknown };
  return typeof ExecutionArn === 'string' ? [ExecutionArn] : [];
}

/** The executions that StartExecution calls have started: each began after its call. */
function newIn(history: readonly HistoryEvent[]): string[] {
  return history.flatMap(event => {
    const { StartDate } = JSON.parse(event.output ?? '{}') as { readonly StartDate?: unknown };
    const at = typeof StartDate === 'number' ? StartDate : Date.parse(String(StartDate));
    // The event between, which says that the call was made, is not held.
    const call = history.find(({ id }) => id === event.previousEventId - 1);
    return at < (call?.timestamp ?? 0) ? [] : startedBy(event);
  });
}

/** The executions that StartExecution calls would start, also if a call fails: each once. */
function namedIn(history: readonly HistoryEvent[]): ReadonlySet<string> {
  const named = history.flatMap(({ parameters = '{}' }) => {
    const { StateMachineArn, Name } = JSON.parse(parameters) as Readonly<Record<string, unknown>>;
    if (typeof StateMachineArn !== 'string' || typeof Name !== 'string') return [];
    return [`${StateMachineArn.replace(':stateMachine:', ':execution:')}:${Name}`];
  });
  return new Set(named);
}
