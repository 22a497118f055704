import { withSynthesizedApp } from '../../cli/app/synthesize';
import { subjectOfAssembly } from '../explore/model/load-subject';
import type { Subject } from '../explore/model/subject';
import { MUTATIONS, mutated } from '../explore/mutations/run';
import { ImpossibleStep, replayTrace } from '../explore/trace';
import { VARIANT_MUTATIONS } from '../explore/variants/mutations';
import { withVariants } from '../explore/variants/run';
import type { Checker, Question } from './checker';
import type { Counterpart, Guard } from './guards';
import { translated } from './translate';

/** What becomes of a schedule: it breaks an invariant, holds them all, is not possible, or has what the other lacks. */
export type Verdict =
  | { readonly kind: 'violation'; readonly invariant: string }
  | { readonly kind: 'holds' | 'impossible' }
  | { readonly kind: 'left out'; readonly what: string };

/** One schedule, replayed four times: in the exploration and in the specification, with the guard and without it. */
export interface Comparison {
  readonly guard: string;
  readonly mutation: string;
  readonly schedule: string;
  readonly explored: { readonly without: Verdict; readonly with: Verdict };
  readonly specified: { readonly without: Verdict; readonly with: Verdict };
  /** Whether both reject it without the guard, and neither does with it. */
  readonly agrees: boolean;
}

/** More than any kept schedule has. */
const BUDGET = { executions: 3, faults: 4, channels: ['direct'] } as const;

/** What the specification makes of a schedule of the exploration. */
export async function specified(
  checker: Checker,
  schedule: readonly string[],
  how: Pick<Question, 'without' | 'isAtMostOnce'>,
): Promise<Verdict> {
  const steps = translated(schedule);
  if ('leftOut' in steps) return { kind: 'left out', what: steps.leftOut };
  const { violation, isPossible } = await checker.ask('schedule', {
    deliveries: 3,
    faults: 9,
    ...how,
    steps,
  });
  if (violation) return { kind: 'violation', invariant: violation.invariant };
  return { kind: isPossible ? 'holds' : 'impossible' };
}

/** What the exploration makes of one of its schedules. */
function explored(subject: Subject, schedule: readonly string[]): Verdict {
  try {
    const { violation } = replayTrace(subject, BUDGET, schedule);
    return violation ? { kind: 'violation', invariant: violation.invariant } : { kind: 'holds' };
  } catch (error) {
    if (error instanceof ImpossibleStep) return { kind: 'impossible' };
    throw error;
  }
}

/** Compares the guards that have a counterpart, one after the other. @throws Error where an app cannot be synthesized */
export async function compareAll(
  guards: readonly Guard[],
  checker: Checker,
  { next, signal }: { readonly next: (guard: Guard) => void; readonly signal: AbortSignal },
): Promise<readonly Comparison[]> {
  const all: Comparison[] = [];
  const compare = async (load: (variant: string | undefined) => Subject, isOfVariant: boolean) => {
    for (const guard of guards) {
      const { counterpart } = guard;
      if (!counterpart || (counterpart.variant !== undefined) !== isOfVariant) continue;
      next(guard);
      all.push(await compared(guard, counterpart, load(counterpart.variant), checker));
    }
  };
  const loaded = (result: ReturnType<typeof subjectOfAssembly>) => {
    if (result.kind === 'problem') throw new Error(result.message);
    return result.subject;
  };
  await withSynthesizedApp(
    async assembly => compare(() => loaded(subjectOfAssembly(assembly)), false),
    signal,
  );
  await withVariants(async load => compare(variant => loaded(load(variant ?? '')), true), signal);
  return all;
}

async function compared(
  { name, isAtMostOnce }: Guard,
  { mutation: called, schedule, continued = '' }: Counterpart,
  subject: Subject,
  checker: Checker,
): Promise<Comparison> {
  const mutation = [...MUTATIONS, ...VARIANT_MUTATIONS].find(({ name: other }) => other === called);
  if (!mutation) throw new Error(`the exploration has no mutant ${called}`);
  const steps = schedule.split(' ');
  const told = [...steps, ...continued.split(' ').filter(Boolean)];
  const how = isAtMostOnce ? { isAtMostOnce } : {};
  const explorations = {
    without: explored(mutated(subject, mutation), steps),
    with: explored(subject, steps),
  };
  const specifications = {
    without: await specified(checker, told, { ...how, without: name }),
    with: await specified(checker, told, how),
  };
  const both = [explorations, specifications];
  return {
    guard: name,
    mutation: called,
    schedule,
    explored: explorations,
    specified: specifications,
    agrees: both.every(
      one => one.without.kind === 'violation' && ['holds', 'impossible'].includes(one.with.kind),
    ),
  };
}
