import { readCommandLine } from '../../cli/program/command-line';
import { flag, optionHelp, type ValuesOf, wholeNumber } from '../../cli/program/options';
import type { Parsed } from '../../cli/program/program';

const OPTIONS = {
  count: wholeNumber({
    valueName: 'N',
    help: 'how many changes (default: 100)',
    from: 1,
    to: 10_000,
    byDefault: 100,
  }),
  seed: wholeNumber({
    valueName: 'N',
    help: 'the seed that chooses the changes (default: 1)',
    from: 0,
    byDefault: 1,
  }),
  from: wholeNumber({
    valueName: 'N',
    help: 'skip the changes before this one (default: 1)',
    from: 1,
    byDefault: 1,
  }),
  list: flag('print the changes and run nothing'),
  json: flag('print one JSON object per change'),
};

/** The help text. */
export const HELP = `Usage: npm run changes -- [options]

Changes one line of state-machine, infra/sources, functions or client at random, in a copy of the last commit. Then it
runs what knows behavior until something fails: unit tests, the compiler, tests of the constructs, scenarios, examples,
tests of the command line, and the explorer's tests. If nothing notices a change, it has survived. Reviewed definitions
are not compared. Most changes take 10 to 60 seconds on two cores, a survivor 6 minutes.

${optionHelp(OPTIONS)}
Examples:
  npm run changes -- --count 10 --seed 7
  npm run changes -- --list
  npm run --silent changes -- --from 51 --json

Exit codes: 0 if all changes were noticed, 1 if a change survived, 2 wrong usage, no git or no commit, 3 an internal
error, 130 interrupted.
`;

/** What the run was asked for. */
export type Options = ValuesOf<typeof OPTIONS>;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const parsed = readCommandLine(args, OPTIONS);
  if (parsed.kind !== 'options') return parsed;
  const { values } = parsed.options;
  if (values.from <= values.count) return { kind: 'options', options: values };
  const message = `--from ${values.from} leaves none of ${values.count} changes: give a larger --count`;
  return { kind: 'usage', message };
}
