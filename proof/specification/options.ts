import { readCommandLine } from '../../cli/program/command-line';
import { flag, oneOf, optionHelp, text, wholeNumber } from '../../cli/program/options';
import type { Parsed } from '../../cli/program/program';
import { GUARDS } from './guards';

/** What to check. */
export interface Options {
  readonly deliveries: number;
  readonly faults: number;
  /** Megabytes that one run of the checker may take. */
  readonly memory: number;
  /** The one guard to take away; undefined: each in turn, after a check with all of them. */
  readonly without: string | undefined;
  /** A schedule of the exploration to go through; undefined: none. */
  readonly replay: readonly string[] | undefined;
  readonly json: boolean;
}

const OPTIONS = {
  deliveries: wholeNumber({
    valueName: 'N',
    help: 'how many deliveries of the key can come at any time, 1 to 3 (default: 2)',
    from: 1,
    to: 3,
    byDefault: 2,
  }),
  faults: wholeNumber({
    valueName: 'N',
    help: 'how many faults can occur, 0 to 2 (default: 1); 3 deliveries with 2 faults take an hour and 4 GB',
    from: 0,
    to: 2,
    byDefault: 1,
  }),
  memory: wholeNumber({
    valueName: 'MB',
    help: 'megabytes that a run of the checker can use (default: 2000)',
    from: 100,
    byDefault: 2000,
  }),
  without: oneOf({
    valueName: 'GUARD',
    help: `remove only this guard: ${GUARDS.map(({ name }) => name).join(', ')}`,
    words: GUARDS.map(({ name }) => name),
    byDefault: undefined,
  }),
  replay: text({
    valueName: 'STEPS',
    help: 'one interleaving of the exploration, its steps separated by spaces; with --without: without that guard',
    takes: 'steps, separated by spaces',
    byDefault: undefined,
  }),
  json: flag('print one JSON object on stdout, nothing else (with npm run --silent)'),
};

/** The help text. */
export const HELP = `Usage: npm run specification -- [options]

Checks proof/specification/protocol.pml with SPIN: all states of a budget, the model without each guard, and the
interleavings that npm run explore prints for the same guards. You must install spin and a C compiler first.
docs/proof/specification.md explains what that shows.

${optionHelp(OPTIONS)}
Exit codes: 0 all properties hold and fail without each guard, 1 they do not, 2 wrong usage, or no spin, 3 a fault of
this program, 130 interrupted.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const read = readCommandLine(args, OPTIONS);
  if (read.kind !== 'options') return read;
  const { replay, ...values } = read.options.values;
  return { kind: 'options', options: { ...values, replay: replay?.trim().split(/\s+/) } };
}
