import type { Contender } from './contenders/contender';
import type { Failure } from './judge';
import { ContenderRun } from './run';
import { CALM, type Schedule, textOf } from './schedule';
import type { Step } from './world/play';

/**
 * The schedule without everything that the failure does not need: one thing after another is left out, each try on a
 * stack of its own, as in a replay. Undefined if the schedule alone does not cause the failure: then earlier schedules
 * were a part of it, for example by the random waits between retries.
 */
export async function shortest(
  contender: Contender,
  schedule: Schedule,
  failure: Failure,
): Promise<{ readonly schedule: Schedule; readonly steps: readonly Step[] } | undefined> {
  let known = await firstWith(contender, [schedule], failure);
  if (known === undefined) return undefined;
  for (let tried: readonly Schedule[] = []; ; ) {
    const next = shorterThan(known.schedule).filter(
      one => !tried.some(other => textOf(other) === textOf(one)),
    );
    tried = [...tried, ...next];
    const better = await firstWith(contender, next, failure);
    if (better === undefined) return known;
    known = better;
  }
}

/** Plays one schedule on a stack of its own. */
export async function replay(contender: Contender, schedule: Schedule) {
  const run = await ContenderRun.open(contender);
  try {
    return await run.play(schedule);
  } finally {
    await run.close();
  }
}

async function firstWith(contender: Contender, schedules: readonly Schedule[], failure: Failure) {
  for (const schedule of schedules) {
    const { outcome, steps } = await replay(contender, schedule);
    if (outcome[failure] > 0) return { schedule, steps };
  }
  return undefined;
}

/** Each with one thing less, the largest things first; of deliveries and faults the last ones. */
function shorterThan(schedule: Schedule): readonly Schedule[] {
  const { deliveries, faults, outage: _, ...rest } = schedule;
  const without = <One>(list: readonly One[]) =>
    list.map((_one, index) => list.filter((_other, at) => at !== index)).reverse();
  return [
    ...(schedule.outage ? [{ deliveries, faults, ...rest }] : []),
    ...(schedule.beside > 0 ? [{ ...schedule, beside: 0 }] : []),
    ...(deliveries.length > 1 ? without(deliveries).map(fewer => ({ ...schedule, deliveries: fewer })) : []),
    ...without(faults).map(fewer => ({ ...schedule, faults: fewer })),
    ...(schedule.clocks.some(clock => clock !== 0) ? [{ ...schedule, clocks: CALM.clocks }] : []),
    ...(schedule.failures !== 0 ? [{ ...schedule, failures: 0 }] : []),
    ...((schedule.failures ?? 2) > 1 ? [{ ...schedule, failures: 1 }] : []),
    ...(schedule.deletedAfter !== CALM.deletedAfter
      ? [{ ...schedule, deletedAfter: CALM.deletedAfter }]
      : []),
  ];
}
