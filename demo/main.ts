import { withSynthesizedApp } from '../app/synthesize';
import { type EventLine, readEvents } from './events-file';
import { HELP, type Options, parseOptions } from './options';
import { progressOn } from './progress';
import { renderReport } from './render';
import { type Judged, runOn } from './run';

const EXIT = { ok: 0, notOk: 1, usage: 2, fault: 3, interrupted: 130 } as const;

// The SDK's notice about coming versions of Node is not about this run.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

const ENDED = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ENDED.abort());

// Who closes the pipe early has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

main(process.argv.slice(2)).then(
  code => {
    process.exitCode = code;
  },
  (error: unknown) => {
    // Deliveries still under way have nobody to tell.
    if (ENDED.signal.aborted) process.exit(EXIT.interrupted);
    process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = EXIT.fault;
  },
);

async function main(args: readonly string[]): Promise<number> {
  const parsed = parseOptions(args);
  switch (parsed.kind) {
    case 'help':
      process.stdout.write(HELP);
      return EXIT.ok;
    case 'usage':
      return refuse(parsed.message);
    case 'options':
      return demo(parsed.options);
  }
}

async function demo(options: Options): Promise<number> {
  const lines = await read(options.events);
  if (typeof lines === 'string') return refuse(lines);
  for (const line of lines) if (line.kind === 'invalid') complain(options.events, line);
  if (!lines.some(line => line.kind === 'event')) return refuse(`${options.events} has no event`);

  const { report, wrong } = await run(options, lines);
  if (report.executions.started === 0 && report.deliveries === report.invalidLines) {
    return refuse(`${options.events} has no event that a rule of the bus matches`);
  }
  for (const sentence of wrong) process.stderr.write(`${sentence}\n`);
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : renderReport(report));
  return report.ok ? EXIT.ok : EXIT.notOk;
}

async function run(options: Options, lines: readonly EventLine[]): Promise<Judged> {
  const progress = progressOn(process.stderr);
  progress.begin('synthesizing the app');
  try {
    return await withSynthesizedApp(
      assembly => runOn(assembly, { options, lines, progress, complain, signal: ENDED.signal }),
      ENDED.signal,
    );
  } finally {
    progress.end();
  }
}

async function read(file: string): Promise<EventLine[] | string> {
  try {
    return await readEvents(file, { account: '111111111111', region: 'us-east-1' });
  } catch (error) {
    return `${file} cannot be read: ${(error as Error).message}`;
  }
}

function complain(
  file: string,
  { line, message }: { readonly line: number; readonly message: string },
): void {
  process.stderr.write(`${file}:${line}: ${message}\n`);
}

function refuse(message: string): number {
  process.stderr.write(`demo: ${message}\nSee npm run demo -- --help\n`);
  return EXIT.usage;
}
