import { chanceByKey } from '../demo/chance';
import type { Contender } from './contenders/contender';
import { HARMS, type Harm, type Outcome } from './judge';
import { KINDS, type Kind } from './kinds';
import { Ring } from './run';
import { type Schedule, textOf } from './schedule';
import { shortest } from './shorten';
import { type Bill, billOf, emptyBill } from './world/bill';
import type { Step } from './world/play';

/** A contender in one kind of trouble: the sums of all seeds. */
export interface Cell extends Outcome {
  readonly contender: string;
  readonly kind: string;
  readonly bill: Bill;
}

/** The shortest schedule known that does a harm to a contender, told step by step. */
export interface Found {
  readonly contender: string;
  readonly harm: Harm;
  readonly kind: string;
  readonly schedule: string;
  readonly steps: readonly Step[];
}

/** What one contender came to. */
export interface Score {
  readonly cells: readonly Cell[];
  readonly found: readonly Found[];
}

/** Which schedules are played. */
export interface Course {
  readonly seeds: number;
  /** Ids of kinds; undefined for all. */
  readonly kinds: readonly string[] | undefined;
}

/** The schedule of a kind and a seed: the same for every contender, and in every run. */
export function scheduleFor(kind: Kind, seed: number): Schedule {
  const chance = chanceByKey(seed);
  return kind.draw(() => chance(kind.id));
}

/** Plays the course to a contender, then looks for the shortest schedule of each harm that it came to. */
export async function scoreOf(
  contender: Contender,
  { seeds, kinds }: Course,
  told: (done: number, total: number) => void,
): Promise<Score> {
  const course = KINDS.filter(({ id }) => kinds === undefined || kinds.includes(id));
  const cells: Cell[] = [];
  const harmful: { readonly harm: Harm; readonly kind: string; readonly schedule: Schedule }[] = [];
  const ring = await Ring.open(contender);
  let done = 0;
  try {
    for (const kind of course) {
      let cell: Cell = { contender: contender.id, kind: kind.id, ...NOTHING, bill: emptyBill() };
      for (let seed = 1; seed <= seeds; seed += 1) {
        const schedule = scheduleFor(kind, seed);
        const { outcome, bill } = await ring.play(schedule);
        cell = { ...cell, ...sum(cell, outcome), bill: billOf(cell.bill, bill) };
        for (const harm of HARMS) if (outcome[harm] > 0) harmful.push({ harm, kind: kind.id, schedule });
        done += 1;
        told(done, course.length * seeds);
      }
      cells.push(cell);
    }
  } finally {
    await ring.close();
  }
  const found: Found[] = [];
  for (const harm of HARMS) {
    const known = harmful.filter(one => one.harm === harm);
    // One that does its harm only behind what was played before cannot be told by itself; the next one may.
    for (const { kind, schedule } of known.toSorted((a, b) => weight(a.schedule) - weight(b.schedule))) {
      const least = await shortest(contender, schedule, harm);
      if (least === undefined) continue;
      const { steps } = least;
      found.push({ contender: contender.id, harm, kind, schedule: textOf(least.schedule), steps });
      break;
    }
  }
  return { cells, found };
}

/** The sums of several outcomes. */
export function sum(one: Outcome, other: Outcome): Outcome {
  const names = Object.keys(NOTHING) as (keyof Outcome)[];
  return Object.fromEntries(names.map(name => [name, one[name] + other[name]])) as unknown as Outcome;
}

export const NOTHING: Outcome = {
  deliveries: 0,
  doubled: 0,
  doubledAtProvider: 0,
  lost: 0,
  stuck: 0,
  wrongAnswers: 0,
  letThrough: 0,
  told: 0,
};

/** How much there is to tell of a schedule. */
function weight(schedule: Schedule): number {
  return textOf(schedule).split(/[/,]/).length;
}
