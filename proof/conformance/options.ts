import { parseArgs } from 'node:util';
import type { Parsed } from '../../cli/program/program';

/** What the runner was asked to do. */
export interface Options {
  /** A folder of recorded cases, or one of them. */
  readonly place: string;
  /** Only cases whose path holds this text. */
  readonly filter: string;
  readonly json: boolean;
}

/** The help text. */
export const HELP = `Usage: npm run conformance -- PLACE [options]

Runs recorded cases of Step Functions on the local runtime and compares whole histories and answers with what the
service said. PLACE is a folder of cases, with the folders below it, or one case; docs/conformance.md has the format.

  --filter TEXT   only cases whose path holds TEXT
  --json          one JSON object on stdout, nothing else
  --help          this text

Examples:
  npm run conformance -- test/proof/conformance/cases
  npm run --silent conformance -- test/proof/conformance/cases --filter map --json

Exit codes: 0 no case failed, 1 at least one failed, 2 wrong usage or nothing to run, 3 a fault of this program.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const parsed = parse(args);
  if (typeof parsed === 'string') return { kind: 'usage', message: parsed };
  const { values, positionals } = parsed;
  if (values.help) return { kind: 'help' };
  const [place, ...more] = positionals;
  if (place === undefined) return { kind: 'usage', message: 'name a folder of cases, or one case' };
  if (more.length > 0) return { kind: 'usage', message: `one place at a time; got also ${more.join(', ')}` };
  return { kind: 'options', options: { place, filter: values.filter ?? '', json: values.json ?? false } };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        filter: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    return String((error as { message?: string }).message);
  }
}
