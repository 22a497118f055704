import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { withSynthesizedApp } from '../../cli/app/synthesize';
import { EXIT } from '../../cli/program/exit';
import { exitOnBrokenPipe } from '../../cli/program/output';
import { reject, runProgram } from '../../cli/program/program';
import { progressOn } from '../../cli/program/progress';
import { endedBySignal } from '../../cli/program/signals';
import { problemWithFile } from '../lanes/document';
import type { Complaint } from './deliver';
import { type EventLine, readEvents } from './events-file';
import { HELP, type Options, parseOptions } from './options';
import { renderPage } from './page';
import { renderReport, WATCHED } from './render';
import { type Judged, runOn, type Task } from './run';

const ENDED = endedBySignal();
exitOnBrokenPipe('demo');

const PROGRAM = {
  name: 'demo',
  helpCommand: 'npm run demo -- --help',
  help: HELP,
  parse: parseOptions,
  run: (options: Options) => demo(options).catch(unlessInterrupted),
};
runProgram(PROGRAM);

function unlessInterrupted(error: unknown): never {
  // The run does not wait for deliveries that are still under way.
  if (ENDED.aborted) process.exit(EXIT.interrupted);
  throw error;
}

async function demo(options: Options): Promise<number> {
  const unwritable = options.html === undefined ? undefined : problemWithFile(options.html);
  if (unwritable !== undefined) return reject(PROGRAM, `--html: ${unwritable}`);
  const lines = await read(options.events);
  if (typeof lines === 'string') return reject(PROGRAM, lines);
  const complain = ({ line, message }: Complaint) =>
    process.stderr.write(`${options.events}:${line}: ${message}\n`);
  for (const line of lines) if (line.kind === 'invalid') complain(line);
  if (!lines.some(line => line.kind === 'event')) return reject(PROGRAM, `${options.events} has no event`);

  let code: number = EXIT.fault;
  await run({
    options,
    lines,
    complain,
    opened: url => process.stdout.write(`The page is at ${url}\n\n${WATCHED}\n`),
    async judged(judged) {
      code = await tell(options, judged);
      if (!options.console || code === EXIT.usage) return;
      process.stdout.write('\nThe page stays until Ctrl-C.\n');
      if (!ENDED.aborted) await once(ENDED, 'abort');
    },
  });
  return code;
}

/** Prints what it came to, and gives the exit code. */
async function tell(options: Options, { report, wrong, stories }: Judged): Promise<number> {
  if (report.executions.started === 0 && report.deliveries === report.invalidLines) {
    return reject(PROGRAM, `${options.events} has no event that a rule of the bus matches`);
  }
  for (const sentence of wrong) process.stderr.write(`${sentence}\n`);
  // Synthesizing the app takes longer than the deliveries, and who waits for the report waits for both.
  const wallSeconds = Math.round(process.uptime() * 10) / 10;
  const text = options.json
    ? `${JSON.stringify({ ...report, wallSeconds })}\n`
    : renderReport(report, wallSeconds);
  process.stdout.write(text);
  if (options.html !== undefined) {
    const command = ['npm run demo --', ...process.argv.slice(2)].join(' ');
    writeFileSync(options.html, await renderPage(report, stories, { command, wallSeconds }));
    process.stderr.write(`the run is in ${options.html}\n`);
  }
  return report.ok ? EXIT.done : EXIT.failed;
}

async function run(task: Omit<Task, 'progress' | 'signal'>): Promise<Judged> {
  const { options } = task;
  const progress = progressOn(process.stderr, { isSilent: options.json });
  const deliver = (assembly: string) => runOn(assembly, { ...task, progress, signal: ENDED });
  try {
    if (options.assembly !== undefined) return await deliver(options.assembly);
    progress.begin('synthesizing the app');
    return await withSynthesizedApp(deliver, ENDED);
  } finally {
    progress.clear();
  }
}

async function read(file: string): Promise<EventLine[] | string> {
  try {
    return await readEvents(file, { account: '111111111111', region: 'us-east-1' });
  } catch (error) {
    return `${file} cannot be read: ${(error as Error).message}`;
  }
}
