import path from 'node:path';
import { withSynthesizedApp } from '../../cli/app/synthesize';
import { exitOnBrokenPipe } from '../../cli/program/output';
import { reject, runProgram } from '../../cli/program/program';
import { progressOn } from '../../cli/program/progress';
import { endedBySignal } from '../../cli/program/signals';
import { nearestName } from '../../state-machine/words/nearest-name';
import { problemWithFile } from '../lanes/document';
import { budgetOf, EXIT, exploreAll, type Run, replaySchedule, tryMutations, walkRandomly } from './commands';
import { readDefinition } from './definition-file';
import { FIGURE_PAGES, writeFigures } from './figures';
import { type LoadedSubject, subjectOfAssembly } from './model/load-subject';
import { mutationProblem } from './mutations/report';
import { MUTATIONS, mutated, SPARE_GUARDS } from './mutations/run';
import { HELP, type Options, parseOptions } from './options';
import { queueTable } from './queue/table';
import { SaveFile } from './search/save-file';
import { ImpossibleStep } from './trace';
import { VARIANT_MUTATIONS } from './variants/mutations';
import { exploreVariants, withVariants } from './variants/run';

const PROGRAM = {
  name: 'explore',
  helpCommand: 'npm run explore -- --help',
  help: HELP,
  parse: parseOptions,
  run: runUnlessEnded,
};
const ALL_MUTATIONS = [...MUTATIONS, ...SPARE_GUARDS, ...VARIANT_MUTATIONS];
const signal = endedBySignal();
exitOnBrokenPipe(PROGRAM.name);
runProgram(PROGRAM);

async function runUnlessEnded(options: Options): Promise<number> {
  try {
    const code = await run(options);
    return signal.aborted ? EXIT.interrupted : code;
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    throw error;
  }
}

async function run(options: Options): Promise<number> {
  const { definition, recovery, only, replay, random } = options;
  const mutation = ALL_MUTATIONS.find(({ name }) => name === only);
  const variant = options.variant ?? VARIANT_MUTATIONS.find(({ name }) => name === only)?.variant;
  if (only !== undefined && !mutation) return reject(PROGRAM, unknownMutation(only));
  const { figures, html } = options;
  const pages = figures === undefined ? [] : FIGURE_PAGES.map(page => path.join(figures, page));
  for (const file of [...pages, ...(html === undefined ? [] : [html])]) {
    const unwritable = problemWithFile(file);
    if (unwritable !== undefined)
      return reject(PROGRAM, `--${file === html ? 'html' : 'figures'}: ${unwritable}`);
  }
  const progress = progressOn(process.stderr, { isSilent: options.json });
  if (options.queue) {
    const { table, traces } = await queueTable(name => progress.begin(name), signal);
    progress.clear();
    process.stdout.write(
      options.json ? `${JSON.stringify({ table, traces })}\n` : [table, ...traces].join('\n'),
    );
    return traces.length === 0 ? EXIT.ok : EXIT.violation;
  }
  progress.begin('synthesizing the app');
  if (options.figures !== undefined) {
    const isClean = await writeFigures(options.figures, { options, progress, signal });
    return isClean ? EXIT.ok : EXIT.violation;
  }
  if (options.variants) return exploreVariants({ options, progress, signal });
  const loaded = definition === undefined ? await synthesized(variant) : readDefinition(definition, recovery);
  progress.clear();
  const what = definition ?? variant ?? 'the synthesized app';
  if (loaded.kind === 'problem') return reject(PROGRAM, `${what}: ${loaded.message}`);
  const { without } = options;
  const subject = without === undefined ? loaded.subject : { ...loaded.subject, without };
  if (variant === undefined && (options.mutations || mutation)) {
    const problem = mutationProblem(subject, only);
    if (problem !== undefined) return reject(PROGRAM, `${what}: ${problem}`);
  }
  const asked: Run = { subject, options, progress, signal };
  if (replay) {
    const changed = mutation ? mutated(subject, mutation) : subject;
    return replaySchedule({ ...asked, subject: changed }, replay).catch(rejectImpossible);
  }
  if (options.mutations) return tryMutations(asked);
  if (random) return walkRandomly(asked, random);
  if (options.resume === undefined) return exploreAll(asked);
  const opened = SaveFile.open(options.resume, subject, budgetOf(options));
  if (opened.kind === 'problem') return reject(PROGRAM, `--resume: ${opened.message}`);
  return exploreAll(asked, opened.save);
}

function unknownMutation(only: string): string {
  const names = ALL_MUTATIONS.map(({ name }) => name);
  const near = nearestName(only, names);
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  return `--only must be one of ${names.join(', ')}; got ${JSON.stringify(only)}${hint}`;
}

function rejectImpossible(error: unknown): number {
  if (error instanceof ImpossibleStep) return reject(PROGRAM, error.message);
  throw error;
}

function synthesized(variant: string | undefined): Promise<LoadedSubject> {
  if (variant !== undefined) return withVariants(load => load(variant), signal);
  return withSynthesizedApp(async assembly => subjectOfAssembly(assembly), signal);
}
