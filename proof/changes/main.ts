import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readCommandLine } from '../../cli/program/command-line';
import { EXIT } from '../../cli/program/exit';
import { flag, optionHelp, wholeNumber } from '../../cli/program/options';
import { exitOnBrokenPipe } from '../../cli/program/output';
import { runProgram } from '../../cli/program/program';
import { endedBySignal } from '../../cli/program/signals';
import { seededIds } from '../../packages/local/runtime/ids';
import { type Change, changed, changesOf } from './change';

const OPTIONS = {
  count: wholeNumber({ valueName: 'N', help: 'how many changes (default: 100)', from: 1, byDefault: 100 }),
  seed: wholeNumber({
    valueName: 'N',
    help: 'what all chance comes from (default: 1)',
    from: 0,
    byDefault: 1,
  }),
  from: wholeNumber({
    valueName: 'N',
    help: 'skip the changes before this one (default: 1)',
    from: 1,
    byDefault: 1,
  }),
  list: flag('print the changes and run nothing'),
  json: flag('print one JSON object per change'),
};

const HELP = `Usage: npm run changes -- [options]

Makes one random change of a line in state-machine, infra/sources, functions or client, in a copy of the last commit,
and runs the suites that know behavior until one fails: unit tests, scenarios, the explorer's tests, and the compiler at
last. Reviewed definitions are not compared. A change that no suite notices has survived.

${optionHelp(OPTIONS)}
Examples:
  npm run changes -- --count 10 --seed 7
  npm run changes -- --list
  npm run --silent changes -- --from 51 --json

Exit codes: 0 all were run, 2 wrong usage, 3 an internal error, 130 interrupted.
`;

/** The suites that know behavior, those that take least first. */
const STAGES: readonly (readonly [name: string, command: readonly string[]])[] = [
  ['unit tests', jest('test/(state-machine|client|functions|infra)/')],
  ['scenarios', jest('(test/scenarios|examples)/')],
  ["the explorer's tests", jest('test/proof/explore/')],
  ['the compiler', ['node_modules/typescript/bin/tsc', '--noEmit']],
];

function jest(pattern: string): readonly string[] {
  return ['node_modules/jest/bin/jest.js', '--silent', '--bail', '--forceExit', pattern];
}

interface Found extends Change {
  readonly file: string;
  readonly line: number;
  readonly before: string;
}

const ENDED = endedBySignal();
exitOnBrokenPipe('changes');

runProgram({
  name: 'changes',
  helpCommand: 'npm run changes -- --help',
  help: HELP,
  parse: args => {
    const parsed = readCommandLine(args, OPTIONS);
    return parsed.kind === 'options' ? { kind: 'options', options: parsed.options.values } : parsed;
  },
  run,
});

async function run({ count, seed, from, list, json }: RunOptions): Promise<number> {
  const chosen = chosenChanges(count, `${seed}`);
  const copy = list ? undefined : copyOfTheCommit();
  let survivors = 0;
  try {
    for (const [index, change] of chosen.entries()) {
      if (index + 1 < from) continue;
      const noticedBy = copy === undefined ? undefined : await firstToNotice(copy, change);
      if (ENDED.aborted) return EXIT.interrupted;
      if (copy !== undefined && noticedBy === undefined) survivors += 1;
      const { file, line, kind, before, text } = change;
      const row = { number: index + 1, file, line, kind, before, after: text, noticedBy };
      process.stdout.write(json ? `${JSON.stringify(row)}\n` : `${lineOf(row, copy !== undefined)}\n`);
    }
    if (copy !== undefined && !json) process.stdout.write(`${survivors} survived\n`);
    return EXIT.done;
  } finally {
    if (copy !== undefined) removeCopy(copy);
  }
}

interface RunOptions {
  readonly count: number;
  readonly seed: number;
  readonly from: number;
  readonly list: boolean;
  readonly json: boolean;
}

function lineOf(
  row: {
    number: number;
    file: string;
    line: number;
    kind: string;
    before: string;
    after: string;
    noticedBy: string | undefined;
  },
  isRun: boolean,
): string {
  const fate = isRun ? `${row.noticedBy === undefined ? 'SURVIVED' : `noticed by ${row.noticedBy}`}: ` : '';
  const before = row.before.replaceAll(/\s+/g, ' ').slice(0, 60);
  return `${row.number} ${fate}${row.file}:${row.line} ${row.kind}: ${before} -> ${row.after || 'nothing'}`;
}

/** Random changes of all files: each line of code is as likely as the others. */
function chosenChanges(count: number, seed: string): readonly Found[] {
  const files = execFileSync('git', ['ls-files', 'state-machine', 'infra/sources', 'functions', 'client'], {
    encoding: 'utf8',
  });
  const all = files
    .split('\n')
    .filter(file => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .flatMap(file => foundIn(file, readFileSync(file, 'utf8')));
  const chance = seededIds(seed);
  const chosen = new Set<Found>();
  while (chosen.size < Math.min(count, all.length)) {
    const found = all[Math.floor(chance.random() * all.length)];
    if (found) chosen.add(found);
  }
  return [...chosen];
}

function foundIn(file: string, source: string): Found[] {
  return changesOf(file, source)
    .filter(({ start, end }) => !source.slice(start, end).includes('\n'))
    .map(change => ({
      ...change,
      file,
      line: source.slice(0, change.start).split('\n').length,
      before: source.slice(change.start, change.end),
    }));
}

async function firstToNotice(copy: string, change: Found): Promise<string | undefined> {
  const file = path.join(copy, change.file);
  const source = readFileSync(file, 'utf8');
  writeFileSync(file, changed(source, change));
  try {
    for (const [name, command] of STAGES) {
      if (ENDED.aborted) return undefined;
      if (!(await passes(copy, command))) return name;
    }
    return undefined;
  } finally {
    // Reviewed definitions were written anew, so that none of them is what notices it.
    execFileSync('git', ['checkout', '-q', '.'], { cwd: copy });
  }
}

function passes(copy: string, command: readonly string[]): Promise<boolean> {
  return new Promise(resolve => {
    const env = { ...process.env, UPDATE_GOLDEN: '1' };
    execFile(
      process.execPath,
      command,
      { cwd: copy, env, maxBuffer: 64 * 1024 * 1024, timeout: 1_200_000, signal: ENDED },
      error => resolve(error === null),
    );
  });
}

/** A working tree of the last commit with the packages that are installed here. */
function copyOfTheCommit(): string {
  const copy = path.join(mkdtempSync(path.join(tmpdir(), 'onceflow-changes-')), 'onceflow');
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', copy]);
  symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

function removeCopy(copy: string): void {
  execFileSync('git', ['worktree', 'remove', '--force', copy]);
  rmSync(path.dirname(copy), { recursive: true, force: true });
}
