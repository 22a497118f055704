import { withSynthesizedApp } from '../../../cli/app/synthesize';
import { EXIT } from '../../../cli/program/exit';
import type { Progress } from '../../../cli/program/progress';
import { renderDiagram } from '../diagram';
import { shownHash } from '../model/definition-hash';
import { type LoadedSubject, subjectOfAssembly } from '../model/load-subject';
import { runningMachine, type Subject } from '../model/subject';
import type { Listener } from '../mutations/report';
import { BUDGETS, type MutantFate, mutated, tryMutation } from '../mutations/run';
import type { Options } from '../options';
import { replayCommand } from '../render';
import type { Budget } from '../search/expansion';
import { explore } from '../search/search';
import { replayTrace } from '../trace';
import type { VariantMutation } from './mutation';
import { renderVariants, type VariantFate } from './table';
import { type ExploredVariant, VARIANTS, variantCalled } from './variants';

const APP = `node --require ${JSON.stringify(require.resolve('tsx/cjs'))} proof/explore/variants/app.ts`;

/** Synthesizes all variants, and works on them; `load` reads the one of a name. @throws Error where the app fails */
export function withVariants<Result>(
  work: (load: (name: string) => LoadedSubject) => Result | Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  return withSynthesizedApp(async assembly => work(name => subjectOfVariant(assembly, name)), signal, APP);
}

/** The subject of a variant in an assembly of all of them; a problem where it cannot be explored. */
export function subjectOfVariant(assembly: string, name: string): LoadedSubject {
  const loaded = subjectOfAssembly(assembly, name);
  const { former, running } = variantCalled(name) ?? {};
  if (loaded.kind === 'problem') return loaded;
  if (running) {
    const subject = { ...loaded.subject, running };
    if (running.every(kind => subject[kind])) return { kind: 'subject', subject };
    return running.includes('frontDoor') ? NO_FRONT_DOOR : NO_RECOVERY;
  }
  if (former === undefined) return loaded;
  const before = subjectOfAssembly(assembly, former.stack);
  if (before.kind === 'problem') return before;
  const { workflow } = before.subject;
  return {
    kind: 'subject',
    subject: { ...loaded.subject, former: workflow, formerDeliveries: former.deliveries },
  };
}

const NO_RECOVERY: LoadedSubject = { kind: 'problem', message: 'its stack has no recovery' };
const NO_FRONT_DOOR: LoadedSubject = { kind: 'problem', message: 'its stack has no front door' };

/** The budget of a variant, or what was given in its place. */
function budgetOf({ budget, channels = ['direct'] }: ExploredVariant, given: Options['given'] = {}): Budget {
  const [executions, faults] = budget;
  return { executions, faults, ...given, channels };
}

/** Explores one variant. */
export async function exploreVariant(
  variant: ExploredVariant,
  subject: Subject,
  { given, signal }: { readonly given?: Options['given']; readonly signal?: AbortSignal } = {},
): Promise<VariantFate> {
  const budget = budgetOf(variant, given);
  const began = performance.now();
  const exploration = await explore(subject, budget, signal ? { signal } : {});
  const seconds = (performance.now() - began) / 1000;
  return { variant, budget, definition: shownHash(subject), seconds, exploration };
}

interface Run {
  readonly options: Options;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Explores all variants, one after another, and prints what that came to. Gives the exit code. */
export function exploreVariants({ options, progress, signal }: Run): Promise<number> {
  return withVariants(async load => {
    const fates: VariantFate[] = [];
    const told: string[] = [];
    const subjects: Subject[] = [];
    for (const [index, variant] of VARIANTS.entries()) {
      progress.show(variant.name, index, VARIANTS.length);
      const loaded = load(variant.name);
      if (loaded.kind === 'problem') throw new Error(`${variant.name}: ${loaded.message}`);
      const fate = await exploreVariant(variant, loaded.subject, { given: options.given, signal });
      fates.push(fate);
      subjects.push(loaded.subject);
      told.push(storyOf(fate, loaded.subject));
      if (fate.exploration.stopped) break;
    }
    progress.clear();
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ variants: fates.map(inJson) })}\n`
        : `${renderVariants(fates, options.markdown)}${neverEntered(fates, subjects)}${told.join('')}`,
    );
    if (fates.some(({ exploration }) => exploration.violation)) return EXIT.failed;
    return fates.some(({ exploration }) => exploration.stopped) ? EXIT.fault : EXIT.done;
  }, signal);
}

const OPTIONAL = ['recovery', 'redelivery', 'frontDoor'] as const;

/** The states that no variant enters of those that have them, in a line; empty where there are none. */
export function neverEntered(fates: readonly VariantFate[], subjects: readonly Subject[]): string {
  const entered = new Set<string>();
  const all = new Set<string>();
  for (const [index, { exploration }] of fates.entries()) {
    const subject = subjects[index];
    const machines = subject
      ? [subject.workflow, ...OPTIONAL.map(kind => runningMachine(subject, kind))]
      : [];
    const names = machines.flatMap(machine => [...(machine?.machine.definition.states.keys() ?? [])]);
    for (const name of names) {
      all.add(name);
      if (!exploration.neverEntered.includes(name) || exploration.enteredInProbe.includes(name))
        entered.add(name);
    }
  }
  const never = [...all].filter(name => !entered.has(name));
  return never.length === 0 ? '' : `\nNo variant enters:\n\n${never.map(name => `- ${name}\n`).join('')}`;
}

function inJson({ variant, budget, seconds, exploration }: VariantFate) {
  return { name: variant.name, differs: variant.differs, ...budget, seconds, ...exploration };
}

/** The violation of a variant step by step; empty without one. */
function storyOf({ variant, budget, exploration }: VariantFate, subject: Subject): string {
  const { violation } = exploration;
  if (!violation) return '';
  const { trace } = replayTrace(subject, budget, violation.schedule);
  const again = replayCommand(budget, violation.schedule, ['--variant', variant.name]);
  return `\n${variant.name}\n${renderDiagram(trace, violation)}\nAgain: ${again}\n`;
}

/** Takes each of these guards away from the variant that has it; gives what became of each. */
export function tryVariantMutations(
  mutations: readonly VariantMutation[],
  listener: Pick<Listener, 'next' | 'fate'>,
  signal: AbortSignal,
): Promise<readonly MutantFate[]> {
  return withVariants(async load => {
    const fates: MutantFate[] = [];
    for (const [index, mutation] of mutations.entries()) {
      listener.next(mutation.name, index, mutations.length);
      const loaded = load(mutation.variant);
      if (loaded.kind === 'problem') throw new Error(`${mutation.variant}: ${loaded.message}`);
      const fate =
        replayed(loaded.subject, mutation) ??
        (await tryMutation(loaded.subject, mutation, mutation.budgets ?? BUDGETS, { signal }));
      if (signal.aborted) break;
      listener.fate(fate);
      fates.push(fate);
    }
    return fates;
  }, signal);
}

/** What becomes of a mutant by the schedule that is kept for it; undefined if there is none. */
function replayed(subject: Subject, mutation: VariantMutation): MutantFate | undefined {
  if (mutation.schedule === undefined) return undefined;
  const began = performance.now();
  const schedule = mutation.schedule.split(' ');
  const { channels = ['direct'] } = variantCalled(mutation.variant) ?? {};
  const budget: Budget = { executions: 3, faults: 3, channels };
  const { violation } = replayTrace(mutated(subject, mutation), budget, schedule);
  const seconds = (performance.now() - began) / 1000;
  return { mutation, seconds, killed: violation && { budget, violation: { ...violation, schedule } } };
}
