import { writeFileSync } from 'node:fs';
import { EXIT as PROGRAM_EXIT } from '../../cli/program/exit';
import type { Progress } from '../../cli/program/progress';
import { renderDiagram, renderMermaid } from './diagram';
import { shownHash } from './model/definition-hash';
import type { Subject } from './model/subject';
import { isSpare, type MutationReport, tryAll } from './mutations/report';
import type { MutantFate } from './mutations/run';
import type { Options } from './options';
import { renderPage } from './page';
import { walkAtRandom } from './random/run';
import { renderExploration, renderFate, renderSpare, replayCommand } from './render';
import { Estimate } from './search/estimate';
import type { Budget } from './search/expansion';
import type { SaveFile } from './search/save-file';
import { explore } from './search/search';
import { replayTrace } from './trace';
import { VARIANT_MUTATIONS } from './variants/mutations';
import { tryVariantMutations } from './variants/run';

/** What the program ends with. */
export const EXIT = { ...PROGRAM_EXIT, ok: 0, violation: 1 } as const;

/** The subject of the exploration, and its bounds. */
export interface Run {
  readonly subject: Subject;
  readonly options: Options;
  readonly progress: Progress;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

/**
 * Explores everything within the budget, and prints what that came to. `saved`: where it is kept, and goes on from.
 * Gives the exit code, as all commands do.
 */
export async function exploreAll(
  { subject, options, progress, signal }: Run,
  saved?: SaveFile,
): Promise<number> {
  const { json, workers, memory } = options;
  const budget = budgetOf(options);
  const definition = shownHash(subject);
  const secondsBefore = saved?.secondsBefore ?? 0;
  const began = performance.now() - secondsBefore * 1000;
  const estimate = new Estimate();
  const exploration = await explore(subject, budget, {
    signal,
    workers,
    memoryBytes: memory * 1e6,
    saved,
    progress(reached) {
      const { states, depth, waiting } = reached;
      const seconds = (performance.now() - began) / 1000;
      const left = estimate.secondsLeft(reached, seconds);
      const until = left === undefined ? 'end unknown' : `about ${Math.ceil(left / 60)} min left`;
      const perSecond = Math.round(states / seconds);
      progress.begin(`${states} states, depth ${depth}, ${waiting} waiting, ${perSecond} states/s, ${until}`);
    },
  });
  const time = { seconds: (performance.now() - began) / 1000, wallSeconds: secondsBefore + process.uptime() };
  progress.clear();
  const { violation, stopped } = exploration;
  const code = violation ? EXIT.violation : stopped ? EXIT.fault : EXIT.ok;
  if (json) {
    process.stdout.write(`${JSON.stringify({ definition, ...budget, ...time, ...exploration })}\n`);
    return code;
  }
  process.stdout.write(renderExploration({ budget, definition }, exploration, time));
  if (stopped && saved) process.stdout.write(`Saved: the same command goes on from there.\n`);
  if (!violation) return code;
  const { trace } = replayTrace(subject, budget, violation.schedule);
  process.stdout.write(renderDiagram(trace, violation));
  process.stdout.write(`\nAgain: ${replayCommand(budget, violation.schedule, definitionOf(options))}\n`);
  return code;
}

/** The budget that was asked for. */
export function budgetOf({ executions, faults, channels, symmetry }: Options): Budget {
  return { executions, faults, channels, symmetry };
}

/** The words that name the definition on a command line again. */
function definitionOf({ definition, recovery, variant, without }: Options): readonly string[] {
  const assumed = without === undefined ? [] : ['--without', without];
  if (variant !== undefined) return [...assumed, '--variant', variant];
  if (definition === undefined) return assumed;
  const recoverys = recovery === undefined ? [] : ['--recovery', recovery];
  return [...assumed, '--definition', definition, ...recoverys];
}

/** Goes through one schedule, and prints it step by step. @throws ImpossibleStep */
export async function replaySchedule(
  { subject, options }: Run,
  schedule: readonly string[],
): Promise<number> {
  const replayed = replayTrace(subject, options, schedule);
  const { trace, violation } = replayed;
  const render = options.mermaid ? renderMermaid : renderDiagram;
  process.stdout.write(options.json ? `${JSON.stringify({ trace, violation })}\n` : render(trace, violation));
  if (options.html !== undefined) {
    const only = options.only === undefined ? [] : ['--only', options.only];
    const command = replayCommand(budgetOf(options), schedule, [...definitionOf(options), ...only]);
    writeFileSync(options.html, await renderPage(replayed, command));
    process.stderr.write(`the schedule is in ${options.html}\n`);
  }
  return violation ? EXIT.violation : EXIT.ok;
}

/** Takes each guard away in turn, and prints what became of the definition without it. */
export async function tryMutations({ subject, options, progress, signal }: Run): Promise<number> {
  const print = (text: string) => {
    progress.clear();
    if (!options.json) process.stdout.write(text);
  };
  const next = (name: string, done: number, total: number) => progress.show(name, done, total);
  const ofVariants = variantMutationsIn(options);
  const isOfVariantsOnly = options.variant !== undefined || VARIANT_MUTATIONS.some(isCalled(options.only));
  const { fates: ofAll, spares }: MutationReport = isOfVariantsOnly
    ? { fates: [], spares: [] }
    : await tryAll(subject, options.only, {
        next,
        fate: fate => print(renderFate(fate, definitionOf(options))),
        spare: fate => print(renderSpare(fate, definitionOf(options))),
        signal,
      });
  const variantOf = (name: string) => ofVariants.find(isCalled(name))?.variant ?? '';
  const fate = (tried: MutantFate) => print(renderFate(tried, ['--variant', variantOf(tried.mutation.name)]));
  const more =
    ofVariants.length > 0 && !signal.aborted
      ? await tryVariantMutations(ofVariants, { next, fate }, signal)
      : [];
  const fates = [...ofAll, ...more];
  const report = { fates, spares };
  const killed = fates.filter(fate => fate.killed).length;
  const spare = spares.filter(isSpare).length;
  if (options.json) process.stdout.write(`${JSON.stringify(summaryOf(report))}\n`);
  print(`\nmutants killed  ${killed} of ${fates.length}\nspare guards    ${spare} of ${spares.length}\n`);
  return killed === fates.length && spare === spares.length ? EXIT.ok : EXIT.violation;
}

/** The guards of single variants that are meant: those of the one that is explored, else of all. */
function variantMutationsIn({ definition, variant, only }: Options) {
  if (definition !== undefined) return [];
  return VARIANT_MUTATIONS.filter(
    mutation =>
      (variant === undefined || mutation.variant === variant) &&
      (only === undefined || mutation.name === only),
  );
}

function isCalled(wanted: string | undefined) {
  return ({ name }: { readonly name: string }) => name === wanted;
}

function summaryOf({ fates, spares }: MutationReport) {
  return {
    mutations: fates.map(({ mutation, seconds, killed }) => ({
      name: mutation.name,
      seconds,
      executions: killed?.budget.executions,
      faults: killed?.budget.faults,
      violation: killed?.violation,
    })),
    spares: spares.map(({ guard, seconds, killed }) => ({
      name: guard.name,
      seconds,
      violation: killed?.violation,
    })),
  };
}

/** Walks at random for so many minutes, and prints what that came to. */
export async function walkRandomly(
  { subject, options, progress, signal }: Run,
  { seed, minutes }: NonNullable<Options['random']>,
): Promise<number> {
  if (!options.json) process.stderr.write(`seed ${seed}\n`);
  const report = await walkAtRandom(subject, {
    seed,
    milliseconds: minutes * 60_000,
    progress: (runs, steps) => progress.begin(`${runs} runs, ${steps} steps`),
    signal,
  });
  progress.clear();
  const { runs, steps, violation, trace, counterexample } = report;
  const code = violation ? EXIT.violation : EXIT.ok;
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ seed, minutes, ...report })}\n`);
    return code;
  }
  process.stdout.write(`  runs   ${runs}\n  steps  ${steps}\n\n`);
  const found = `Keep it in test/proof/explore/walks.json: ${JSON.stringify(counterexample)}\n`;
  const none = signal.aborted ? 'interrupted: no violation so far\n' : 'ok: no violation\n';
  process.stdout.write(violation ? `${renderDiagram(trace, violation)}\n${found}` : none);
  return code;
}
