import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Violation } from '../../../proof/explore/invariants/invariants';
import type { Subject } from '../../../proof/explore/model/subject';
import type { Mutation } from '../../../proof/explore/mutations/mutation';
import {
  budgetOf,
  type Limits,
  type MutantFate,
  mutated,
  tryMutation,
} from '../../../proof/explore/mutations/run';
import { ImpossibleStep, replayTrace } from '../../../proof/explore/trace';
import { explored } from '../../support/scale';

const FILE = path.join(__dirname, 'schedules.json');

/** For mutants that are not found at once: a schedule that misses each. */
export const SCHEDULES: Readonly<Record<string, string>> = JSON.parse(readFileSync(FILE, 'utf8'));

type Explored = Mutation & {
  readonly schedule?: string;
  readonly budgets?: Parameters<typeof tryMutation>[2];
};

/**
 * What a mutant violates, and the budget that takes: along the schedule that is kept for it, else by a search. After a
 * change of the workflow a schedule may lead elsewhere, and its mutant takes as long as it takes to find it again;
 * `UPDATE_SCHEDULES=1` keeps what is found. With ONCEFLOW_EXPLORED=full each is searched. With an invariant, a schedule
 * that violates another one counts as one that leads elsewhere.
 */
export async function killOf(
  subject: Subject,
  mutation: Explored,
  { invariant, ...limits }: Limits & { readonly invariant?: string } = {},
): Promise<MutantFate['killed']> {
  const { name, budgets, schedule = SCHEDULES[name] } = mutation;
  if (schedule !== undefined && explored(0, 1) === 0) {
    const killed = killAlong(schedule, subject, mutation);
    if (killed && (invariant ?? killed.violation.invariant) === killed.violation.invariant) return killed;
  }
  const { killed, seconds } = await tryMutation(subject, mutation, budgets, limits);
  if (killed && process.env['UPDATE_SCHEDULES'] === '1')
    keep(name, seconds > 1 ? killed.violation.schedule.join(' ') : undefined);
  return killed;
}

/** What a mutant violates. */
export async function violationOf(subject: Subject, mutation: Explored): Promise<Violation | undefined> {
  return (await killOf(subject, mutation))?.violation;
}

/** Without a schedule nothing is kept: the search is as fast. */
function keep(name: string, schedule: string | undefined): void {
  const kept = { ...JSON.parse(readFileSync(FILE, 'utf8')), [name]: schedule };
  const sorted = Object.entries(kept).sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

/**
 * What a schedule violates, with as many deliveries and faults as it has: where more of them may come other steps are
 * possible, and not everything has ended where it ends. Undefined where it cannot be gone through.
 */
function killAlong(schedule: string, subject: Subject, mutation: Mutation): MutantFate['killed'] {
  const mutant = mutated(subject, mutation);
  const steps = schedule.split(' ');
  const started = [...schedule.matchAll(/\b(?:start|send|request)(\d+)/g)].map(([, number]) =>
    Number(number),
  );
  const executions = Math.max(...started, mutant.formerDeliveries ?? 0);
  for (let faults = 0; faults <= FAULTS_MAX; faults += 1) {
    const budget = budgetOf(mutation, executions, faults);
    try {
      const { violation } = replayTrace(mutant, budget, steps);
      return violation && { budget, violation: { ...violation, schedule: steps } };
    } catch (error) {
      if (!(error instanceof ImpossibleStep)) throw error;
    }
  }
  return undefined;
}

const FAULTS_MAX = 3;
