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
    help: 'run only cases whose path contains TEXT',
    takes: 'a text',
    byDefault: '',
  }),
  replay: flag('replay each recorded history against its definition instead, as onceflow replay does'),
  json: flag('print one JSON object on stdout, nothing else'),
};

/** The help text. */
export const HELP = `Usage: npm run conformance -- PATH [options]

Runs recorded cases of Step Functions on the local runtime, and compares whole histories and answers with those of the
service. PATH is one case, or a folder of cases and folders. docs/proof/conformance.md explains the format.

${optionHelp(OPTIONS)}
Examples:
  npm run conformance -- test/proof/conformance/cases
  npm run --silent conformance -- test/proof/conformance/cases --filter map --json
  npm run conformance -- test/proof/conformance/cases --replay

Exit codes: 0 if no case failed, 1 if at least one failed, 2 wrong usage or nothing to run, 3 internal error.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const read = readCommandLine(args, OPTIONS, { positional: 'path' });
  if (read.kind !== 'options') return read;
  const { values, positionals } = read.options;
  const [path, ...more] = positionals;
  if (path === undefined) {
    const message = 'which cases? Pass a folder of cases, or one case, such as test/proof/conformance/cases';
    return { kind: 'usage', message };
  }
  if (more.length > 0) return { kind: 'usage', message: `pass only one path; got also ${more.join(', ')}` };
  return { kind: 'options', options: { path, ...values } };
}
