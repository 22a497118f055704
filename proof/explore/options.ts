import { parseArgs } from 'node:util';
import type { Entry } from './world/steps';

/** What to explore. */
export interface Options {
  readonly executions: number;
  readonly faults: number;
  readonly entries: readonly Entry[];
  /** A file with a definition; undefined: the reference app's, synthesized. */
  readonly definition: string | undefined;
  /** Steps to go through again; undefined: all are explored. */
  readonly replay: readonly string[] | undefined;
  /** Explore what the definition is without its guards. */
  readonly mutations: boolean;
  /** The one mutation to explore, or to replay a schedule of. */
  readonly only: string | undefined;
  /** Walk at random instead. */
  readonly random: { readonly seed: number; readonly minutes: number } | undefined;
  readonly json: boolean;
}

/** The options, a request for help, or what is wrong with the command line. */
export type ParsedOptions =
  | { readonly kind: 'options'; readonly options: Options }
  | { readonly kind: 'help' }
  | { readonly kind: 'usage'; readonly message: string };

/** The help text. */
export const HELP = `Usage: npm run explore -- [options]

Explores the workflow's definition, as cdk synth renders it: deliveries of one key, and at each moment everything that
can happen next, faults included. docs/proof/exploration.md says what that shows, and what it
assumes.

  --executions N     deliveries of the key, 1 to 6 (default: 2)
  --faults N         how many faults there may be, 0 to 6 (default: 2)
  --start HOW        direct, dispatcher or both (default: direct)
  --definition FILE  another definition, an ASL file of a Standard workflow; it is started directly
  --mutations        take each guard away in turn: each time a violation has to be found
  --only NAME        with --mutations: this one; with --replay: the mutation to replay the schedule on
  --replay STEPS     one schedule, its steps separated by spaces, told step by step
  --random           long random runs instead, with many deliveries and faults and with skewed clocks
  --seed N           with --random: what their chance comes from (default: 1)
  --minutes M        with --random: how long they go on (default: 1)
  --json             one JSON object on stdout, nothing else (with npm run --silent)
  --help             this text

Each delivery and each fault more takes about ten times as long, and as much more memory; docs/proof/exploration.md has
figures. NODE_OPTIONS=--max-old-space-size=MEGABYTES lets Node.js use more than its default.

Exit codes: 0 no violation, 1 a violation, or a mutation without one, 2 wrong usage, 3 a fault of this program, or too
little memory, 130 interrupted.
`;

const MOST = 6;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): ParsedOptions {
  const parsed = parse(args);
  if (typeof parsed === 'string') return { kind: 'usage', message: parsed };
  if (parsed.help) return { kind: 'help' };
  const executions = wholeNumber(parsed.executions, 2, 1, MOST);
  if (executions === undefined)
    return wrong('--executions', `a whole number from 1 to ${MOST}`, parsed.executions);
  const faults = wholeNumber(parsed.faults, 2, 0, MOST);
  if (faults === undefined) return wrong('--faults', `a whole number from 0 to ${MOST}`, parsed.faults);
  const seed = wholeNumber(parsed.seed, 1, 0, Number.MAX_SAFE_INTEGER);
  if (seed === undefined) return wrong('--seed', 'a whole number from 0', parsed.seed);
  const minutes = Number(parsed.minutes ?? '1');
  if (!(minutes > 0)) return wrong('--minutes', 'a number above 0', parsed.minutes);
  const entries = ENTRIES[parsed.start ?? 'direct'];
  if (!entries) return wrong('--start', 'direct, dispatcher or both', parsed.start);
  if (parsed.definition !== undefined && entries.includes('dispatcher')) {
    return { kind: 'usage', message: '--definition is of a workflow alone; leave --start out' };
  }
  const clash = clashIn(parsed);
  if (clash !== undefined) return { kind: 'usage', message: clash };
  return {
    kind: 'options',
    options: {
      executions,
      faults,
      entries,
      definition: parsed.definition,
      replay: parsed.replay?.split(/\s+/).filter(step => step !== ''),
      mutations: parsed.mutations ?? false,
      only: parsed.only,
      random: parsed.random ? { seed, minutes } : undefined,
      json: parsed.json ?? false,
    },
  };
}

/** Why options do not go together: one that would say nothing is refused, and not passed over. */
function clashIn(given: Exclude<ReturnType<typeof parse>, string>): string | undefined {
  const { mutations, random, replay, only } = given;
  if (replay !== undefined && replay.trim() === '') return '--replay takes steps, separated by spaces';
  if (random && (mutations || replay !== undefined || only !== undefined))
    return '--random walks through the definition as it is; leave --mutations, --only and --replay out';
  if (only !== undefined && !mutations && replay === undefined)
    return '--only goes with --mutations or --replay';
  if (mutations && replay !== undefined && only === undefined)
    return '--replay goes through one schedule; name its mutation with --only';
  const chance = (['seed', 'minutes'] as const).find(name => given[name] !== undefined);
  if (chance && !random) return `--${chance} goes with --random`;
  const budget = (['executions', 'faults', 'start'] as const).find(name => given[name] !== undefined);
  if (budget && random) return `--random has deliveries and faults of its own; leave --${budget} out`;
  if (budget && mutations && replay === undefined)
    return `--mutations has deliveries and faults of its own; leave --${budget} out`;
  return undefined;
}

const ENTRIES: Readonly<Record<string, readonly Entry[]>> = {
  direct: ['direct'],
  dispatcher: ['dispatcher'],
  both: ['direct', 'dispatcher'],
};

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        executions: { type: 'string' },
        faults: { type: 'string' },
        start: { type: 'string' },
        definition: { type: 'string' },
        mutations: { type: 'boolean' },
        only: { type: 'string' },
        replay: { type: 'string' },
        random: { type: 'boolean' },
        seed: { type: 'string' },
        minutes: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function wholeNumber(
  text: string | undefined,
  byDefault: number,
  least: number,
  most: number,
): number | undefined {
  if (text === undefined) return byDefault;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
}

function wrong(option: string, wanted: string, got: string | undefined): ParsedOptions {
  return { kind: 'usage', message: `${option} takes ${wanted}; got ${JSON.stringify(got)}` };
}
