import type { Progress } from '../../cli/program/progress';
import { type Comparison, compareAll, specified, type Verdict } from './bridge';
import type { Answer, Checker } from './checker';
import { GUARDS, type Guard } from './guards';
import type { Options } from './options';

/** The protocol with all its guards. */
export interface Whole extends Answer {
  readonly isAtMostOnce: boolean;
}

/** The protocol without one of them. */
export interface Mutant {
  readonly guard: Guard;
  readonly answer: Answer;
}

/** What a check has come to. */
export interface Report {
  readonly deliveries: number;
  readonly faults: number;
  readonly wholes: readonly Whole[];
  readonly mutants: readonly Mutant[];
  readonly comparisons: readonly Comparison[];
}

/** Checks the protocol, at least and at most once; each guard, and its schedules. @throws Error where `signal` ends it */
export async function check(
  checker: Checker,
  { deliveries, faults, without }: Options,
  { progress, signal }: { readonly progress: Progress; readonly signal: AbortSignal },
): Promise<Report> {
  const guards = GUARDS.filter(({ name }) => without === undefined || name === without);
  const wholes: Whole[] = [];
  for (const isAtMostOnce of without === undefined ? [false, true] : []) {
    progress.begin(`${deliveries} deliveries, ${faults} faults, at ${isAtMostOnce ? 'most' : 'least'} once`);
    wholes.push({ isAtMostOnce, ...(await checker.ask('all', { deliveries, faults, isAtMostOnce })) });
  }
  const mutants: Mutant[] = [];
  for (const [done, guard] of guards.entries()) {
    progress.show(guard.name, done, guards.length);
    mutants.push({ guard, answer: await tryWithout(checker, guard) });
  }
  let compared = 0;
  const comparisons = await compareAll(guards, checker, {
    next: ({ name }) => progress.show(`schedules: ${name}`, compared++, guards.length),
    signal,
  });
  return { deliveries, faults, wholes, mutants, comparisons };
}

/** Looks for a violation without a guard, in the budget in which it shows. */
export function tryWithout(checker: Checker, { name, budget, isAtMostOnce }: Guard): Promise<Answer> {
  const [deliveries, faults] = budget;
  const how = isAtMostOnce ? { isAtMostOnce } : {};
  return checker.ask('all', { deliveries, faults, without: name, ...how });
}

/** What becomes of a schedule of the exploration. */
export function replay(checker: Checker, schedule: readonly string[], without?: string): Promise<Verdict> {
  const guard = GUARDS.find(({ name }) => name === without);
  const isAtMostOnce = guard?.isAtMostOnce ?? false;
  return specified(checker, schedule, { isAtMostOnce, ...(without !== undefined && { without }) });
}

/** Whether all holds, each guard is missed, and both programs judge its schedules alike. */
export function isShown({ wholes, mutants, comparisons }: Report): boolean {
  return (
    wholes.every(({ violation, isWhole }) => !violation && isWhole) &&
    mutants.every(({ answer }) => answer.violation) &&
    comparisons.every(({ agrees }) => agrees)
  );
}
