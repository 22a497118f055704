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
  /** The AWS assumption that is turned off; undefined if all hold. */
  readonly without: Assumption | undefined;
  /** Explore each variant alone. */
  readonly variants: boolean;
  /** Explore the two functions of a queue instead. */
  readonly queue: boolean;
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
    help: `how many faults can occur, 0 to ${MOST} (default: 2)`,
    from: 0,
    to: MOST,
    byDefault: 2,
  }),
  start: oneOf({
    valueName: 'HOW',
    help: 'how deliveries start: direct, dispatcher or both (default: direct)',
    words: Object.keys(CHANNELS) as (keyof typeof CHANNELS)[],
    byDefault: 'direct',
  }),
  'tell-apart': flag('distinguish states that differ only by which delivery is which'),
  definition: text({
    valueName: 'FILE',
    help: 'explore the definition in FILE (Amazon States Language, or a template of onceflow template)',
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
    'explore each variant of the workflow instead, within its default budget unless you give another',
  ),
  variant: text({
    valueName: 'NAME',
    help: `one variant: ${VARIANTS.map(({ name }) => name).join(', ')}`,
    takes: `one of ${VARIANTS.map(({ name }) => name).join(', ')}`,
    byDefault: undefined,
  }),
  without: oneOf({
    valueName: 'NAME',
    help: `show what breaks if AWS violates this assumption: ${Object.keys(ASSUMPTIONS).join(', ')}`,
    words: Object.keys(ASSUMPTIONS) as Assumption[],
    byDefault: undefined,
  }),
  queue: flag("explore the two functions of Source.queue instead, and print the page's table"),
  markdown: flag('with --variants: print the table as Markdown, as in docs/proof/explored-variants.md'),
  figures: text({
    valueName: 'DIR',
    help: 'count each row of the tables in the pages of DIR (docs/proof) again, and write them there',
    takes: 'a directory',
    byDefault: undefined,
  }),
  mutations: flag('remove each guard in turn; each time, a violation must be found'),
  only: text({
    valueName: 'NAME',
    help: 'with --mutations: only this one; with --replay: the mutation to replay on',
    takes: 'the name of a mutation',
    byDefault: undefined,
  }),
  replay: text({
    valueName: 'STEPS',
    help: 'show this interleaving step by step; separate its steps by spaces',
    takes: 'steps, separated by spaces',
    byDefault: undefined,
  }),
  random: flag('do long random runs instead, with many deliveries and faults, and with skewed clocks'),
  seed: wholeNumber({
    valueName: 'N',
    help: 'with --random: the seed of all random decisions (default: 1)',
    from: 0,
    byDefault: 1,
  }),
  minutes: decimal({
    valueName: 'M',
    help: 'with --random: how long the runs last (default: 1)',
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
    help: 'megabytes for the states, without the engine (default: two thirds of the memory)',
    from: 1,
    byDefault: Math.floor((totalmem() * 2) / 3 / 1e6),
  }),
  resume: text({
    valueName: 'DIR',
    help: 'save the progress in DIR, and continue from the progress that is saved there',
    takes: 'a directory',
    byDefault: undefined,
  }),
  mermaid: flag('with --replay: print a Mermaid sequence diagram'),
  html: text({
    valueName: 'FILE',
    help: 'with --replay: write a page to FILE, with its lanes on a time axis',
    takes: 'a file',
    byDefault: undefined,
  }),
  json: flag('print one JSON object on stdout, nothing else (with npm run --silent)'),
};

/** The help text. */
export const HELP = `Usage: npm run explore -- [options]

Explores the workflow's definition, as cdk synth renders it: every order in which deliveries of one key, their responses
and faults can happen. docs/proof/exploration.md explains what that shows, and what it assumes.

${optionHelp(OPTIONS)}
Each further delivery or fault takes about ten times as much time and memory. A state takes about 60 bytes. If the
engine needs more than the default of Node.js, set NODE_OPTIONS=--max-old-space-size=MEGABYTES. With --resume, the
same command continues where it ended: after Ctrl-C or SIGTERM, for lack of memory, or after a crash.

Exit codes: 0 if there is no violation, 1 if there is one, or a mutation has none, 2 wrong usage, 3 an internal
error, or too little memory, 130 interrupted.
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
  const variant = variantCalled(values.variant ?? '');
  const [byDefault, mostFaults] = variant?.budget ?? [executions, faults];
  return {
    kind: 'options',
    options: {
      executions: byDefault,
      faults: mostFaults,
      ...given,
      given,
      ...more,
      channels: variant?.channels ?? CHANNELS[start],
      symmetry: !isToldApart,
      replay: replay?.split(/\s+/).filter(step => step !== ''),
      random: random ? { seed, minutes } : undefined,
    },
  };
}

/** Why options do not go together: one that would say nothing is rejected, and not passed over. */
function clashIn({ values, given }: CommandLine<typeof OPTIONS>): string | undefined {
  const { definition, start, mutations, random, replay, only } = values;
  const { variant, variants, markdown } = values;
  const beside = [...given].find(name => name !== 'queue' && name !== 'json');
  if (values.queue && beside !== undefined)
    return `--queue has messages and faults of its own; leave --${beside} out`;
  if (variant !== undefined && !variantCalled(variant))
    return `--variant must be one of ${VARIANTS.map(({ name }) => name).join(', ')}; got ${JSON.stringify(variant)}`;
  const channels: readonly Channel[] = variantCalled(variant ?? '')?.channels ?? ['direct'];
  if ((variant !== undefined || variants) && given.has('start') && start !== channels.join())
    return 'a variant has starts of its own; leave --start out';
  if (values.mermaid && replay === undefined) return '--mermaid needs --replay';
  if (values.html !== undefined && replay === undefined) return '--html needs --replay';
  if (markdown && !variants) return '--markdown needs --variants';
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
  if (values.recovery !== undefined && definition === undefined) return '--recovery needs --definition';
  if (definition !== undefined && start !== 'direct')
    return '--definition has no dispatcher; leave --start out';
  if (random && (mutations || replay !== undefined || only !== undefined))
    return '--random walks through the definition as it is; leave --mutations, --only and --replay out';
  if (only !== undefined && !mutations && replay === undefined) return '--only needs --mutations or --replay';
  if (mutations && replay !== undefined && only === undefined)
    return '--replay shows one interleaving; name its mutation with --only';
  const asks = (['variants', 'mutations', 'replay', 'random'] as const).find(name => given.has(name));
  if (asks && given.has('tell-apart'))
    return `--${asks} already distinguishes deliveries; leave --tell-apart out`;
  if (values.without !== undefined && (variants || random || mutations))
    return '--without explores the original definition; leave --variants, --random and --mutations out';
  const several = (['variants', 'mutations', 'replay', 'random'] as const).find(name => given.has(name));
  if (several && values.resume !== undefined)
    return `--resume is for one exploration; leave --${several} out`;
  const chance = (['seed', 'minutes'] as const).find(name => given.has(name));
  if (chance && !random) return `--${chance} needs --random`;
  const budget = (['executions', 'faults', 'start'] as const).find(name => given.has(name));
  if (budget && random) return `--random has deliveries and faults of its own; leave --${budget} out`;
  if (budget && mutations && replay === undefined)
    return `--mutations has deliveries and faults of its own; leave --${budget} out`;
  return undefined;
}
