import type { ExecutionStatus } from '../engine/index';
import type { Json } from '../json/json';
import type { Item } from '../services/dynamodb/table/attribute-value';
import { type BuiltInInvariant, isQuiet, leftIn } from './built-in';
import { checkOptions } from './check';
import { SearchCoverage } from './coverage';
import { ExploreError, inOrder, StatesInMemory, search, traced, type Waiting } from './kernel/index';
import { type EffectRecord, type ModelState, stateText, timelessText } from './state';
import { type Bounds, FAULT_KINDS, type FaultKind, type ModelStep, stepsFrom } from './steps';
import { type ExploreSubject, type LoadedSubject, loadSubject } from './subject';
import { traceText } from './trace-text';
import { verdictOf } from './verdict';

export type { BuiltInInvariant } from './built-in';
export { ExploreError } from './kernel/explore-error';
export type { EffectRecord } from './state';
export type { FaultKind } from './steps';
export type { ExploredEffect, ExploredKey, ExploredTable, ExploreSubject } from './subject';

/**
 * What an invariant looks at: all that there is at one moment.
 *
 * @example
 * const invariant = ({ effects }: Seen) => effects.length <= 1 || 'charged twice';
 */
export interface Seen {
  /** What services other than DynamoDB have done so far, in order: a charge, a message, an event. */
  readonly effects: readonly EffectRecord[];
  /** The items of each table, in DynamoDB's JSON, by the table's name. */
  readonly tables: Readonly<Record<string, readonly Item[]>>;
  readonly executions: readonly SeenExecution[];
  /** Whether every delivery has been made and every execution has ended: the final conditions must hold now. */
  readonly isAtRest: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * An execution at one moment.
 *
 * @example
 * const hasFailed = ({ status }: SeenExecution) => status === 'FAILED';
 */
export interface SeenExecution {
  readonly status: ExecutionStatus;
  readonly input: Json;
  readonly output?: Json;
  readonly error?: string;
}

/**
 * The definition to explore, and the bounds.
 *
 * @example
 * const options: ExploreOptions = { ...subject, invariant, deliveries: 2, faults: 1 };
 */
export interface ExploreOptions extends ExploreSubject {
  /**
   * The condition of every moment: true or nothing if it holds, false or the reason if it does not. An exception, such
   * as that of an `expect`, is a reason, too. A promise, a number or a list is rejected.
   */
  readonly invariant?: (seen: Seen) => unknown;
  /** What must hold of any workflow. @default - nothing; `invariant` is required then */
  readonly always?: readonly BuiltInInvariant[];
  /** How often each input is delivered, at any time, also at the same. @default 2 */
  readonly deliveries?: number;
  /** How many faults there are: an answer lost, a call not made, an execution stopped, a call slow. @default 1 */
  readonly faults?: number;
  /** Which kinds of faults there are. @default - all */
  readonly kinds?: readonly FaultKind[];
  /** How often executions that were stopped or have failed are redriven, at any time. @default 0 */
  readonly redrives?: number;
  /** States after which the search is given up. @default 100,000 */
  readonly maxStates?: number;
  /**
   * Whether the workflow is meant to fail with these inputs without a fault, as one whose first delivery always fails.
   * Otherwise a search that has found nothing because of that is rejected. @default false
   */
  readonly mayBeEmpty?: boolean;
}

/**
 * What a search came to.
 *
 * @example
 * const { states, isComplete, neverEntered } = explore(options);
 */
export interface Exploration {
  /** Different states that were looked at. */
  readonly states: number;
  /** Whether these were all that there are within the bounds. True without a violation: there is none. */
  readonly isComplete: boolean;
  /**
   * The states of the definition that no execution entered as far as the search went, in the order of the definition:
   * of what they would do it says nothing. Those within a Map or a Parallel are among them.
   */
  readonly neverEntered: readonly string[];
  /** The shortest path to a state in which the invariant does not hold. */
  readonly violation?: Violation;
}

/**
 * How an invariant came not to hold.
 *
 * @example
 * const { violation } = explore(options);
 * if (violation) console.log(violation.trace);
 */
export interface Violation {
  /** What the invariant says. */
  readonly message: string;
  /** The names of the steps that lead there: `replay` repeats them. */
  readonly interleaving: readonly string[];
  /** The same to read: each step with the answer of its call, and the status of each execution at the end. */
  readonly trace: string;
}

const STATES_MAX = 100_000;
/** Steps of the executions that run one after the other. */
const STEPS_ALONE_MAX = 10_000;
const START = Date.parse('2026-01-01T00:00:00Z');

/**
 * Explores every interleaving of deliveries, calls and faults of a workflow, within bounds, for one in which an
 * invariant does not hold, and returns the shortest.
 *
 * The engine is the one that runs state machines here, DynamoDB's conditions are those of the local one. A call takes
 * no clock time, unless a fault makes it slow, and events of the same moment come in any order. A call whose execution
 * is stopped, or has timed out, is carried out at any later time, or never. A stopped execution stays so, unless
 * `redrives` lets an operator redrive it.
 *
 * @throws ExploreError in three cases. The definition cannot be explored, such as a state that waits for a task token.
 * An option is missing, unknown or of no use, such as an invariant that answers a promise. Or the search is complete
 * and found nothing because the workflow could not work. Then no request of a table had its key, or every execution
 * failed without a fault, by an error such as `States.Runtime` or `States.QueryEvaluationError`
 *
 * @example
 * const { violation, isComplete } = explore(options);
 */
export function explore(options: ExploreOptions): Exploration {
  const { first, stepsIn, problemIn, definition, looksAtClock } = explored(options);
  const { maxStates = STATES_MAX, mayBeEmpty = false, always = [] } = options;
  const coverage = new SearchCoverage();
  const mustEnd = always.includes('ends');
  // A workflow that waits again and again is in the same state each time.
  const textOf = mustEnd && !looksAtClock ? timelessText : stateText;
  const reached = new StatesInMemory<ModelState, ModelStep>(first, textOf, maxStates);
  const before = new Map<number, number[]>();
  const next = (state: ModelState) => {
    const problem = problemIn(state);
    if (problem !== undefined) return { problem, steps: [] };
    coverage.addState(state);
    return { problem, steps: stepsIn(state) };
  };
  const add = (from: Waiting<ModelState>, step: ModelStep) => {
    coverage.addStep(step);
    const to = reached.add(from, step);
    // An execution must end without the help of a fault.
    if (mustEnd && to !== undefined && step.after.faults === from.state.faults)
      before.set(to, [...(before.get(to) ?? []), from.number]);
  };
  const wrong = search({ next }, { takeNext: () => reached.takeNext(), add });
  const trapped = mustEnd && !wrong && !reached.isFull ? reached.firstTrapped(isQuiet, before) : undefined;
  const found =
    trapped === undefined
      ? wrong
      : { state: trapped, problem: 'ends: an execution runs for ever from here on' };
  const isComplete = !found && !reached.isFull;
  if (isComplete && !mayBeEmpty) coverage.requireSome();
  const { size: states } = reached;
  const exploration = { states, isComplete, neverEntered: coverage.neverEntered(definition) };
  if (!found) return exploration;
  const steps = reached.pathTo(found.state);
  return { ...exploration, violation: violationOf(steps, steps.at(-1)?.after ?? first, found.problem) };
}

/**
 * Repeats the `interleaving` of a violation, step by step, and returns what there is then; `violation` if the invariant
 * still does not hold.
 *
 * @throws ExploreError if a step cannot happen any more, because the definition is another
 *
 * @example
 * const { violation } = replay(options, interleaving);
 */
export function replay(
  options: ExploreOptions,
  interleaving: readonly string[],
): { readonly seen: Seen; readonly violation?: Violation } {
  const { first, stepsIn, problemIn, seenIn } = explored(options);
  if (!Array.isArray(interleaving)) {
    throw new ExploreError('`interleaving` must be a list; give that of a violation');
  }
  const next = (state: ModelState) => ({ problem: undefined, steps: stepsIn(state) });
  const { steps, last } = traced({ next }, first, inOrder(interleaving));
  const seen = seenIn(last);
  const problem = problemIn(last);
  return { seen, ...(problem !== undefined && { violation: violationOf(steps, last, problem) }) };
}

/** The subject of the exploration: the first state, the possible steps in each, and the invariant's verdict on each. */
function explored(options: ExploreOptions) {
  checkOptions(options);
  const { deliveries = 2, faults = 1, redrives = 0, invariant = () => true } = options;
  const { always = [], kinds = FAULT_KINDS } = options;
  const subject = loadSubject(options);
  const bounds = { deliveries, faults, redrives, kinds };
  const first: ModelState = {
    now: START,
    delivered: subject.inputs.map(() => 0),
    faults: 0,
    executions: [],
    orphans: [],
    effects: [],
    tables: subject.tables,
    ...(always.includes('puts') && { reads: new Map() }),
  };
  const rests = always.includes('locks') ? restsOf(subject, first, deliveries) : undefined;
  const seenIn = (state: ModelState) => seenOf(state, bounds);
  const problemIn = (state: ModelState): string | undefined => {
    if (state.lost !== undefined) return `puts: ${state.lost}`;
    const left = rests && leftIn(state, rests);
    if (left !== undefined) return `locks: ${left}`;
    return verdictOf('`invariant`', () => invariant(seenIn(state)));
  };
  const stepsIn = (state: ModelState) => stepsFrom(subject, state, bounds);
  const { definition } = subject.machine;
  return { first, seenIn, stepsIn, problemIn, definition, looksAtClock: subject.looksAtClock };
}

/** The tables at the beginning, and after each of these executions, one after the other and without a fault. */
function restsOf(
  subject: LoadedSubject,
  first: ModelState,
  deliveries: number,
): readonly ModelState['tables'][] {
  const rests: ModelState['tables'][] = [];
  const bounds = { deliveries: Math.max(deliveries, 2), faults: 0, redrives: 0, kinds: [] };
  let state = first;
  for (let steps = 0; steps < STEPS_ALONE_MAX; steps += 1) {
    if (isQuiet(state)) rests.push(state.tables);
    // A delivery comes before the other steps.
    const step = stepsFrom(subject, state, bounds).at(-1);
    if (!step) break;
    state = step.after;
  }
  return rests;
}

function seenOf(state: ModelState, bounds: Bounds): Seen {
  const tables = [...state.tables].map(([name, { items }]) => [name, [...items.values()]] as const);
  const isDelivered = state.delivered.every(count => count >= bounds.deliveries);
  return {
    effects: state.effects,
    tables: Object.fromEntries(tables),
    executions: state.executions.map(({ execution: { status, input, end } }) => ({
      status,
      input: input.value,
      ...(end?.output && { output: end.output.value }),
      ...(end?.error !== undefined && { error: end.error }),
    })),
    isAtRest: isDelivered && state.executions.every(({ execution }) => execution.status !== 'RUNNING'),
    now: state.now,
  };
}

function violationOf(steps: readonly ModelStep[], last: ModelState, message: string): Violation {
  const interleaving = steps.map(({ name }) => name);
  return { message, interleaving, trace: traceText(steps, last, message) };
}
