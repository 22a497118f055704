import { setTimeout as delay } from 'node:timers/promises';
import { EXIT } from '../../cli/program/exit';
import { exitOnBrokenPipe } from '../../cli/program/output';
import { reject, runProgram } from '../../cli/program/program';
import { progressOn } from '../../cli/program/progress';
import { endedBySignal } from '../../cli/program/signals';
import { seededIds } from '../../packages/local/runtime/ids';
import { CommitCopy, commitProblem, type LineChange, lineChanges } from './commit';
import { HELP, type Options, parseOptions } from './options';
import { STAGES, StageRuns } from './stages';

const ENDED = endedBySignal();
exitOnBrokenPipe('changes');

const PROGRAM = {
  name: 'changes',
  helpCommand: 'npm run changes -- --help',
  help: HELP,
  parse: parseOptions,
  run: runUnlessEnded,
};
runProgram(PROGRAM);

// Ctrl-C ends git as well, which fails then, before the signal is heard of here.
async function runUnlessEnded(options: Options): Promise<number> {
  try {
    const problem = commitProblem();
    if (problem !== undefined) return reject(PROGRAM, problem);
    return options.list ? list(options) : await tryAll(options);
  } catch (error) {
    await delay(10);
    if (ENDED.aborted) return EXIT.interrupted;
    throw error;
  }
}

function list(options: Options): number {
  for (const [number, change] of chosen(options)) print(options, { number, change });
  return EXIT.done;
}

async function tryAll(options: Options): Promise<number> {
  const progress = progressOn(process.stderr, { isSilent: options.json });
  const changes = chosen(options);
  const copy = new CommitCopy();
  const runs = new StageRuns(copy, STAGES);
  let survivors = 0;
  try {
    for (const [number, change] of changes) {
      progress.begin(`change ${number}: ${change.file}:${change.line}`);
      const noticedBy = await runs.noticedBy(change, ENDED);
      progress.clear();
      if (ENDED.aborted) return EXIT.interrupted;
      if (noticedBy === undefined) survivors += 1;
      print(options, { number, change, noticedBy: noticedBy ?? null });
    }
  } finally {
    progress.clear();
    copy.remove();
  }
  if (!options.json) process.stdout.write(`${changes.length} changes, ${survivors} survived\n`);
  return survivors === 0 ? EXIT.done : EXIT.failed;
}

interface Row {
  readonly number: number;
  readonly change: LineChange;
  /** The stage that failed; null: the change survived. Undefined: it was not tried. */
  readonly noticedBy?: string | null;
}

function print({ json }: Options, { number, change, noticedBy }: Row): void {
  const { file, line, kind, before, text: after } = change;
  const row = { number, file, line, kind, before, after, noticedBy };
  process.stdout.write(json ? `${JSON.stringify(row)}\n` : `${lineOf(row)}\n`);
}

function lineOf({
  number,
  noticedBy,
  ...row
}: Omit<Row, 'change'> & Omit<LineChange, 'start' | 'end' | 'text'> & { readonly after: string }) {
  const fate = noticedBy === null ? 'SURVIVED: ' : noticedBy === undefined ? '' : `noticed by ${noticedBy}: `;
  return `${number} ${fate}${row.file}:${row.line} ${row.kind}: ${row.before.slice(0, 60)} -> ${row.after || 'nothing'}`;
}

/** The chosen changes with their numbers: each change is as likely as the others. */
function chosen({ count, seed, from }: Options): (readonly [number: number, change: LineChange])[] {
  const all = [...lineChanges()];
  const chance = seededIds(`${seed}`);
  const most = Math.min(count, all.length);
  const drawn = Array.from({ length: most }, () => {
    const [change] = all.splice(Math.floor(chance.random() * all.length), 1);
    return change as LineChange;
  });
  return drawn.map((change, index) => [index + 1, change] as const).slice(from - 1);
}
