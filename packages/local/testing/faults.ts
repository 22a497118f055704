import type { Json } from '../json/json';
import { type Definition, parseDefinition, type State, type TaskState } from '../language/index';
import { LocalError } from '../local-error';
import type { Interceptor, ServiceCall, ServiceResult } from '../runtime/calls/service';
import type { VirtualClock } from '../runtime/time/virtual-clock';
import type { WorkTracker } from '../runtime/time/work-tracker';
import type { LocalStack } from '../start-local';
import { checkFaultOptions, type FailureOptions, type FaultOptions } from './fault-options';
import { lostAnswerError, throttlingError } from './service-errors';

/**
 * A fault that was asked for.
 *
 * @example
 * const fault = stack.faults.loseAnswer('dynamodb:putItem');
 * expect(fault.happened).toBe(1);
 */
export interface Fault {
  /** In words, e.g. `the answer of "Save order" is lost`. */
  readonly description: string;
  /** To how many calls it has happened so far. A test that expects a fault to matter expects 1 here. */
  readonly happened: number;
  /** Lets it happen no more. */
  remove(): void;
}

export interface FaultContext {
  readonly clock: VirtualClock;
  readonly work: WorkTracker;
  readonly stack: () => LocalStack;
}

/** Calls of state machines, by what a test calls them. */
interface CallTarget {
  /** The name of a state, or an integration such as `dynamodb:putItem`. */
  readonly target: string;
  /** Of the state machine whose calls are meant; any without it. */
  readonly stateMachineArn?: string;
}

interface Active extends CallTarget {
  readonly description: string;
  readonly happens: Interceptor;
  happened: number;
  left: number;
}

/**
 * Faults between the state machines of a stack and its services.
 *
 * A call is named by its state (`Charge`) or by its integration (`dynamodb:putItem`, `lambda:invoke`). Each fault
 * happens to the next call of this name, and to no other unless `times` says so. Several faults of one call happen
 * together, the one that was asked for first outermost: `delayAnswer` and `failStep` make a failure that comes late.
 *
 * Every method throws a LocalError `InvalidRequest` where no state machine has a call of this name, with the names
 * that there are, and for an option that is not known or makes no sense.
 *
 * @example
 * stack.faults.killIn('Charge');
 */
export class Faults {
  readonly #context: FaultContext;
  #active: readonly Active[] = [];

  constructor(context: FaultContext) {
    this.#context = context;
  }

  /** The call is made, and its answer gets lost: the state fails with the service's `SdkClientException`. */
  loseAnswer(target: string, options: FailureOptions = {}): Fault {
    checkFaultOptions('loseAnswer', options);
    return this.#add(`the answer of "${target}" is lost`, target, options, async (call, next) => {
      await next();
      const cause = options.cause ?? 'Unable to execute HTTP request: Connection reset';
      return { kind: 'failed', error: options.error ?? lostAnswerError(call.resource), cause };
    });
  }

  /** The call is not made, and the state fails with this error; `States.TaskFailed` where none is given. */
  failStep(target: string, options: FailureOptions = {}): Fault {
    checkFaultOptions('failStep', options);
    const { error = 'States.TaskFailed', cause = 'injected' } = options;
    const failure: ServiceResult = { kind: 'failed', error, cause };
    return this.#add(`"${target}" fails with ${error}`, target, options, async () => failure);
  }

  /** The call is not made: the service rejects it for now, by the error that it has for too many requests. */
  throttle(target: string, options: FailureOptions = {}): Fault {
    checkFaultOptions('throttle', options);
    return this.#add(`"${target}" is throttled`, target, options, async call => {
      const { error = throttlingError(call.resource), cause = 'Rate exceeded' } = options;
      return { kind: 'failed', error, cause };
    });
  }

  /**
   * Interrupts the execution in the state. With `when: 'after'` the call is made and its answer is lost; with `before`
   * it is not made. A Standard execution is stopped (`ABORTED`) and can be redriven. An Express execution cannot be
   * stopped: it does not continue, and times out.
   */
  killIn(target: string, options: FaultOptions & { readonly when?: 'before' | 'after' } = {}): Fault {
    checkFaultOptions('killIn', options);
    const { when = 'after' } = options;
    return this.#add(
      `the execution is killed ${when} the call of "${target}"`,
      target,
      options,
      async (call, next) => {
        if (when === 'after') await next();
        const { executionArn } = call;
        if (!executionArn.includes(':express:'))
          void this.#context.stack().runtime.stopExecution({ executionArn });
        return this.#context.work.lose();
      },
    );
  }

  /** The call is made, and its answer comes so many milliseconds of clock time later. */
  delayAnswer(target: string, options: FaultOptions & { readonly ms: number }): Fault {
    const { clock, work } = this.#context;
    checkFaultOptions('delayAnswer', options);
    return this.#add(
      `the answer of "${target}" takes ${options.ms} ms`,
      target,
      options,
      async (_call, next) => {
        const answer = await next();
        await work.pause(clock, options.ms);
        return answer;
      },
    );
  }

  /** The call is made, and never answered: only a timeout of the state or of the execution ends the wait. */
  freeze(target: string, options: FaultOptions = {}): Fault {
    checkFaultOptions('freeze', options);
    return this.#add(`"${target}" never answers`, target, options, async (_call, next) => {
      await next();
      return this.#context.work.lose();
    });
  }

  /**
   * The call is not made, and answered with this: of a function, what `lambda:invoke` answers has the function's result
   * as `Payload`. To every call, unless `times` says otherwise.
   */
  answerWith(
    target: string,
    output: Json | ((call: ServiceCall) => Json | Promise<Json>),
    options: FaultOptions = {},
  ): Fault {
    checkFaultOptions('answerWith', options);
    const all = { times: Number.POSITIVE_INFINITY, ...options };
    const problem = `the test answers "${target}" with undefined; give JSON, such as null`;
    if (output === undefined) reject(problem);
    return this.#add(`"${target}" is answered by the test`, target, all, async call => {
      const answer = typeof output === 'function' ? await output(call) : output;
      if (answer === undefined) reject(problem);
      return { kind: 'succeeded', output: answer };
    });
  }

  /** The faults that have not happened to as many calls as they were asked for; without those for all calls. */
  get outstanding(): readonly Fault[] {
    return this.#active
      .filter(({ left, happened }) => (left === Number.POSITIVE_INFINITY ? happened === 0 : left > 0))
      .map(fault => this.#shown(fault));
  }

  /** Takes all of them back. */
  clear(): void {
    this.#active = [];
  }

  /** Makes a call as the faults have it. */
  readonly interceptor: Interceptor = (call, next) => {
    const faults = this.#active.filter(fault => fault.left > 0 && isMeant(fault, call));
    const made = faults.reduceRight<() => Promise<ServiceResult>>(
      (inner, fault) => () => {
        if (fault.left === 0) return inner();
        fault.left -= 1;
        fault.happened += 1;
        return fault.happens(call, inner);
      },
      next,
    );
    return made();
  };

  #add(description: string, target: string, options: FaultOptions, happens: Interceptor): Fault {
    const { times = 1, stateMachine } = options;
    const meant = checkTarget(this.#context.stack(), target, stateMachine);
    const fault: Active = { ...meant, description, happens, happened: 0, left: times };
    this.#active = [...this.#active, fault];
    return this.#shown(fault);
  }

  #shown(fault: Active): Fault {
    return {
      description: fault.description,
      get happened() {
        return fault.happened;
      },
      remove: () => {
        this.#active = this.#active.filter(other => other !== fault);
      },
    };
  }
}

function isMeant({ target, stateMachineArn }: CallTarget, call: ServiceCall): boolean {
  if (call.stateName !== target && call.resource !== target) return false;
  // An execution's ARN has the machine's name where the machine's has it, and its own behind that.
  const name = stateMachineArn?.split(':').at(-1);
  // Those of a distributed Map's children have the Map's label behind it.
  return name === undefined || call.executionArn.split(':')[6]?.split('/')[0] === name;
}

/** The calls that a test names. @throws LocalError `InvalidRequest` where no state machine has one of this name */
export function checkTarget(stack: LocalStack, target: string, stateMachine?: string): CallTarget {
  const arn =
    stateMachine === undefined ? undefined : stack.find(stateMachine, 'AWS::StepFunctions::StateMachine').arn;
  const machines = stack.runtime.machines.list().filter(machine => arn === undefined || machine.arn === arn);
  const states = machines.flatMap(({ definition }) => statesIn(definition));
  const tasks = states.flatMap(state => (state.kind === 'task' && !isActivity(state) ? [state] : []));
  const names = new Set(tasks.map(({ name }) => name));
  const resources = new Set(tasks.map(({ resource }) => resource.integration));
  if (names.has(target) || resources.has(target)) {
    return { target, ...(arn !== undefined && { stateMachineArn: arn }) };
  }
  const isOtherState = states.some(({ name }) => name === target);
  reject(
    isOtherState
      ? `the state "${target}" calls no service, so that nothing can happen to its call`
      : `no state is called "${target}", and no state calls an integration of this name`,
    `states that call: ${[...names].map(name => `"${name}"`).join(', ') || 'none'}`,
    `integrations: ${[...resources].join(', ') || 'none'}`,
  );
}

/** @throws LocalError `InvalidRequest` */
function reject(...problems: readonly string[]): never {
  throw new LocalError('InvalidRequest', problems);
}

/** A worker asks for it: nothing is called. */
function isActivity({ resource }: TaskState): boolean {
  return resource.pattern === 'activity';
}

/** The states of a definition, and those of the executions that its distributed Maps start. */
function statesIn(definition: Definition): readonly State[] {
  const states = [...definition.states.values()];
  const inside = states.flatMap(state => {
    if (state.kind !== 'map' || !state.distributed) return [];
    const parsed = parseDefinition(state.distributed.definitionText);
    return parsed.kind === 'definition' ? statesIn(parsed.definition) : [];
  });
  return [...states, ...inside];
}
