import { withSynthesizedApp } from '../../cli/dev/synthesize';
import { EXIT } from '../../cli/program/exit';
import { endWithItsReaders } from '../../cli/program/output';
import { refuse, runProgram } from '../../cli/program/program';
import { progressOn } from '../../cli/program/progress';
import { endedBySignal } from '../../cli/program/signals';
import type { Complaint } from './deliver';
import { type EventLine, readEvents } from './events-file';
import { HELP, type Options, parseOptions } from './options';
import { renderReport } from './render';
import { type Judged, runOn, type Task } from './run';

const ENDED = endedBySignal();
endWithItsReaders('demo');

const PROGRAM = {
  name: 'demo',
  helpCommand: 'npm run demo -- --help',
  help: HELP,
  parse: parseOptions,
  run: (options: Options) => demo(options).catch(unlessInterrupted),
};
runProgram(PROGRAM);

function unlessInterrupted(error: unknown): never {
  // Nobody waits for deliveries that are still under way.
  if (ENDED.aborted) process.exit(EXIT.interrupted);
  throw error;
}

async function demo(options: Options): Promise<number> {
  const lines = await read(options.events);
  if (typeof lines === 'string') return refuse(PROGRAM, lines);
  const complain = ({ line, message }: Complaint) =>
    process.stderr.write(`${options.events}:${line}: ${message}\n`);
  for (const line of lines) if (line.kind === 'invalid') complain(line);
  if (!lines.some(line => line.kind === 'event')) return refuse(PROGRAM, `${options.events} has no event`);

  const { report, wrong } = await run(options, lines, complain);
  if (report.executions.started === 0 && report.deliveries === report.invalidLines) {
    return refuse(PROGRAM, `${options.events} has no event that a rule of the bus matches`);
  }
  for (const sentence of wrong) process.stderr.write(`${sentence}\n`);
  // Synthesizing the app takes longer than the deliveries, and who waits for the report waits for both.
  const wallSeconds = Math.round(process.uptime() * 10) / 10;
  const text = options.json
    ? `${JSON.stringify({ ...report, wallSeconds })}\n`
    : renderReport(report, wallSeconds);
  process.stdout.write(text);
  return report.ok ? EXIT.done : EXIT.failed;
}

async function run(
  options: Options,
  lines: readonly EventLine[],
  complain: Task['complain'],
): Promise<Judged> {
  const progress = progressOn(process.stderr, { isSilent: options.json });
  const deliver = (assembly: string) =>
    runOn(assembly, { options, lines, progress, complain, signal: ENDED });
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
