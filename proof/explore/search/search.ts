import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { goesRound } from '../invariants/everything-ends';
import { type Violation, violationIn } from '../invariants/invariants';
import { fingerprintOf, type ModelState } from '../model/model-state';
import { initialState, StateSpace } from '../model/state-space';
import type { Subject } from '../model/subject';
import type { Step } from '../transition/step';
import { type Channel, comparesPayload } from '../transition/steps';
import { TransitionGraph } from './cycles';
import { Parents } from './parents';
import { SeenTexts } from './seen';
import { successorsOf } from './successors';

/** How far to explore. */
export interface Budget {
  readonly executions: number;
  readonly faults: number;
  /** The ways by which deliveries come. */
  readonly channels: readonly Channel[];
}

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

const REPORT_EVERY = 2048;

/** Why an exploration was ended before it had been everywhere. */
export type Stop = 'interrupted' | 'memory';

/**
 * Visits every state that can be reached, breadth first, so that the first violation has one of the shortest schedules.
 *
 * The same subject and budget give the same answer, down to the counts.
 */
export async function explore(subject: Subject, budget: Budget, watcher: Watcher = {}): Promise<Exploration> {
  const space = new StateSpace(subject, budget.faults);
  const seen = new SeenTexts();
  const parents = new Parents();
  const graph = new TransitionGraph();
  const first = initialState(space, budget.executions, budget.faults);
  let level: ModelState[] = [first];
  let transitions = 0;
  let depth = 0;
  let firstOfLevel = 0;
  seen.numberOf(fingerprintOf(first));
  const progress = () => ({ states: seen.size, transitions, depth });
  const ended = (violation: Exploration['violation'], stopped?: Stop): Exploration => ({
    ...progress(),
    executionStates: space.workflow.size,
    comparesPayload: comparesPayload(space),
    unvisited: unvisitedIn(space, budget.channels),
    stopped,
    violation,
  });

  for (; level.length > 0; depth += 1) {
    const next: ModelState[] = [];
    for (const [index, model] of level.entries()) {
      const number = firstOfLevel + index;
      const successors = successorsOf(space, model, budget.channels);
      if (successors.stuck) return ended({ ...successors.stuck, schedule: parents.pathTo(number) });
      for (const step of successors.steps) {
        transitions += 1;
        const violation = violationIn(space, model, step);
        if (violation) return ended({ ...violation, schedule: [...parents.pathTo(number), step.name] });
        const { size } = seen;
        const to = seen.numberOf(fingerprintOf(step.after));
        graph.add(number, to);
        if (to < size) continue;
        next.push(step.after);
        parents.add(number, step.name);
      }
      if (transitions % REPORT_EVERY >= successors.steps.length) continue;
      watcher.progress?.(progress());
      const stop = await stopOf(watcher);
      if (stop) return ended(undefined, stop);
    }
    firstOfLevel += level.length;
    level = next;
  }
  const cycle = graph.cycle(seen.size);
  if (!cycle) return ended(undefined);
  const schedule = roundThrough(space, { first, channels: budget.channels, seen, parents, cycle });
  return ended({ ...goesRound(), schedule });
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
  readonly seen: SeenTexts;
  readonly parents: Parents;
  readonly cycle: readonly number[];
}

/** The schedule to the first state of a cycle, and once round. */
function roundThrough(space: StateSpace, round: Round): readonly string[] {
  const { seen, parents, cycle } = round;
  const nearest = Math.min(...cycle);
  const at = cycle.indexOf(nearest);
  const numbers = [...cycle.slice(at + 1), ...cycle.slice(0, at + 1)];
  const schedule = parents.pathTo(nearest);
  let model = round.first;
  for (const name of schedule) model = stepOf(space, model, round, step => step.name === name).after;
  for (const number of numbers) {
    const step = stepOf(space, model, round, ({ after }) => seen.numberOf(fingerprintOf(after)) === number);
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
