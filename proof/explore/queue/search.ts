import { setImmediate } from 'node:timers/promises';
import { StatesInMemory } from '../../../packages/local/explore/kernel/index';
import { Functions, type QueueCode, SHIPPED } from './code';
import { EVERYTHING_ENDS, isEnded, QUEUE_INVARIANTS } from './invariants';
import { initialState, type QueueState, type QueueStep, type QueueSubject } from './model';
import { stepsFrom } from './steps';
import { noted } from './truth';

/** States between two turns of the event loop, in which a signal can arrive. */
const STATES_PER_TURN = 500;

/** What a search of the queue came to. */
export interface QueueExploration {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  /** The first that is found: one of the shortest traces. */
  readonly violation?: { readonly invariant: string; readonly schedule: readonly string[] };
}

// The loop is not the kernel's: the functions are asynchronous.
/**
 * Visits every state of the queue and its functions, breadth first, until an invariant is broken. Rejects if it is
 * aborted.
 */
export async function exploreQueue(
  subject: QueueSubject,
  code: QueueCode = SHIPPED,
  signal?: AbortSignal,
): Promise<QueueExploration> {
  const functions = new Functions(subject, code);
  const first = initialState(subject);
  const reached = new StatesInMemory<QueueState, QueueStep>(first, JSON.stringify, Number.POSITIVE_INFINITY);
  // The states from which a step without a fault leads to each.
  const before = new Map<number, number[]>();
  let transitions = 0;
  const cameTo = (state: number, invariant?: string, step: readonly string[] = []): QueueExploration => {
    const schedule = [...reached.pathTo(state).map(({ name }) => name), ...step];
    const counts = { states: reached.size, transitions, depth: schedule.length };
    return invariant === undefined ? counts : { ...counts, violation: { invariant, schedule } };
  };
  for (let from = reached.takeNext(); from; from = reached.takeNext()) {
    const { number, state } = from;
    // The functions wait for nothing but promises: without a turn of the event loop no signal arrives.
    if (number % STATES_PER_TURN === 0) await setImmediate();
    signal?.throwIfAborted();
    for (const step of await nextSteps(functions, subject, state)) {
      transitions += 1;
      const broken = brokenBy(subject, state, step);
      if (broken) return cameTo(number, broken, [step.name]);
      const to = reached.add(from, step) ?? number;
      if (step.after.faults === state.faults) before.set(to, [...(before.get(to) ?? []), number]);
    }
  }
  const trapped = reached.firstTrapped(isEnded, before);
  return trapped === undefined ? cameTo(reached.size - 1) : cameTo(trapped, EVERYTHING_ENDS);
}

/** The name of the invariant that a trace breaks. @throws Error for a step that cannot happen then */
export async function replayQueue(
  subject: QueueSubject,
  trace: string,
  code: QueueCode = SHIPPED,
): Promise<string | undefined> {
  const functions = new Functions(subject, code);
  let state = initialState(subject);
  for (const name of trace.split(' ')) {
    const steps = await nextSteps(functions, subject, state);
    const step = steps.find(one => one.name === name);
    if (!step) throw new Error(`${name} cannot happen; there are ${steps.map(one => one.name).join(', ')}`);
    const broken = brokenBy(subject, state, step);
    if (broken) return broken;
    state = step.after;
  }
  return undefined;
}

function brokenBy(subject: QueueSubject, state: QueueState, step: QueueStep): string | undefined {
  return QUEUE_INVARIANTS.find(({ isBrokenBy }) => isBrokenBy(subject, state, step))?.name;
}

async function nextSteps(
  functions: Functions,
  subject: QueueSubject,
  state: QueueState,
): Promise<QueueStep[]> {
  const advances = await Promise.all(state.invocations.map(one => functions.advance(one)));
  return stepsFrom(subject, state, advances).map(step => ({ ...step, after: noted(state, step.after) }));
}
