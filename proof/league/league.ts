import { chanceByKey } from '../demo/seeded-random';
import type { Contender } from './contenders/contender';
import { FAILURES, type Failure, type Outcome } from './judge';
import { FAULT_KINDS, type FaultKind } from './kinds';
import { ContenderRun } from './run';
import { type Schedule, textOf } from './schedule';
import { shortest } from './shorten';
import { addBills, type Bill, emptyBill } from './world/bill';
import type { Step } from './world/play';

/** A contender in one kind of fault: the sums of all seeds. */
export interface Cell extends Outcome {
  readonly contender: string;
  readonly kind: string;
  readonly bill: Bill;
}

/** The shortest schedule known that makes a contender fail, step by step. */
export interface Found {
  readonly contender: string;
  readonly failure: Failure;
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
export interface Selection {
  readonly seeds: number;
  /** Ids of kinds; undefined for all. */
  readonly kinds: readonly string[] | undefined;
}

/** The schedule of a kind and a seed: the same for every contender, and in every run. */
export function scheduleFor(kind: FaultKind, seed: number): Schedule {
  const chance = chanceByKey(seed);
  return kind.draw(() => chance(kind.id));
}

/** Plays the selected schedules to a contender, then finds the shortest schedule of each failure. */
export async function scoreOf(
  contender: Contender,
  { seeds, kinds }: Selection,
  onProgress: (done: number, total: number) => void,
): Promise<Score> {
  const selected = FAULT_KINDS.filter(({ id }) => kinds === undefined || kinds.includes(id));
  const cells: Cell[] = [];
  const failed: { readonly failure: Failure; readonly kind: string; readonly schedule: Schedule }[] = [];
  const run = await ContenderRun.open(contender);
  let done = 0;
  try {
    for (const kind of selected) {
      let cell: Cell = { contender: contender.id, kind: kind.id, ...NO_OUTCOME, bill: emptyBill() };
      for (let seed = 1; seed <= seeds; seed += 1) {
        const schedule = scheduleFor(kind, seed);
        const { outcome, bill } = await run.play(schedule);
        cell = { ...cell, ...sum(cell, outcome), bill: addBills(cell.bill, bill) };
        for (const failure of FAILURES)
          if (outcome[failure] > 0) failed.push({ failure, kind: kind.id, schedule });
        done += 1;
        onProgress(done, selected.length * seeds);
      }
      cells.push(cell);
    }
  } finally {
    await run.close();
  }
  const found: Found[] = [];
  for (const failure of FAILURES) {
    const known = failed.filter(one => one.failure === failure);
    // A failure that depends on earlier schedules does not recur alone. The next schedule might fail alone.
    for (const { kind, schedule } of known.toSorted((a, b) => weight(a.schedule) - weight(b.schedule))) {
      const least = await shortest(contender, schedule, failure);
      if (least === undefined) continue;
      const { steps } = least;
      found.push({ contender: contender.id, failure, kind, schedule: textOf(least.schedule), steps });
      break;
    }
  }
  return { cells, found };
}

/** The sums of several outcomes. */
export function sum(one: Outcome, other: Outcome): Outcome {
  const names = Object.keys(NO_OUTCOME) as (keyof Outcome)[];
  return Object.fromEntries(names.map(name => [name, one[name] + other[name]])) as unknown as Outcome;
}

/** The outcome of nothing: every figure is 0. */
export const NO_OUTCOME: Outcome = {
  deliveries: 0,
  doubled: 0,
  doubledAtProvider: 0,
  lost: 0,
  overdue: 0,
  wrongAnswers: 0,
  letThrough: 0,
  reported: 0,
};

/** How many parts a schedule has. */
function weight(schedule: Schedule): number {
  return textOf(schedule).split(/[/,]/).length;
}
