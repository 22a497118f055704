import type { Json } from '../json/json';
import type { Interceptor, ServiceCall, ServiceResult } from '../runtime/calls/service';
import type { ExecutionDescription } from '../runtime/executions/descriptions';
import type { LocalStack } from '../start-local';

/**
 * A call that a state machine has made, as its state sees it.
 *
 * @example
 * const claims = stack.calls.filter(({ stateName }) => stateName === 'Claim record');
 */
export interface RecordedCall extends ServiceCall {
  /** When it was made, in epoch milliseconds of the stack's clock. */
  readonly at: number;
  /** What the state was answered, faults included; undefined where no answer came. */
  readonly answer: ServiceResult | undefined;
}

/**
 * An execution, with its data read from JSON.
 *
 * @example
 * const { executions } = await stack.deliver(delivery);
 * expect(executions).toMatchObject([{ status: 'SUCCEEDED', redriveCount: 0 }]);
 */
export interface ExecutionOutcome {
  readonly executionArn: string;
  readonly name: string;
  /**
   * The construct path of the state machine, e.g. `Shop/Orders`. Of an execution of a distributed Map with the Map's
   * label behind it, as in its ARN: `Shop/Orders/Each`.
   */
  readonly stateMachine: string;
  readonly type: 'STANDARD' | 'EXPRESS';
  readonly status: ExecutionDescription['status'];
  readonly input: Json;
  /** Of one that has succeeded. */
  readonly output?: Json;
  readonly error?: string;
  readonly cause?: string;
  /** 0 of an Express execution. */
  readonly redriveCount: number;
}

/** The events in a stack between two moments. */
export interface Happenings {
  /** Every execution that was started, was redriven or has ended, in the order in which they were started. */
  readonly executions: readonly ExecutionOutcome[];
  /** Every call that state machines have made, in order. */
  readonly calls: readonly RecordedCall[];
}

/** Takes down what happens in a stack, from its start on. */
export class Recording {
  readonly #now: () => number;
  readonly #calls: RecordedCall[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Every call so far. */
  get calls(): readonly RecordedCall[] {
    return this.#calls;
  }

  /** Stands around all other interceptors. */
  readonly around =
    (inner: Interceptor): Interceptor =>
    async (call, next) => {
      const recorded: { -readonly [Name in keyof RecordedCall]: RecordedCall[Name] } = {
        ...call,
        at: this.#now(),
        answer: undefined,
      };
      this.#calls.push(recorded);
      recorded.answer = await inner(call, next);
      return recorded.answer;
    };

  /** Begins to take down; the function that is returned ends it and answers what has happened. */
  begin(stack: LocalStack): () => Promise<Happenings> {
    const { runtime } = stack;
    const first = this.#calls.length;
    const known = new Set(runtime.expressOutcomes.list().map(({ executionArn }) => executionArn));
    /** Standard executions, with how many calls there had been before. */
    const standard = new Map<string, number>();
    const unsubscribe = runtime.subscribe(({ execution: { executionArn } }) => {
      if (!standard.has(executionArn)) standard.set(executionArn, this.#calls.length);
    });
    return async () => {
      unsubscribe();
      const described = [...standard.keys()].map(executionArn => runtime.describeExecution({ executionArn }));
      const express = runtime.expressOutcomes.list().filter(({ executionArn }) => !known.has(executionArn));
      const executions = [
        ...(await Promise.all(described)).map(each => ({ ...each, type: 'STANDARD' as const })),
        ...express.map(outcome => ({ ...outcome, type: 'EXPRESS' as const, redriveCount: 0 })),
      ];
      const calls = this.#calls.slice(first);
      const places = new Map([...placesOf(calls, first), ...standard]);
      const placeOf = ({ executionArn }: { readonly executionArn: string }) =>
        places.get(executionArn) ?? Number.MAX_VALUE;
      executions.sort((a, b) => a.startDate - b.startDate || placeOf(a) - placeOf(b));
      return { executions: executions.map(each => outcomeOf(stack, each)), calls };
    };
  }
}

/** The place of the first call of executions among all calls: an Express start is not reported. */
function placesOf(calls: readonly RecordedCall[], first: number): Map<string, number> {
  const places = new Map<string, number>();
  for (const [index, { executionArn }] of calls.entries()) {
    // Behind the executions that were started before this call.
    if (!places.has(executionArn)) places.set(executionArn, first + index + 0.5);
  }
  return places;
}

function outcomeOf(
  { assembly }: LocalStack,
  execution: Pick<ExecutionDescription, 'executionArn' | 'stateMachineArn' | 'name' | 'status' | 'input'> &
    Pick<ExecutionDescription, 'output' | 'error' | 'cause' | 'redriveCount'> &
    Pick<ExecutionOutcome, 'type'>,
): ExecutionOutcome {
  const { executionArn, stateMachineArn, name, type, status, error, cause, redriveCount } = execution;
  const [parentArn, ...label] = stateMachineArn.split('/');
  const machine = assembly.namedResources.find(({ arn }) => arn === parentArn);
  return {
    executionArn,
    name,
    stateMachine: machine ? [machine.constructPath, ...label].join('/') : stateMachineArn,
    type,
    status,
    input: JSON.parse(execution.input) as Json,
    ...(execution.output !== undefined && { output: JSON.parse(execution.output) as Json }),
    ...(error !== undefined && { error }),
    ...(cause !== undefined && { cause }),
    redriveCount,
  };
}
