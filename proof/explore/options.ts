import { availableParallelism, totalmem } from 'node:os';
import { type CommandLine, readCommandLine } from '../../cli/program/command-line';
import { decimal, flag, oneOf, optionHelp, text, wholeNumber } from '../../cli/program/options';
import type { Parsed } from '../../cli/program/program';
import { ASSUMPTIONS, type Assumption } from './model/assumptions';
import type { Channel } from './transition/steps';
import { VARIANTS, variantCalled } from './variants/variants';

/** What to explore. */
export interface Options {
  readonly executions: number;
  readonly faults: number;
  /** Which of the two were asked for, and are no default. */
  readonly given: { readonly executions?: number; readonly faults?: number };
  readonly channels: readonly Channel[];
  /** Take states for one that differ only by which delivery is which. */
  readonly symmetry: boolean;
  /** The one variant to explore; undefined: the reference app, or another definition. */
  readonly variant: string | undefined;
  /** What is not assumed of AWS; undefined: all is. */
  readonly without: Assumption | undefined;
  /** Explore each variant by itself. */
  readonly variants: boolean;
  /** Print a schedule as a Mermaid sequence diagram. */
  readonly mermaid: boolean;
  /** The page whose tables are counted anew; undefined: none. */
  readonly figures: string | undefined;
  /** Print the table of the variants as Markdown. */
  readonly markdown: boolean;
  /** A file with a definition; undefined: the reference app's, synthesized. */
  readonly definition: string | undefined;
  /** A file with the definition of its recovery; undefined: nothing recovers it. */
  readonly recovery: string | undefined;
  /** Steps to go through again; undefined: all are explored. */
  readonly replay: readonly string[] | undefined;
  /** Explore what the definition is without its guards. */
  readonly mutations: boolean;
  /** The one mutation to explore, or to replay a schedule of. */
  readonly only: string | undefined;
  /** Walk at random instead. */
  readonly random: { readonly seed: number; readonly minutes: number } | undefined;
  /** How many threads explore at once. */
  readonly workers: number;
  /** Megabytes that what was seen and what waits may take. */
  readonly memory: number;
  /** The directory that it is saved in, and goes on from; undefined: it is not saved. */
  readonly resume: string | undefined;
  /** A file that the schedule is written to as a page; undefined: none. */
  readonly html: string | undefined;
  readonly json: boolean;
}

const MOST = 6;
const WORKERS_MAX = 64;

const CHANNELS = {
  direct: ['direct'],
  dispatcher: ['dispatcher'],
  both: ['direct', 'dispatcher'],
} as const;

const OPTIONS = {
  executions: wholeNumber({
    valueName: 'N',
    help: `deliveries of the key, 1 to ${MOST} (default: 2)`,
    from: 1,
    to: MOST,
    byDefault: 2,
  }),
  faults: wholeNumber({
    valueName: 'N',
    help: `how many faults there may be, 0 to ${MOST} (default: 2)`,
    from: 0,
    to: MOST,
    byDefault: 2,
  }),
  start: oneOf({
    valueName: 'HOW',
    help: 'direct, dispatcher or both (default: direct)',
    words: Object.keys(CHANNELS) as (keyof typeof CHANNELS)[],
    byDefault: 'direct',
  }),
  'tell-apart': flag('tell states apart that differ only by which delivery is which'),
  definition: text({
    valueName: 'FILE',
    help: 'another definition, an ASL file; it is started directly',
    takes: 'a file',
    byDefault: undefined,
  }),
  recovery: text({
    valueName: 'FILE',
    help: 'with --definition: the definition of its recovery; without it, each key whose owner ended is stuck',
    takes: 'a file',
    byDefault: undefined,
  }),
  variants: flag(
    'each variant of the workflow instead, within a budget that ends unless another one is given',
  ),
  variant: text({
    valueName: 'NAME',
    help: `one of them: ${VARIANTS.map(({ name }) => name).join(', ')}`,
    takes: `one of ${VARIANTS.map(({ name }) => name).join(', ')}`,
    byDefault: undefined,
  }),
  without: oneOf({
    valueName: 'NAME',
    help: `what breaks where AWS does not hold to an assumption: ${Object.keys(ASSUMPTIONS).join(', ')}`,
    words: Object.keys(ASSUMPTIONS) as Assumption[],
    byDefault: undefined,
  }),
  markdown: flag('with --variants: the table as Markdown, as docs/proof/exploration.md has it'),
  figures: text({
    valueName: 'FILE',
    help: 'count each row of the tables of docs/proof/exploration.md anew, and write them into it',
    takes: 'a file',
    byDefault: undefined,
  }),
  mutations: flag('take each guard away in turn: each time a violation has to be found'),
  only: text({
    valueName: 'NAME',
    help: 'with --mutations: this one; with --replay: the mutation to replay the schedule on',
    takes: 'the name of a mutation',
    byDefault: undefined,
  }),
  replay: text({
    valueName: 'STEPS',
    help: 'one schedule, its steps separated by spaces, shown step by step',
    takes: 'steps, separated by spaces',
    byDefault: undefined,
  }),
  random: flag('long random runs instead, with many deliveries and faults and with skewed clocks'),
  seed: wholeNumber({
    valueName: 'N',
    help: 'with --random: what their chance comes from (default: 1)',
    from: 0,
    byDefault: 1,
  }),
  minutes: decimal({
    valueName: 'M',
    help: 'with --random: how long they go on (default: 1)',
    takes: 'a number above 0',
    byDefault: 1,
    isRight: minutes => minutes > 0,
  }),
  workers: wholeNumber({
    valueName: 'N',
    help: 'threads that explore at once (default: one for each core)',
    from: 1,
    to: WORKERS_MAX,
    byDefault: Math.min(WORKERS_MAX, availableParallelism()),
  }),
  memory: wholeNumber({
    valueName: 'MB',
    help: 'megabytes for the states, the engine apart (default: two thirds of what there is)',
    from: 1,
    byDefault: Math.floor((totalmem() * 2) / 3 / 1e6),
  }),
  resume: text({
    valueName: 'DIR',
    help: 'save there how far it comes, also when it is ended, and go on from what is saved there',
    takes: 'a directory',
    byDefault: undefined,
  }),
  mermaid: flag('with --replay: the schedule as a Mermaid sequence diagram'),
  html: text({
    valueName: 'FILE',
    help: 'with --replay: the schedule as a page in one file, its lanes on a time axis',
    takes: 'a file',
    byDefault: undefined,
  }),
  json: flag('one JSON object on stdout, nothing else (with npm run --silent)'),
};

/** The help text. */
export const HELP = `Usage: npm run explore -- [options]

Explores the workflow's definition, as cdk synth renders it: deliveries of one key, and at each moment everything that
can happen next, faults included. docs/proof/exploration.md says what that shows, and what it assumes.

${optionHelp(OPTIONS)}
Each delivery and each fault more takes about ten times as long, and as much more memory. A state takes about 40 bytes;
NODE_OPTIONS=--max-old-space-size=MEGABYTES lets Node.js use more than its default for what the engine works with.
With --resume the same command goes on where it was ended: by Ctrl-C or SIGTERM, for lack of memory, or by a crash.

Exit codes: 0 no violation, 1 a violation, or a mutation without one, 2 wrong usage, 3 a fault of this program, or too
little memory, 130 interrupted.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const read = readCommandLine(args, OPTIONS);
  if (read.kind !== 'options') return read;
  const { values } = read.options;
  const clash = clashIn(read.options);
  if (clash !== undefined) return { kind: 'usage', message: clash };
  const { start, replay, random, seed, minutes, executions, faults, ...others } = values;
  const { 'tell-apart': isToldApart, ...more } = others;
  const given = {
    ...(read.options.given.has('executions') && { executions }),
    ...(read.options.given.has('faults') && { faults }),
  };
  const [byDefault, mostFaults] = variantCalled(values.variant ?? '')?.budget ?? [executions, faults];
  return {
    kind: 'options',
    options: {
      executions: byDefault,
      faults: mostFaults,
      ...given,
      given,
      ...more,
      channels: CHANNELS[start],
      symmetry: !isToldApart,
      replay: replay?.split(/\s+/).filter(step => step !== ''),
      random: random ? { seed, minutes } : undefined,
    },
  };
}

/** Why options do not go together: one that would say nothing is refused, and not passed over. */
function clashIn({ values, given }: CommandLine<typeof OPTIONS>): string | undefined {
  const { definition, start, mutations, random, replay, only } = values;
  const { variant, variants, markdown } = values;
  if (variant !== undefined && !variantCalled(variant))
    return `--variant takes one of ${VARIANTS.map(({ name }) => name).join(', ')}; got ${JSON.stringify(variant)}`;
  if ((variant !== undefined || variants) && start !== 'direct')
    return 'a variant is explored without a dispatcher; leave --start out';
  if (values.mermaid && replay === undefined) return '--mermaid goes with --replay';
  if (values.html !== undefined && replay === undefined) return '--html goes with --replay';
  if (markdown && !variants) return '--markdown goes with --variants';
  const counted = (
    [
      'variants',
      'variant',
      'definition',
      'mutations',
      'replay',
      'random',
      'resume',
      'without',
      'json',
    ] as const
  ).find(name => given.has(name));
  const limited = (['executions', 'faults', 'start'] as const).find(name => given.has(name));
  if (values.figures !== undefined && (counted ?? limited))
    return `--figures counts what the page has; leave --${counted ?? limited} out`;
  const other = (['definition', 'variant', 'mutations', 'replay', 'only', 'random'] as const).find(name =>
    given.has(name),
  );
  if (variants && other) return `--variants explores each variant; leave --${other} out`;
  if (variant !== undefined && definition !== undefined)
    return '--variant and --definition each name what is explored; leave one out';
  if (values.recovery !== undefined && definition === undefined) return '--recovery goes with --definition';
  if (definition !== undefined && start !== 'direct')
    return '--definition is of a workflow alone; leave --start out';
  if (random && (mutations || replay !== undefined || only !== undefined))
    return '--random walks through the definition as it is; leave --mutations, --only and --replay out';
  if (only !== undefined && !mutations && replay === undefined)
    return '--only goes with --mutations or --replay';
  if (mutations && replay !== undefined && only === undefined)
    return '--replay goes through one schedule; name its mutation with --only';
  const asks = (['variants', 'mutations', 'replay', 'random'] as const).find(name => given.has(name));
  if (asks && given.has('tell-apart'))
    return `--${asks} tells deliveries apart already; leave --tell-apart out`;
  if (values.without !== undefined && (variants || random || mutations))
    return '--without is about the definition as it is; leave --variants, --random and --mutations out';
  const several = (['variants', 'mutations', 'replay', 'random'] as const).find(name => given.has(name));
  if (several && values.resume !== undefined)
    return `--resume is for one exploration; leave --${several} out`;
  const chance = (['seed', 'minutes'] as const).find(name => given.has(name));
  if (chance && !random) return `--${chance} goes with --random`;
  const budget = (['executions', 'faults', 'start'] as const).find(name => given.has(name));
  if (budget && random) return `--random has deliveries and faults of its own; leave --${budget} out`;
  if (budget && mutations && replay === undefined)
    return `--mutations has deliveries and faults of its own; leave --${budget} out`;
  return undefined;
}
