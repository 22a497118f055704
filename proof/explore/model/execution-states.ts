import {
  type Execution,
  type Machine,
  newExecution,
  type Signal,
  type Transition,
} from '../../../packages/local/engine/index';
import { afterSignal, Coverage, enteredIn } from '../../../packages/local/explore/kernel/index';
import type { Json } from '../../../packages/local/json/json';
import { dataOf } from '../../../packages/local/language/index';
import type { JobResult } from '../../../packages/local/runtime/calls/service';
import { callOf, entryIn, inFlightIn, itemsOf, NOTHING, withInFlight, withLeaf } from './entries';
import { type ExecutionState, idsOf, leafOf, normalForm, waitIdOf } from './execution-state';
import { withoutWildcards } from './explored-machine';
import { Interned, type Renaming } from './interned';
import { withReadableName } from './recovery-name';
import type { ExploredMachine } from './subject';

/** More instants than any exploration has: what keeps two of their numbers apart. */
const INSTANTS_MAX = 2 ** 24;
/** More entries than any execution has. */
const ENTRIES_MAX = 8;

/** In place of an instant, if time has no part in what happens. */
const NO_INSTANT = -1;
const CALLED = { kind: 'called' };

/** How an execution is started. */
export interface Start {
  readonly name: string;
  readonly input: Json;
  readonly now: number;
  /** Before the deployment, with the definition of then. */
  readonly isFormer?: true | undefined;
}

/**
 * The states that executions of one machine come to, by numbers. What a signal does to a state is worked out once, by
 * the engine, and then remembered: the exploration meets the same few of them in millions of model states.
 */
export class ExecutionStates {
  readonly explored: ExploredMachine;
  /** The states of the definition that executions have entered. */
  readonly coverage = new Coverage();
  readonly #former: ExploredMachine;
  readonly #faults: number;
  readonly #states: Interned<ExecutionState>;
  /** What can happen to an execution, by numbers. */
  readonly #happenings = new Interned<object>();
  readonly #exhaustions = new Map<string, object>();
  /** The results by a state's number: the state after each happening at each time. */
  readonly #known: Map<number, number>[] = [];
  readonly #started = new Map<string, number>();
  /** States as they are to one entry. */
  readonly #entries: ExecutionState[][] = [];
  readonly #instants = new Map<number, number>();

  /** `faults`: the most there can be. `sharing`: the states to share numbers with. `former`: the definition before. */
  constructor(explored: ExploredMachine, faults: number, sharing?: ExecutionStates, former = explored) {
    this.explored = explored;
    this.#former = former;
    this.#faults = faults;
    this.#states = sharing ? sharing.#states : new Interned();
  }

  /** The states of the definition that no execution has entered, by their names. */
  get neverEntered(): readonly string[] {
    return this.coverage.neverEntered(this.explored.machine.definition);
  }

  get(number: number): ExecutionState {
    return this.#states.get(number);
  }

  /** For how many milliseconds the execution's step may work, by the definition that it runs. */
  stepMsOf(number: number): number {
    return this.definitionOf(this.get(number)).stepMs;
  }

  /** The definition that an execution runs: that of its start, whatever is deployed by now. */
  definitionOf({ isFormer }: ExecutionState): ExploredMachine {
    return isFormer ? this.#former : this.explored;
  }

  /** One entry of the execution, as if it were all of it. */
  entry(number: number, itemIndex: number): ExecutionState {
    const state = this.get(number);
    if (!state.laterEntries) return state;
    this.#entries[number] ??= [];
    this.#entries[number][itemIndex] ??= entryIn(state, itemIndex);
    return this.#entries[number][itemIndex];
  }

  /** How many entries the execution has. */
  entriesOf(number: number): number {
    return 1 + (this.get(number).laterEntries?.length ?? 0);
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

  /** Writes the hash of a state, as it is or as a renaming has it, to a place in `words`; false if that is not known. */
  hashInto(words: Uint32Array, at: number, number: number, renaming?: Renaming): boolean {
    return this.#states.hashInto(words, at, number, renaming);
  }

  /** The same execution with its call carried out and the answer under way. */
  withAnswer(number: number, answer: JobResult, itemIndex: number): number {
    return this.#once({ number, itemIndex, happening: answer, now: NO_INSTANT }, () =>
      this.numberOf(withInFlight(this.get(number), itemIndex, { call: null, answer })),
    );
  }

  /** The same execution with its call carried out, and not answered. */
  withoutCall(number: number, itemIndex: number): number {
    return this.#once({ number, itemIndex, happening: CALLED, now: NO_INSTANT }, () =>
      this.numberOf(withInFlight(this.get(number), itemIndex, NOTHING)),
    );
  }

  /** The ARN of an execution with this name. */
  arnOf(name: string): string {
    const { machine, type } = this.explored;
    const isStandard = type === 'STANDARD';
    const prefix = machine.arn.replace(':stateMachine:', isStandard ? ':execution:' : ':express:');
    return `${prefix}:${name}${isStandard ? '' : ':1'}`;
  }

  /** An execution that has just been started, with its first call sent. */
  started({ name, input, now, isFormer }: Start): number {
    const { type } = this.explored;
    const arn = this.arnOf(name);
    const execution = newExecution({ arn, name, input: dataOf(input), startedAt: now, kind: type });
    const begun: ExecutionState = { execution, call: null, answer: null, before: null };
    const fresh = isFormer ? { ...begun, isFormer } : begun;
    const key = `${name} ${JSON.stringify(input)} ${now} ${isFormer ? 'former' : ''}`;
    const known = this.#started.get(key);
    if (known !== undefined) return known;
    const number = this.#retried(this.#after(fresh, { signal: { kind: 'started' }, now }), now);
    this.#started.set(key, number);
    return number;
  }

  /** After an answer has arrived at one of its entries. */
  answered(number: number, result: JobResult, now: number, itemIndex: number): number {
    const next = () => this.#after(this.get(number), { signal: signalOf(result, itemIndex), now, itemIndex });
    return this.#retried(this.#once({ number, itemIndex, happening: result, now }, next), now);
  }

  /** The same for an error that neither `States.ALL` nor `States.TaskFailed` covers: by its name alone it is caught. */
  answeredByName(number: number, error: string, now: number, itemIndex: number): number {
    const happening = this.#exhaustions.get(`name ${error}`) ?? { named: error };
    this.#exhaustions.set(`name ${error}`, happening);
    const signal = signalOf({ kind: 'failed', error, cause: '' }, itemIndex);
    const from = this.get(number);
    const machine = withoutWildcards(this.definitionOf(from).machine);
    const next = () => this.#after(from, { signal, now, itemIndex, machine });
    return this.#retried(this.#once({ number, itemIndex, happening, now }, next), now);
  }

  /**
   * After every attempt of the call has been answered with this error: the last of them. The count of retries is not a
   * part of a state's normal form, so this code adds it.
   */
  exhausted(number: number, error: string, now: number, itemIndex: number): number {
    const from = this.get(number);
    const { call } = inFlightIn(from, itemIndex);
    const state = this.definitionOf(from).machine.definition.states.get(call?.stateName ?? '');
    if (state?.kind !== 'task') return number;
    const happening = this.#exhaustions.get(error) ?? { exhausted: error };
    this.#exhaustions.set(error, happening);
    return this.#once({ number, itemIndex, happening, now }, () => {
      const retries = state.retry.map(({ maxAttempts }) => maxAttempts);
      const execution = withLeaf(from.execution, itemIndex, leaf => ({ ...leaf, retries }));
      const signal = signalOf({ kind: 'failed', error, cause: '' }, itemIndex);
      return this.#retried(this.#after({ ...from, execution }, { signal, now, itemIndex }), now);
    });
  }

  /** After a signal: to one of its entries, or to all of it. */
  signalled(number: number, signal: Signal, now: number, itemIndex?: number): number {
    const next = () => this.#after(this.get(number), { signal, now, itemIndex });
    return this.#retried(
      this.#once({ number, itemIndex: itemIndex ?? 0, happening: signal, now }, next),
      now,
    );
  }

  /** What happens to a state at a time, worked out the first time. */
  #once({ number, itemIndex, happening, now }: Happening, next: () => number): number {
    this.#known[number] ??= new Map<number, number>();
    const known = this.#known[number];
    const what = this.#happenings.numberOf(happening) * ENTRIES_MAX + itemIndex;
    const key = what * INSTANTS_MAX + this.#instantOf(now);
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

  // A retry of a request is made at once: nothing else sees when. A chain waits for the end of what it has begun.
  #retried(number: number, now: number): number {
    for (let itemIndex = 0; itemIndex < this.entriesOf(number); itemIndex += 1) {
      const entry = this.entry(number, itemIndex);
      const leaf = leafOf(entry.execution);
      const { states } = this.definitionOf(entry).machine.definition;
      if (leaf?.waits?.kind !== 'retry' || states.get(leaf.state)?.kind === 'parallel') continue;
      return this.signalled(number, { kind: 'timerDue', timerId: waitIdOf(itemIndex) }, now, itemIndex);
    }
    return number;
  }

  #after(from: ExecutionState, given: Signalled): number {
    const { signal, now, machine = this.definitionOf(from).machine } = given;
    const ids = idsOf(from.execution, from.drawn ?? 0);
    const made = afterSignal(machine, from.execution, signal, { now, ids });
    this.coverage.add(enteredIn(made));
    return this.numberOf({
      ...this.#next(from, made, given),
      ...(ids.drawn > 0 && { drawn: ids.drawn }),
    });
  }

  #next(from: ExecutionState, made: Transition, { itemIndex: signalled, now }: Signalled): ExecutionState {
    const { execution } = made;
    const isRedriven = execution.redriveCount > from.execution.redriveCount;
    const before = isRedriven ? earlier(from.execution) : from.before;
    const entries = itemsOf(execution) ?? 1 + (from.laterEntries?.length ?? 0);
    // What another entry is at goes on, unless all of it has ended or begins again.
    const goesOn = (itemIndex: number) =>
      execution.status === 'RUNNING' && signalled !== undefined && itemIndex !== signalled;
    const [first = NOTHING, ...laterEntries] = Array.from({ length: entries }, (_, itemIndex) => {
      const asked = callOf(made, itemIndex);
      const call = asked && withReadableName(asked, leafOf(execution)?.variables ?? {}, now);
      return call || !goesOn(itemIndex) ? { call, answer: null } : inFlightIn(from, itemIndex);
    });
    const after = normalForm(execution, this.definitionOf(from), this.#faults);
    const { isFormer } = from;
    return {
      execution: after,
      ...first,
      before,
      ...(laterEntries.length > 0 && { laterEntries }),
      ...(isFormer && { isFormer }),
    };
  }
}

/** What happens to a state, or to one of its entries, at a time. */
interface Happening {
  readonly number: number;
  readonly itemIndex: number;
  readonly happening: object;
  readonly now: number;
}

/** A signal at a time, for the entry of an item; without `itemIndex` for all of the execution. */
interface Signalled {
  readonly signal: Signal;
  readonly now: number;
  readonly itemIndex?: number | undefined;
  readonly machine?: Machine;
}

function earlier({ status, redriveCount, end }: Execution) {
  return {
    status,
    redriveCount,
    end: end && { at: end.at, ...(end.error !== undefined && { error: end.error }) },
  };
}

function signalOf(result: JobResult, itemIndex: number): Signal {
  const taskId = waitIdOf(itemIndex);
  if (result.kind === 'succeeded') return { kind: 'taskSucceeded', taskId, output: result.output };
  return { kind: 'taskFailed', taskId, error: result.error, cause: result.cause };
}
