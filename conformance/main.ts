import { readCases } from './cases/case-files';
import { HELP, type Options, parseOptions } from './options';
import { progressOn } from './progress';
import { renderReport } from './render';
import { reportOf } from './report';
import { runAll } from './run-all';

const EXIT = { ok: 0, failed: 1, usage: 2, fault: 3 } as const;

// The SDK's notice about coming versions of Node is not about this run.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

main(process.argv.slice(2)).then(
  code => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(
      `conformance: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
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
      return run(parsed.options);
  }
}

async function run({ place, filter, json }: Options): Promise<number> {
  const startedAt = performance.now();
  const cases = await readable(place, filter);
  if (typeof cases === 'string') return refuse(cases);
  if (cases.length === 0) return refuse(`no cases in ${place}${filter && ` with '${filter}' in their path`}`);

  const progress = progressOn(process.stderr);
  const results = await runAll(cases, progress.show);
  progress.end();
  const report = reportOf(results, (performance.now() - startedAt) / 1000);
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : renderReport(report));
  return report.ok ? EXIT.ok : EXIT.failed;
}

async function readable(place: string, filter: string) {
  try {
    return await readCases(place, filter);
  } catch (error) {
    return `${place} cannot be read: ${(error as { message?: string }).message}`;
  }
}

function refuse(message: string): number {
  process.stderr.write(`conformance: ${message}\nSee npm run conformance -- --help\n`);
  return EXIT.usage;
}
