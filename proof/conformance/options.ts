import { readCommandLine } from '../../cli/program/command-line';
import { flag, optionHelp, text } from '../../cli/program/options';
import type { Parsed } from '../../cli/program/program';

/** What the runner was asked to do. */
export interface Options {
  /** A folder of recorded cases, or one of them. */
  readonly path: string;
  /** Only cases whose path holds this text. */
  readonly filter: string;
  /** Whether histories are replayed against their own definitions, instead of running the cases. */
  readonly replay: boolean;
  readonly json: boolean;
}

const OPTIONS = {
  filter: text({
    valueName: 'TEXT',
    help: 'only cases whose path holds TEXT',
    takes: 'a text',
    byDefault: '',
  }),
  replay: flag('replay each recorded history against its own definition, as onceflow replay does, instead'),
  json: flag('one JSON object on stdout, nothing else'),
};

/** The help text. */
export const HELP = `Usage: npm run conformance -- PATH [options]

Runs recorded cases of Step Functions on the local runtime and compares whole histories and answers with what the
service said. PATH is a folder of cases, with the folders below it, or one case; docs/proof/conformance.md has the
format.

${optionHelp(OPTIONS)}
Examples:
  npm run conformance -- test/proof/conformance/cases
  npm run --silent conformance -- test/proof/conformance/cases --filter map --json
  npm run conformance -- test/proof/conformance/cases --replay

Exit codes: 0 no case failed, 1 at least one failed, 2 wrong usage or nothing to run, 3 an internal error.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const read = readCommandLine(args, OPTIONS, { positional: 'path' });
  if (read.kind !== 'options') return read;
  const { values, positionals } = read.options;
  const [path, ...more] = positionals;
  if (path === undefined) {
    const message =
      'name a folder of cases, or one case; test/proof/conformance/cases has the cases of this repository';
    return { kind: 'usage', message };
  }
  if (more.length > 0) return { kind: 'usage', message: `one path at a time; got also ${more.join(', ')}` };
  return { kind: 'options', options: { path, ...values } };
}
