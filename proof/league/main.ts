import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { EXIT } from '../../cli/program/exit';
import { exitOnBrokenPipe } from '../../cli/program/output';
import { reject, runProgram } from '../../cli/program/program';
import { type Progress, progressOn } from '../../cli/program/progress';
import { endedBySignal } from '../../cli/program/signals';
import { problemWithFile } from '../lanes/document';
import { ask } from './ask';
import type { Contender } from './contenders/contender';
import { field } from './contenders/contenders';
import type { Score, Selection } from './league';
import { takesFigures, withFigures } from './markdown';
import { HELP, type Options, parseOptions } from './options';
import { renderPage } from './page';
import { renderReplay, renderReport } from './render';
import { problemsOf, type Report, reportOf } from './report';
import { textOf } from './schedule';

const ENDED = endedBySignal();
exitOnBrokenPipe('league');

const PROGRAM = { name: 'league', helpCommand: 'npm run league -- --help' };

runProgram({
  ...PROGRAM,
  help: HELP,
  parse: parseOptions,
  run: options => league(options).catch(unlessInterrupted),
});

function unlessInterrupted(error: unknown): number {
  if (ENDED.aborted) return EXIT.interrupted;
  throw error;
}

async function league(options: Options): Promise<number> {
  const unwritable = problemWithFiles(options);
  if (unwritable !== undefined) return reject(PROGRAM, unwritable);
  const { contenders, notRun } = await field();
  if (options.replay) return replayOne(contenders, options.replay, options.json);
  const { seeds, only, kinds, json } = options;
  const unknown = only?.find(begin => !contenders.some(({ id }) => id.startsWith(begin)));
  if (unknown !== undefined)
    return reject(
      PROGRAM,
      `--only: the id of no approach begins with ${JSON.stringify(unknown)}; there are ${idsOf(contenders)}`,
    );
  const chosen = contenders.filter(({ id }) => only?.some(begin => id.startsWith(begin)) ?? true);
  const progress = progressOn(process.stderr, { isSilent: json });
  const scores = await scoresOf(chosen, { seeds, kinds }, progress).finally(() => progress.clear());
  const report = reportOf(chosen, scores, { seeds, notRun: only === undefined ? notRun : [] });
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : renderReport(report));
  await writeFiles(options, report);
  return problemsOf(report).length === 0 ? EXIT.done : EXIT.failed;
}

/** Why what was asked for cannot be written, before anything is played for it; undefined where it can be. */
function problemWithFiles({ html, markdown }: Options): string | undefined {
  const problem = html === undefined ? undefined : problemWithFile(html);
  if (problem !== undefined) return `--html: ${problem}`;
  if (markdown === undefined) return undefined;
  const unwritable = problemWithFile(markdown);
  if (unwritable !== undefined) return `--markdown: ${unwritable}`;
  return existsSync(markdown) && takesFigures(readFileSync(markdown, 'utf8'))
    ? undefined
    : `--markdown: ${markdown} has no line \`<!-- league: NAME -->\``;
}

async function writeFiles({ html, markdown }: Options, report: Report): Promise<void> {
  if (html !== undefined) {
    const command = ['npm run league --', ...process.argv.slice(2)].join(' ');
    writeFileSync(html, await renderPage(report, command));
    process.stderr.write(`the league is in ${html}\n`);
  }
  if (markdown === undefined) return;
  writeFileSync(markdown, withFigures(readFileSync(markdown, 'utf8'), report));
  process.stderr.write(`the figures are in ${markdown}\n`);
}

/** Each contender in a process of its own, as many at a time as there are processors. */
async function scoresOf(
  contenders: readonly Contender[],
  selection: Selection,
  progress: Progress,
): Promise<readonly Score[]> {
  const scores: Score[] = [];
  const done = new Map<string, { readonly done: number; readonly total: number }>();
  const left = contenders.map((contender, index) => ({ contender, index })).reverse();
  const show = () => {
    const all = [...done.values()];
    const each = all[0]?.total ?? 1;
    const finished = all.reduce((sum, one) => sum + one.done, 0);
    progress.show('playing', finished, each * contenders.length);
  };
  const worker = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const { contender, index } = next;
      const heard = (said: { readonly kind: string; readonly done?: number; readonly total?: number }) => {
        done.set(contender.id, { done: said.done ?? 0, total: said.total ?? 1 });
        show();
      };
      const said = await ask({ kind: 'score', contender: contender.id, selection }, heard, ENDED);
      if (said.kind === 'score') scores[index] = said.score;
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), contenders.length) }, worker));
  return scores;
}

async function replayOne(
  contenders: readonly Contender[],
  { contender: id, schedule }: NonNullable<Options['replay']>,
  json: boolean,
): Promise<number> {
  const contender = contenders.find(one => one.id === id);
  if (!contender)
    return reject(PROGRAM, `--replay: there is no contender ${id}; there are ${idsOf(contenders)}`);
  const said = await ask({ kind: 'replay', contender: id, schedule }, () => undefined, ENDED);
  if (said.kind !== 'replay') throw new Error(`an unexpected answer: ${said.kind}`);
  const title = `${contender.title}: ${textOf(schedule)}`;
  process.stdout.write(
    json
      ? `${JSON.stringify({ contender: id, schedule: textOf(schedule), ...said })}\n`
      : renderReplay(title, said),
  );
  return EXIT.done;
}

function idsOf(contenders: readonly Contender[]): string {
  return contenders.map(({ id }) => id).join(', ');
}
