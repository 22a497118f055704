import { type Violation, violationIn } from '../invariants';
import { remembered } from '../past';
import { stuckAt } from '../stuck';
import type { Subject } from '../subject';
import { faultSteps } from '../world/faults';
import { Pending } from '../world/locals';
import { isQuiet } from '../world/moves';
import type { Step } from '../world/step';
import { type Entry, ordinarySteps } from '../world/steps';
import { firstWorld, textOf, Universe, type World } from '../world/world';
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
  /** The first violation, with the shortest way there; undefined where there is none. */
  readonly violation: (Violation & { readonly schedule: readonly string[] }) | undefined;
}

/** Watches an exploration, and may end it. */
export interface Watcher {
  readonly progress?: (progress: Progress) => void;
  /** The most states to visit. @throws Error beyond it */
  readonly statesMax?: number;
}

const REPORT_EVERY = 2048;

/**
 * Visits every world that can be reached, breadth first, so that the first violation has one of the shortest schedules.
 *
 * The same subject and budget give the same answer, down to the counts.
 */
export async function explore(subject: Subject, budget: Budget, watcher: Watcher = {}): Promise<Exploration> {
  const universe = new Universe(subject);
  const seen = new SeenTexts();
  const parents = new Parents();
  const first = firstWorld(universe, budget.executions, budget.faults);
  let level: World[] = [first];
  let transitions = 0;
  let depth = 0;
  let firstOfLevel = 0;
  seen.add(textOf(first));
  const progress = () => ({ states: seen.size, transitions, depth });
  const ended = (violation: Exploration['violation']) => {
    return { ...progress(), localStates: universe.workflow.size, violation };
  };

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
        if (!seen.add(textOf(step.after))) continue;
        next.push(step.after);
        parents.add(number, step.name);
      }
      if (transitions % REPORT_EVERY < looked.steps.length) watcher.progress?.(progress());
    }
    if (seen.size > (watcher.statesMax ?? Number.POSITIVE_INFINITY))
      throw new Error(`more than ${watcher.statesMax} states`);
    firstOfLevel += level.length;
    level = next;
  }
  return ended(undefined);
}

/** What can happen next in a world, and what is wrong with it where nothing goes on. */
export interface Looked {
  readonly steps: readonly Step[];
  readonly stuck: Violation | undefined;
}

/** Works out the steps of a world; what the engine has not been asked before may take a moment. */
export async function lookAt(universe: Universe, world: World, entries: readonly Entry[]): Promise<Looked> {
  for (;;) {
    try {
      return look(universe, world, entries);
    } catch (error) {
      if (!(error instanceof Pending)) throw error;
      await error.done;
    }
  }
}

function look(universe: Universe, world: World, entries: readonly Entry[]): Looked {
  const steps = [...ordinarySteps(universe, world, entries), ...faultSteps(universe, world, entries)];
  const isStill = world.delivered > 0 && isQuiet(universe, world);
  return {
    steps: steps.map(step => remembered(world, step)),
    stuck: isStill ? stuckAt(universe, world, entries) : undefined,
  };
}
