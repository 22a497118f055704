import { readFileSync } from 'node:fs';
import { withSynthesizedApp } from '../../cli/dev/synthesize';
import { EXIT as PROGRAM_EXIT } from '../../cli/program/exit';
import { endWithItsReaders } from '../../cli/program/output';
import { refuse, runProgram } from '../../cli/program/program';
import { endedBySignal } from '../../cli/program/signals';
import { isSpare, type MutationReport, mutationProblem, tryAll } from './mutations/report';
import { MUTATIONS, mutated, SPARE_GUARDS } from './mutations/run';
import { HELP, type Options, parseOptions } from './options';
import { walkAtRandom } from './random/run';
import { progressOn, renderExploration, renderFate, renderSpare, renderStory, replayCommand } from './render';
import { explore } from './search/search';
import { ImpossibleStep, replay } from './search/story';
import { eventProblem, shapeProblem } from './shape';
import { type LoadedSubject, type Subject, subjectOfAssembly, subjectOfText } from './subject';

const EXIT = { ...PROGRAM_EXIT, ok: 0, violation: 1 } as const;

const PROGRAM = {
  name: 'explore',
  helpCommand: 'npm run explore -- --help',
  help: HELP,
  parse: parseOptions,
  run: runUnlessEnded,
};
const signal = endedBySignal();
endWithItsReaders(PROGRAM.name);
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
  const { definition, only } = options;
  const named = [...MUTATIONS, ...SPARE_GUARDS].find(({ name }) => name === only);
  if (only !== undefined && !named) {
    const names = [...MUTATIONS, ...SPARE_GUARDS].map(({ name }) => name).join(', ');
    return refuse(PROGRAM, `--only takes one of ${names}; got ${JSON.stringify(only)}`);
  }
  const loaded = definition === undefined ? await synthesized() : await readDefinition(definition);
  const what = definition ?? 'the synthesized app';
  if (loaded.kind === 'problem') return refuse(PROGRAM, `${what}: ${loaded.message}`);
  const { subject } = loaded;
  if (options.mutations || named) {
    const problem = mutationProblem(subject, only);
    if (problem !== undefined) return refuse(PROGRAM, `${what}: ${problem}`);
  }
  if (options.replay) return tell(named ? mutated(subject, named) : subject, options, options.replay);
  if (options.mutations) return mutate(subject, options);
  return options.random ? walk(subject, options, options.random) : exploreAll(subject, options);
}

function synthesized(): Promise<LoadedSubject> {
  return withSynthesizedApp(async assembly => subjectOfAssembly(assembly), signal);
}

async function readDefinition(file: string): Promise<LoadedSubject> {
  try {
    const loaded = subjectOfText(readFileSync(file, 'utf8'));
    if (loaded.kind === 'problem') return loaded;
    const message = shapeProblem(loaded.subject.workflow.json) ?? (await eventProblem(loaded.subject));
    return message === undefined ? loaded : { kind: 'problem', message };
  } catch (error) {
    return { kind: 'problem', message: error instanceof Error ? error.message : String(error) };
  }
}

async function exploreAll(subject: Subject, options: Options): Promise<number> {
  const { executions, faults, entries, json } = options;
  const budget = { executions, faults, entries };
  const progress = progressOn(process.stderr);
  const began = performance.now();
  const exploration = await explore(subject, budget, { progress: made => progress.show(made), signal });
  const seconds = (performance.now() - began) / 1000;
  progress.end();
  const { violation, stopped } = exploration;
  const code = violation ? EXIT.violation : stopped ? EXIT.fault : EXIT.ok;
  if (json) {
    process.stdout.write(`${JSON.stringify({ ...budget, seconds, ...exploration })}\n`);
    return code;
  }
  process.stdout.write(renderExploration(budget, exploration, seconds));
  if (!violation) return code;
  const { told } = await replay(subject, budget, violation.schedule);
  process.stdout.write(renderStory(told, violation));
  process.stdout.write(`\nAgain: ${replayCommand(budget, violation.schedule, definitionOf(options))}\n`);
  return code;
}

/** The words that name the definition on a command line again. */
function definitionOf({ definition }: Options): readonly string[] {
  return definition === undefined ? [] : ['--definition', definition];
}

async function tell(subject: Subject, options: Options, schedule: readonly string[]): Promise<number> {
  try {
    const { told, violation } = await replay(subject, options, schedule);
    process.stdout.write(
      options.json ? `${JSON.stringify({ told, violation })}\n` : renderStory(told, violation),
    );
    return violation ? EXIT.violation : EXIT.ok;
  } catch (error) {
    if (error instanceof ImpossibleStep) return refuse(PROGRAM, error.message);
    throw error;
  }
}

async function mutate(subject: Subject, options: Options): Promise<number> {
  const print = (text: string) => void (options.json ? undefined : process.stdout.write(text));
  const report = await tryAll(subject, options.only, {
    fate: fate => print(renderFate(fate, definitionOf(options))),
    spare: fate => print(renderSpare(fate, definitionOf(options))),
    signal,
  });
  const { fates, spares } = report;
  const killed = fates.filter(fate => fate.killed).length;
  const spare = spares.filter(isSpare).length;
  if (options.json) process.stdout.write(`${JSON.stringify(summaryOf(report))}\n`);
  print(`\nmutants killed  ${killed} of ${fates.length}\nspare guards    ${spare} of ${spares.length}\n`);
  return killed === fates.length && spare === spares.length ? EXIT.ok : EXIT.violation;
}

function summaryOf({ fates, spares }: MutationReport) {
  return {
    mutations: fates.map(({ mutation, seconds, killed }) => ({
      name: mutation.name,
      seconds,
      executions: killed?.budget.executions,
      faults: killed?.budget.faults,
      violation: killed?.exploration.violation,
    })),
    spares: spares.map(({ guard, seconds, killed }) => ({
      name: guard.name,
      seconds,
      violation: killed?.exploration.violation,
    })),
  };
}

async function walk(
  subject: Subject,
  { json }: Options,
  { seed, minutes }: NonNullable<Options['random']>,
): Promise<number> {
  process.stderr.write(`seed ${seed}\n`);
  const walked = await walkAtRandom(subject, { seed, milliseconds: minutes * 60_000, signal });
  const { runs, steps, violation, told, kept } = walked;
  const code = violation ? EXIT.violation : EXIT.ok;
  if (json) {
    process.stdout.write(`${JSON.stringify({ seed, minutes, ...walked })}\n`);
    return code;
  }
  process.stdout.write(`  runs   ${runs}\n  steps  ${steps}\n\n`);
  process.stdout.write(
    violation
      ? `${renderStory(told, violation)}\nKeep it in test/proof/explore/courses.json: ${JSON.stringify(kept)}\n`
      : signal.aborted
        ? 'interrupted: no violation so far\n'
        : 'ok: no violation\n',
  );
  return code;
}
