import { readFileSync } from 'node:fs';
import { withSynthesizedApp } from '../app/synthesize';
import { refuse, runProgram } from '../program/program';
import { type MutationReport, tryAll } from './mutations/report';
import { MUTATIONS, mutated, SPARE_GUARDS } from './mutations/run';
import { HELP, type Options, parseOptions } from './options';
import { walkAtRandom } from './random/run';
import { progressOn, renderExploration, renderFate, renderSpare, renderStory, replayCommand } from './render';
import { type Budget, explore } from './search/search';
import { replay } from './search/story';
import { type LoadedSubject, type Subject, subjectOfAssembly, subjectOfText } from './subject';

const EXIT = { ok: 0, violation: 1 } as const;

const PROGRAM = {
  name: 'explore',
  helpCommand: 'npm run explore -- --help',
  help: HELP,
  parse: parseOptions,
  run,
};
runProgram(PROGRAM);

async function run(options: Options): Promise<number> {
  const { definition, only } = options;
  const known = [...MUTATIONS, ...SPARE_GUARDS].find(({ name }) => name === only);
  if (only !== undefined && !known) {
    return refuse(
      PROGRAM,
      `--only takes one of ${MUTATIONS.map(({ name }) => name).join(', ')}; got ${JSON.stringify(only)}`,
    );
  }
  const loaded = definition === undefined ? await synthesized() : readDefinition(definition);
  if (loaded.kind === 'problem')
    return refuse(PROGRAM, `${definition ?? 'the synthesized app'}: ${loaded.message}`);
  const { subject } = loaded;
  if (options.replay) return tell(known ? mutated(subject, known) : subject, options, options.replay);
  if (options.mutations) return mutate(subject, options);
  return options.random ? walk(subject, options, options.random) : exploreAll(subject, options);
}

function synthesized(): Promise<LoadedSubject> {
  return withSynthesizedApp(async assembly => subjectOfAssembly(assembly));
}

function readDefinition(file: string): LoadedSubject {
  try {
    return subjectOfText(readFileSync(file, 'utf8'));
  } catch (error) {
    return { kind: 'problem', message: error instanceof Error ? error.message : String(error) };
  }
}

async function exploreAll(subject: Subject, options: Options): Promise<number> {
  const budget: Budget = options;
  const progress = progressOn(process.stderr);
  const began = performance.now();
  const exploration = await explore(subject, budget, { progress: made => progress.show(made) });
  const seconds = (performance.now() - began) / 1000;
  progress.end();
  const { violation } = exploration;
  if (options.json) {
    const { executions, faults, entries } = options;
    process.stdout.write(`${JSON.stringify({ executions, faults, entries, seconds, ...exploration })}\n`);
    return violation ? EXIT.violation : EXIT.ok;
  }
  process.stdout.write(renderExploration(budget, exploration, seconds));
  if (!violation) return EXIT.ok;
  const { told } = await replay(subject, budget, violation.schedule);
  process.stdout.write(renderStory(told, violation));
  const more = options.definition === undefined ? [] : ['--definition', options.definition];
  process.stdout.write(`\nAgain: ${replayCommand(budget, violation.schedule, more)}\n`);
  return EXIT.violation;
}

async function tell(subject: Subject, options: Options, schedule: readonly string[]): Promise<number> {
  const { told, violation } = await replay(subject, options, schedule);
  process.stdout.write(
    options.json ? `${JSON.stringify({ told, violation })}\n` : renderStory(told, violation),
  );
  return violation ? EXIT.violation : EXIT.ok;
}

async function mutate(subject: Subject, { only, json }: Options): Promise<number> {
  const print = (text: string) => void (json ? undefined : process.stdout.write(text));
  const report = await tryAll(subject, only, {
    fate: fate => print(renderFate(fate)),
    spare: fate => print(renderSpare(fate)),
  });
  const { fates, spares } = report;
  const killed = fates.filter(fate => fate.killed).length;
  const missed = spares.filter(fate => fate.killed).length;
  if (json) process.stdout.write(`${JSON.stringify(summaryOf(report))}\n`);
  print(
    `\nmutants killed  ${killed} of ${fates.length}\nspare guards    ${spares.length - missed} of ${spares.length}\n`,
  );
  return killed === fates.length && missed === 0 ? EXIT.ok : EXIT.violation;
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
  const walked = await walkAtRandom(subject, { seed, milliseconds: minutes * 60_000 });
  if (json) process.stdout.write(`${JSON.stringify(walked)}\n`);
  else process.stdout.write(`  runs   ${walked.runs}\n  steps  ${walked.steps}\n\n`);
  if (!walked.violation) {
    if (!json) process.stdout.write('ok: no violation\n');
    return EXIT.ok;
  }
  if (!json)
    process.stdout.write(
      `${renderStory(walked.told, walked.violation)}\nKeep it: ${JSON.stringify(walked.kept)}\n`,
    );
  return EXIT.violation;
}
