import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Violation } from '../../../proof/explore/invariants/invariants';
import type { Subject } from '../../../proof/explore/model/subject';
import type { Mutation } from '../../../proof/explore/mutations/mutation';
import { mutated, tryMutation } from '../../../proof/explore/mutations/run';
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
 * What a mutant violates: along the schedule that is kept for it, else by a search. After a change of the workflow a
 * schedule may lead elsewhere, and its mutant takes as long as it takes to find it again; `UPDATE_SCHEDULES=1` keeps
 * what is found. With ONCEFLOW_EXPLORED=full each is searched.
 */
export async function violationOf(subject: Subject, mutation: Explored): Promise<Violation | undefined> {
  const { name, budgets, schedule = SCHEDULES[name] } = mutation;
  if (schedule !== undefined && explored(0, 1) === 0) {
    const violation = violationAlong(schedule, mutated(subject, mutation));
    if (violation) return violation;
  }
  const { killed } = await tryMutation(subject, mutation, budgets);
  if (killed && process.env['UPDATE_SCHEDULES'] === '1') keep(name, killed.violation.schedule.join(' '));
  return killed?.violation;
}

function keep(name: string, schedule: string): void {
  const kept = { ...JSON.parse(readFileSync(FILE, 'utf8')), [name]: schedule };
  const sorted = Object.entries(kept).sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

/**
 * What a schedule of direct deliveries violates, with as many of these and of faults as it has: where more of them may
 * come other steps are possible, and not everything has ended where it ends. Undefined where it cannot be gone through.
 */
function violationAlong(schedule: string, subject: Subject): Violation | undefined {
  const started = [...schedule.matchAll(/\bstart(\d+)/g)].map(([, number]) => Number(number));
  const executions = Math.max(...started, subject.formerDeliveries ?? 0);
  for (let faults = 0; faults <= FAULTS_MAX; faults += 1) {
    try {
      return replayTrace(subject, { executions, faults, channels: ['direct'] }, schedule.split(' '))
        .violation;
    } catch (error) {
      if (!(error instanceof ImpossibleStep)) throw error;
    }
  }
  return undefined;
}

const FAULTS_MAX = 3;
