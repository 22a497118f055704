import { once } from 'node:events';
import { withSynthesizedApp } from '../app/synthesize';
import { LocalError, type LocalStack, requirePort, startLocal } from '../local/index';
import { HELP, type Options, parseOptions } from './options';
import { renderSummary } from './render';
import { summaryOf } from './summary';

const EXIT = { ok: 0, usage: 2, fault: 3, interrupted: 130 } as const;

// The SDK's notice about coming versions of Node is not about this stack.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

/** Told of the first Ctrl-C or SIGTERM. A second one ends the process at once, should closing hang. */
const ENDED = new AbortController();
/** A terminal sends a signal to all processes and npm hands it on once more: within this time it is the same one. */
const SAME_SIGNAL_MS = 1_000;
let endedAt = 0;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (ENDED.signal.aborted && performance.now() - endedAt > SAME_SIGNAL_MS) process.exit(EXIT.interrupted);
    if (ENDED.signal.aborted) return;
    endedAt = performance.now();
    ENDED.abort();
  });
}
// Whoever read the output may be gone; the stack is still there for its clients.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

main(process.argv.slice(2)).then(
  code => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`start: ${error instanceof Error ? error.message : String(error)}\n`);
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
      return withAssembly(parsed.options);
  }
}

async function withAssembly(options: Options): Promise<number> {
  if (options.assembly !== undefined) return run(options, options.assembly);
  // Synthesizing takes seconds: what can be said before is said before.
  const problem = await problemOf(() => requirePort(options.port));
  if (typeof problem === 'string') return refuse(problem);
  if (!options.json) process.stderr.write('synthesizing the app\n');
  try {
    return await withSynthesizedApp(assembly => run(options, assembly), ENDED.signal);
  } catch (error) {
    if (ENDED.signal.aborted) return EXIT.ok;
    throw error;
  }
}

async function run(options: Options, assembly: string): Promise<number> {
  const stack = await start(options, assembly);
  if (typeof stack === 'string') return refuse(stack);
  const summary = summaryOf(stack, options.state);
  process.stdout.write(options.json ? `${JSON.stringify(summary)}\n` : renderSummary(summary));
  if (!ENDED.signal.aborted) await once(ENDED.signal, 'abort');
  await stack.close();
  return EXIT.ok;
}

async function start(options: Options, assembly: string): Promise<LocalStack | string> {
  return problemOf(() =>
    startLocal({
      assembly,
      port: options.port,
      ...(options.state !== undefined && { state: options.state }),
      log: (name, text) => process.stderr.write(`${name}: ${text}\n`),
    }),
  );
}

/** What the work comes to, or what somebody has to change before it can be done. */
async function problemOf<Result>(work: () => Promise<Result>): Promise<Result | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LocalError) return error.message;
    throw error;
  }
}

function refuse(message: string): number {
  process.stderr.write(`start: ${message}\nSee npm start -- --help\n`);
  return EXIT.usage;
}
