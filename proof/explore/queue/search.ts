import { setImmediate } from 'node:timers/promises';
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

interface Node {
  readonly state: QueueState;
  readonly depth: number;
  readonly name?: string;
  readonly from?: Node;
  /** Those that lead here without a fault. */
  readonly before: Node[];
}

// Not the search of the kernel: the functions are asynchronous, and what must come in the end needs all predecessors.
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
  const first: Node = { state: initialState(subject), depth: 0, before: [] };
  const nodes = [first];
  const known = new Map([[JSON.stringify(first.state), first]]);
  let transitions = 0;
  for (let at = 0; at < nodes.length; at += 1) {
    // The functions wait for nothing but promises: without a turn of the event loop no signal arrives.
    if (at % STATES_PER_TURN === 0) await setImmediate();
    signal?.throwIfAborted();
    const node = nodes[at] as Node;
    for (const step of await nextSteps(functions, subject, node.state)) {
      transitions += 1;
      const broken = brokenBy(subject, node.state, step);
      const counts = { states: nodes.length, transitions, depth: node.depth };
      if (broken) {
        const schedule = [...scheduleOf(node), step.name];
        return { ...counts, violation: { invariant: broken, schedule } };
      }
      const key = JSON.stringify(step.after);
      let next = known.get(key);
      if (!next) {
        next = { state: step.after, depth: node.depth + 1, name: step.name, from: node, before: [] };
        known.set(key, next);
        nodes.push(next);
      }
      if (next.state.faults === node.state.faults) next.before.push(node);
    }
  }
  const counts = { states: nodes.length, transitions, depth: nodes.at(-1)?.depth ?? 0 };
  const stuck = firstStuck(nodes);
  return stuck
    ? { ...counts, violation: { invariant: EVERYTHING_ENDS, schedule: scheduleOf(stuck) } }
    : counts;
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

/** The first state from which nothing leads to an end, if no other fault happens. */
function firstStuck(nodes: readonly Node[]): Node | undefined {
  const ending = new Set(nodes.filter(({ state }) => isEnded(state)));
  for (const node of ending) for (const before of node.before) ending.add(before);
  return nodes.find(node => !ending.has(node));
}

function scheduleOf(node: Node): string[] {
  const names: string[] = [];
  for (let one: Node | undefined = node; one?.name !== undefined; one = one.from) names.unshift(one.name);
  return names;
}
