import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { goesRound } from '../invariants/everything-ends';
import type { Violation } from '../invariants/invariants';
import type { ModelState } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import type { Subject } from '../model/subject';
import type { Step } from '../transition/step';
import { type Channel, comparesPayload } from '../transition/steps';
import { TransitionGraph } from './cycles';
import { type Budget, Expansion, type Found, TURN_STATES } from './expansion';
import { SeenStates } from './seen';
import { successorsOf } from './successors';

/** How far an exploration has come. */
export interface Progress {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
}

/** What an exploration came to. */
export interface Exploration extends Progress {
  /** States of single executions that were met: what the engine was asked about. */
  readonly executionStates: number;
  /** Whether the definition distinguishes the explored payloads: else all deliveries have the same. */
  readonly comparesPayload: boolean;
  /** States of the definitions that no execution has come to, by their names. */
  readonly unvisited: readonly string[];
  /** Undefined where it was ended by nobody. */
  readonly stopped: Stop | undefined;
  /** The first violation, with the shortest way there; undefined where there is none. */
  readonly violation: (Violation & { readonly schedule: readonly string[] }) | undefined;
}

/** Watches an exploration, and may end it. */
export interface Watcher {
  readonly progress?: (progress: Progress) => void;
  /** Ends it early. */
  readonly signal?: AbortSignal;
}

/** Why an exploration was ended before it had been everywhere. */
export type Stop = 'interrupted' | 'memory';

/**
 * Visits every state that can be reached, breadth first, so that the first violation has one of the shortest schedules.
 *
 * The same subject and budget give the same answer, down to the counts.
 */
export async function explore(subject: Subject, budget: Budget, watcher: Watcher = {}): Promise<Exploration> {
  const { exploration, isForward } = await searched(subject, budget, watcher);
  if (exploration.stopped || exploration.violation || isForward) return exploration;
  // There may be a circle: all transitions together show whether there is.
  return (await searched(subject, budget, watcher, new TransitionGraph())).exploration;
}

/** `graph`: where all transitions are noted, and looked at for cycles in the end; undefined where they need not be. */
async function searched(
  subject: Subject,
  budget: Budget,
  watcher: Watcher,
  graph?: TransitionGraph,
): Promise<{ readonly exploration: Exploration; readonly isForward: boolean }> {
  const seen = new SeenStates();
  const expansion = new Expansion(subject, budget, seen, graph);
  const { space, names, moves } = expansion;
  let depth = 0;
  const pathTo = (state: number) => seen.pathTo(state).map(step => names[step] ?? '');
  const progress = () => ({ states: seen.size, transitions: expansion.transitions, depth });
  const ended = (violation: Exploration['violation'], stopped?: Stop) => ({
    isForward: moves.areAllForward,
    exploration: {
      ...progress(),
      executionStates: space.workflow.size,
      comparesPayload: comparesPayload(space),
      unvisited: unvisitedIn(space, budget.channels),
      stopped,
      violation,
    },
  });

  seen.reserve(1);
  const first = expansion.begin();
  for (; expansion.nextLevel > 0; depth += 1) {
    expansion.goDeeper();
    for (let isDone = false; !isDone; ) {
      seen.reserve(TURN_STATES);
      const turn = expansion.turn();
      if (turn.found) return ended(withSchedule(turn.found, pathTo));
      isDone = turn.isDone;
      watcher.progress?.(progress());
      const stop = await stopOf(watcher);
      if (stop) return ended(undefined, stop);
    }
  }
  const cycle = graph?.cycle(seen.size);
  if (!cycle) return ended(undefined);
  const schedule = roundThrough(expansion, { first, channels: budget.channels, seen, pathTo, cycle });
  return ended({ ...goesRound(), schedule });
}

function withSchedule({ state, step, violation }: Found, pathTo: (state: number) => string[]) {
  return { ...violation, schedule: [...pathTo(state), ...(step === undefined ? [] : [step])] };
}

function unvisitedIn({ workflow, dispatcher }: StateSpace, channels: readonly Channel[]): readonly string[] {
  const isDispatched = dispatcher && channels.includes('dispatcher');
  return [...workflow.unvisited, ...(isDispatched ? dispatcher.unvisited : [])];
}

async function stopOf({ signal }: Watcher): Promise<Stop | undefined> {
  // Signals of the operating system come between turns of the event loop only.
  await new Promise(setImmediate);
  if (signal?.aborted) return 'interrupted';
  return isMemoryNearlyFull() ? 'memory' : undefined;
}

interface Round {
  readonly first: ModelState;
  readonly channels: readonly Channel[];
  readonly seen: SeenStates;
  readonly pathTo: (state: number) => string[];
  readonly cycle: readonly number[];
}

/** The schedule to the first state of a cycle, and once round. */
function roundThrough({ space, packed }: Expansion, round: Round): readonly string[] {
  const { seen, pathTo, cycle } = round;
  const nearest = Math.min(...cycle);
  const at = cycle.indexOf(nearest);
  const numbers = [...cycle.slice(at + 1), ...cycle.slice(0, at + 1)];
  const schedule = pathTo(nearest);
  let model = round.first;
  for (const name of schedule) model = stepOf(space, model, round, step => step.name === name).after;
  for (const number of numbers) {
    const step = stepOf(space, model, round, ({ after }) => {
      packed.pack(after);
      return ~seen.add(packed.hash(), 0, 0) === number;
    });
    schedule.push(step.name);
    model = step.after;
  }
  return schedule;
}

function stepOf(
  space: StateSpace,
  model: ModelState,
  { channels }: Round,
  isMeant: (step: Step) => boolean,
): Step {
  const step = successorsOf(space, model, channels).steps.find(isMeant);
  if (!step) throw new Error('a step that was taken before is not possible any more');
  return step;
}

/** The part of the heap that may be in use: beyond it the process would soon be ended, with all that it has found. */
const FULL = 0.7;
/** What of the limit is for young objects, which are collected all the time. */
const YOUNG_BYTES = 48 * 1024 * 1024;

let collect: (() => void) | undefined;

/** Whether what is in use, garbage apart, is nearly all of the memory that the process may have. */
function isMemoryNearlyFull(): boolean {
  if (share() < FULL) return false;
  collect ??= collector();
  collect();
  return share() >= FULL;
}

function share(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used / (limit - YOUNG_BYTES);
}

// Node offers its collector by a flag alone, which can be set for contexts that are made afterwards.
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
