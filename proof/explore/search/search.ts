import { goesRound, waitsForNothing } from '../endless';
import { type Violation, violationIn } from '../invariants';
import { remembered } from '../past';
import { stuckAt } from '../stuck';
import type { Subject } from '../subject';
import { faultSteps } from '../world/faults';
import { Pending } from '../world/locals';
import { isQuiet } from '../world/moves';
import type { Step } from '../world/step';
import { comparesPayload, type Entry, ordinarySteps } from '../world/steps';
import { firstWorld, textOf, Universe, type World } from '../world/world';
import { Ways } from './circles';
import { isMemoryNearlyFull } from './memory';
import { Parents } from './parents';
import { SeenTexts } from './seen';

/** How far to explore. */
export interface Budget {
  readonly executions: number;
  readonly faults: number;
  /** The ways by which deliveries come. */
  readonly entries: readonly Entry[];
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
  readonly localStates: number;
  /** Whether the definition tells the explored payloads apart: else all deliveries have the same. */
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
 * Visits every world that can be reached, breadth first, so that the first violation has one of the shortest schedules.
 *
 * The same subject and budget give the same answer, down to the counts.
 */
export async function explore(subject: Subject, budget: Budget, watcher: Watcher = {}): Promise<Exploration> {
  const universe = new Universe(subject, budget.faults);
  const seen = new SeenTexts();
  const parents = new Parents();
  const ways = new Ways();
  const first = firstWorld(universe, budget.executions, budget.faults);
  let level: World[] = [first];
  let transitions = 0;
  let depth = 0;
  let firstOfLevel = 0;
  seen.numberOf(textOf(first));
  const progress = () => ({ states: seen.size, transitions, depth });
  const ended = async (violation: Exploration['violation'], stopped?: Stop): Promise<Exploration> => ({
    ...progress(),
    localStates: universe.workflow.size,
    comparesPayload: await known(() => comparesPayload(universe)),
    unvisited: unvisitedIn(universe, budget.entries),
    stopped,
    violation,
  });

  for (; level.length > 0; depth += 1) {
    const next: World[] = [];
    for (const [index, world] of level.entries()) {
      const number = firstOfLevel + index;
      const looked = await lookAt(universe, world, budget.entries);
      if (looked.stuck) return ended({ ...looked.stuck, schedule: parents.wayTo(number) });
      for (const step of looked.steps) {
        transitions += 1;
        const violation = violationIn(universe, world, step);
        if (violation) return ended({ ...violation, schedule: [...parents.wayTo(number), step.name] });
        const { size } = seen;
        const to = seen.numberOf(textOf(step.after));
        ways.add(number, to);
        if (to < size) continue;
        next.push(step.after);
        parents.add(number, step.name);
      }
      if (transitions % REPORT_EVERY >= looked.steps.length) continue;
      watcher.progress?.(progress());
      const stop = await stopOf(watcher);
      if (stop) return ended(undefined, stop);
    }
    firstOfLevel += level.length;
    level = next;
  }
  const circle = ways.circle(seen.size);
  if (!circle) return ended(undefined);
  const schedule = await roundThrough(universe, { first, entries: budget.entries, seen, parents, circle });
  return ended({ ...goesRound(), schedule });
}

function unvisitedIn({ workflow, dispatcher }: Universe, entries: readonly Entry[]): readonly string[] {
  const isDispatched = dispatcher && entries.includes('dispatcher');
  return [...workflow.unvisited, ...(isDispatched ? dispatcher.unvisited : [])];
}

async function stopOf({ signal }: Watcher): Promise<Stop | undefined> {
  // Signals of the operating system come between turns of the event loop only.
  await new Promise(setImmediate);
  if (signal?.aborted) return 'interrupted';
  return isMemoryNearlyFull() ? 'memory' : undefined;
}

interface Round {
  readonly first: World;
  readonly entries: readonly Entry[];
  readonly seen: SeenTexts;
  readonly parents: Parents;
  readonly circle: readonly number[];
}

/** The schedule to the first world of a circle, and once round. */
async function roundThrough(universe: Universe, round: Round): Promise<readonly string[]> {
  const { seen, parents, circle } = round;
  const nearest = Math.min(...circle);
  const at = circle.indexOf(nearest);
  const numbers = [...circle.slice(at + 1), ...circle.slice(0, at + 1)];
  const schedule = parents.wayTo(nearest);
  let world = round.first;
  for (const name of schedule)
    world = (await stepOf(universe, world, round, step => step.name === name)).after;
  for (const number of numbers) {
    const step = await stepOf(universe, world, round, ({ after }) => seen.numberOf(textOf(after)) === number);
    schedule.push(step.name);
    world = step.after;
  }
  return schedule;
}

async function stepOf(
  universe: Universe,
  world: World,
  { entries }: Round,
  isMeant: (step: Step) => boolean,
): Promise<Step> {
  const step = (await lookAt(universe, world, entries)).steps.find(isMeant);
  if (!step) throw new Error('a step that was taken before is not possible any more');
  return step;
}

/** What can happen next in a world, and what is wrong with it where nothing goes on. */
export interface Looked {
  readonly steps: readonly Step[];
  readonly stuck: Violation | undefined;
}

/** Works out the steps of a world. */
export function lookAt(universe: Universe, world: World, entries: readonly Entry[]): Promise<Looked> {
  return known(() => look(universe, world, entries));
}

/** An answer that depends on the engine; what it has not been asked before may take a moment. */
export async function known<Answer>(ask: () => Answer): Promise<Answer> {
  for (;;) {
    try {
      return ask();
    } catch (error) {
      if (!(error instanceof Pending)) throw error;
      await error.done;
    }
  }
}

function look(universe: Universe, world: World, entries: readonly Entry[]): Looked {
  const ordinary = ordinarySteps(universe, world, entries);
  const steps = [...ordinary, ...faultSteps(universe, world, entries)];
  return {
    steps: steps.map(step => remembered(world, step)),
    stuck: stillnessOf(universe, world, { entries, isOver: ordinary.length === 0 }),
  };
}

interface Stillness {
  readonly entries: readonly Entry[];
  /** Whether nothing can happen any more without a fault. */
  readonly isOver: boolean;
}

function stillnessOf(
  universe: Universe,
  world: World,
  { entries, isOver }: Stillness,
): Violation | undefined {
  if (world.delivered === 0) return undefined;
  if (isQuiet(universe, world)) return stuckAt(universe, world, entries);
  return isOver ? waitsForNothing(universe, world) : undefined;
}
