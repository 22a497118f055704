import { dataOf } from '../../../packages/local/asl/data';
import type { State } from '../../../packages/local/asl/definition';
import { type Execution, type Machine, newExecution } from '../../../packages/local/engine/execution';
import type { Signal } from '../../../packages/local/engine/signals';
import { type Transition, transition } from '../../../packages/local/engine/transition';
import type { Json, JsonObject } from '../../../packages/local/json/json';
import { EvaluationThreads } from '../../../packages/local/runtime/evaluation/evaluation-threads';
import type { Ids } from '../../../packages/local/runtime/ids';
import type { JobResult } from '../../../packages/local/runtime/service';
import { RuntimeTransitionContext } from '../../../packages/local/runtime/transition-context';
import { type Call, type ExecutionState, leafOf, normalForm, WAIT_ID, withLeaf } from './execution-state';
import { Interned, type Renaming } from './interned';
import type { ExploredMachine } from './subject';

/** Nothing is left to chance: what could go either way is a choice of the model. */
const IDS: Ids = { random: () => 0, uuid: () => '00000000-0000-4000-8000-000000000000', fork: () => IDS };

/** The clock stands still, so evaluations are waited for. */
const EVALUATOR = new EvaluationThreads();

/** More instants than any exploration has: what keeps two of their numbers apart. */
const INSTANTS_MAX = 2 ** 24;

/** In place of an instant where time has no part in what happens. */
const NO_INSTANT = -1;

const CALLED = { kind: 'called' };

/** How an execution is started. */
export interface Start {
  readonly name: string;
  readonly input: Json;
  readonly now: number;
}

/**
 * The states that executions of one machine come to, by numbers. What a signal does to a state is worked out once, by
 * the engine, and then remembered: the exploration meets the same few of them in millions of model states.
 */
export class ExecutionStates {
  readonly explored: ExploredMachine;
  readonly #faults: number;
  readonly #states: Interned<ExecutionState>;
  /** What can happen to an execution, by numbers. */
  readonly #happenings = new Interned<object>();
  readonly #exhaustions = new Map<string, object>();
  /** What was worked out, by a state's number: the state after each happening at each time. */
  readonly #known: Map<number, number>[] = [];
  readonly #started = new Map<string, number>();
  readonly #instants = new Map<number, number>();
  readonly #entered = new Set<string>();

  /** `faults`: how many there are at most. `of`: whose numbers to share. */
  constructor(explored: ExploredMachine, faults: number, of?: ExecutionStates) {
    this.explored = explored;
    this.#faults = faults;
    this.#states = of ? of.#states : new Interned();
  }

  /** Whether an execution has come to this state of the definition. */
  hasEntered(name: string): boolean {
    return this.#entered.has(name);
  }

  /** The states of the definition that no execution has come to, by their names. */
  get unvisited(): readonly string[] {
    return [...this.explored.machine.definition.states.keys()].filter(name => !this.hasEntered(name));
  }

  get(number: number): ExecutionState {
    return this.#states.get(number);
  }

  numberOf(state: ExecutionState): number {
    return this.#states.numberOf(state);
  }

  /** How many states were met. */
  get size(): number {
    return this.#states.size;
  }

  /** The hashes of all states that were met, in the order of their numbers. */
  hashes(): Uint32Array {
    return this.#states.hashes();
  }

  /** Writes the hash of a state, which does not depend on its number, to a place in `words`. */
  hashInto(words: Uint32Array, at: number, number: number): void {
    this.#states.hashInto(words, at, number);
  }

  /** The same for the state as it is with other numbers for deliveries; false where that cannot be said. */
  renamedInto(words: Uint32Array, at: number, number: number, renaming: Renaming): boolean {
    return this.#states.renamedInto(words, at, number, renaming);
  }

  /** The same execution with its call carried out and the answer under way. */
  withAnswer(number: number, answer: JobResult): number {
    return this.#once(number, answer, NO_INSTANT, () =>
      this.numberOf({ ...this.get(number), call: null, answer }),
    );
  }

  /** The same execution with its call carried out, and not answered. */
  withoutCall(number: number): number {
    return this.#once(number, CALLED, NO_INSTANT, () => this.numberOf({ ...this.get(number), call: null }));
  }

  /** The ARN of an execution with this name. */
  arnOf(name: string): string {
    const { machine, type } = this.explored;
    const isStandard = type === 'STANDARD';
    const prefix = machine.arn.replace(':stateMachine:', isStandard ? ':execution:' : ':express:');
    return `${prefix}:${name}${isStandard ? '' : ':1'}`;
  }

  /** An execution that has just been started, with its first call sent. */
  started({ name, input, now }: Start): number {
    const { type } = this.explored;
    const arn = this.arnOf(name);
    const execution = newExecution({ arn, name, input: dataOf(input), startedAt: now, kind: type });
    const fresh: ExecutionState = { execution, call: null, answer: null, before: null };
    const key = `${name} ${JSON.stringify(input)} ${now}`;
    const known = this.#started.get(key);
    if (known !== undefined) return known;
    const number = this.#retried(this.#after(fresh, { kind: 'started' }, now), now);
    this.#started.set(key, number);
    return number;
  }

  /** After an answer has arrived. */
  answered(number: number, result: JobResult, now: number): number {
    const next = () => this.#after(this.get(number), signalOf(result), now);
    return this.#retried(this.#once(number, result, now, next), now);
  }

  /** The same for an error that neither `States.ALL` nor `States.TaskFailed` covers: by its name alone it is caught. */
  answeredByName(number: number, error: string, now: number): number {
    const happening = this.#exhaustions.get(`name ${error}`) ?? { named: error };
    this.#exhaustions.set(`name ${error}`, happening);
    const signal = signalOf({ kind: 'failed', error, cause: '' });
    const next = () => this.#after(this.get(number), signal, now, withoutWildcards(this.explored.machine));
    return this.#retried(this.#once(number, happening, now, next), now);
  }

  /**
   * After every attempt of the call has been answered with this error: the last of them. The count of retries is no
   * part of a state's normal form, so here it is made full.
   */
  exhausted(number: number, error: string, now: number): number {
    const { execution, call, ...rest } = this.get(number);
    const state = this.explored.machine.definition.states.get(call?.stateName ?? '');
    if (state?.kind !== 'task') return number;
    const happening = this.#exhaustions.get(error) ?? { exhausted: error };
    this.#exhaustions.set(error, happening);
    return this.#once(number, happening, now, () => {
      const retries = state.retry.map(({ maxAttempts }) => maxAttempts);
      const worn = { ...rest, call, execution: withLeaf(execution, leaf => ({ ...leaf, retries })) };
      return this.#retried(this.#after(worn, signalOf({ kind: 'failed', error, cause: '' }), now), now);
    });
  }

  /** After a signal. */
  signalled(number: number, signal: Signal, now: number): number {
    const next = () => this.#after(this.get(number), signal, now);
    return this.#retried(this.#once(number, signal, now, next), now);
  }

  /** What happens to a state at a time, worked out the first time. */
  #once(number: number, happening: object, now: number, next: () => number): number {
    const known = this.#known[number] ?? new Map<number, number>();
    this.#known[number] = known;
    const key = this.#happenings.numberOf(happening) * INSTANTS_MAX + this.#instantOf(now);
    const before = known.get(key);
    if (before !== undefined) return before;
    const after = next();
    known.set(key, after);
    return after;
  }

  #instantOf(now: number): number {
    const known = this.#instants.get(now);
    if (known !== undefined) return known;
    this.#instants.set(now, this.#instants.size);
    return this.#instants.size - 1;
  }

  // A retry is made at once: nothing else sees when.
  #retried(number: number, now: number): number {
    if (leafOf(this.get(number).execution)?.waits?.kind !== 'retry') return number;
    return this.signalled(number, { kind: 'timerDue', timerId: WAIT_ID }, now);
  }

  #after(from: ExecutionState, signal: Signal, now: number, machine = this.explored.machine): number {
    const clock = { now: () => now, at: () => () => undefined };
    const context = new RuntimeTransitionContext({ clock, ids: IDS, evaluator: EVALUATOR }, () => '');
    const made = transition(machine, from.execution, signal, context);
    for (const { type, name } of made.events)
      if (name !== undefined && type.endsWith('StateEntered')) this.#entered.add(name);
    return this.numberOf(this.#next(from, made));
  }

  #next(from: ExecutionState, { execution, effects }: Transition): ExecutionState {
    const after = normalForm(execution, this.explored, this.#faults);
    const sent = effects.flatMap(effect => (effect.kind === 'call' ? [effect] : []));
    const call = sent.map(({ resource, arguments: given, stateName }): Call => {
      return { resource, arguments: given as JsonObject, stateName };
    })[0];
    const isRedriven = execution.redriveCount > from.execution.redriveCount;
    const before = isRedriven ? earlier(from.execution) : from.before;
    return { execution: after, call: call ?? null, answer: null, before };
  }
}

const WILDCARDS = ['States.ALL', 'States.TaskFailed'];

/** The machine without the retriers and catchers for errors of any name. */
function withoutWildcards(machine: Machine): Machine {
  const isNamed = ({ errorEquals }: { readonly errorEquals: readonly string[] }) =>
    !errorEquals.some(name => WILDCARDS.includes(name));
  const states = [...machine.definition.states].map(([name, state]): [string, State] => {
    if (!('catch' in state)) return [name, state];
    return [name, { ...state, retry: state.retry.filter(isNamed), catch: state.catch.filter(isNamed) }];
  });
  return { ...machine, definition: { ...machine.definition, states: new Map(states) } };
}

function earlier({ status, redriveCount, end }: Execution) {
  return {
    status,
    redriveCount,
    end: end && { at: end.at, ...(end.error !== undefined && { error: end.error }) },
  };
}

function signalOf(result: JobResult): Signal {
  if (result.kind === 'succeeded') return { kind: 'taskSucceeded', taskId: WAIT_ID, output: result.output };
  return { kind: 'taskFailed', taskId: WAIT_ID, error: result.error, cause: result.cause };
}
