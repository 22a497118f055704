import { readCommandLine } from '../../cli/program/command-line';
import { decimal, flag, oneOf, optionHelp, text, wholeNumber } from '../../cli/program/options';
import type { Parsed } from '../../cli/program/program';
import { CHANNELS, type Via } from './channels/channels';

/** What the demo was asked to do. */
export interface Options {
  /** Path of a file with one EventBridge event per line. */
  readonly events: string;
  /** The channel that events take. */
  readonly via: Via;
  /** The seed of all chance: injected failures and stops, ids, the jitter of retries. */
  readonly seed: number;
  /** How many deliveries are under way at once; each until nothing of its order is running. */
  readonly concurrency: number;
  /** The probability with which the business step fails before its effect. */
  readonly failRate: number;
  /** Whether executions are stopped at random moments. */
  readonly chaos: boolean;
  /** Whether every event is delivered once, and only recovery delivers again. */
  readonly deliverOnce: boolean;
  /** What starts recovery if each event is delivered once. */
  readonly recoveryBy: RecoveryStart;
  /** Whose charges count: those of a provider that honours the key it is handed, or of one that forgets it. */
  readonly provider: ProviderKind;
  /** Directory of a cloud assembly of the reference app; undefined where it is synthesized. */
  readonly assembly: string | undefined;
  /** A file that the run is written to as a page; undefined: none. */
  readonly html: string | undefined;
  /** Whether it runs in real time, on a page that stays open until Ctrl-C. */
  readonly console: boolean;
  readonly json: boolean;
}

/**
 * What starts recovery: a status change of Step Functions; the hourly search, if every status change is lost; or a
 * second delivery of each event, if they are lost and no search has run yet.
 */
export type RecoveryStart = 'events' | 'search' | 'delivery';

/** What a payment provider does with a key that it has seen: answers with that charge, or charges again. */
export type ProviderKind = 'keyed' | 'forgetful';

const DEFAULT_EVENTS = 'examples/payments/events.jsonl';

const OPTIONS = {
  events: text({
    valueName: 'FILE',
    help: `the events to deliver: one EventBridge event per line, as JSON (default: ${DEFAULT_EVENTS})`,
    takes: 'a file',
    byDefault: DEFAULT_EVENTS,
  }),
  via: oneOf({
    valueName: 'WAY',
    help:
      'how deliveries arrive: events (default), an EventBridge rule and the dispatcher; queue, SQS and a function; ' +
      'code, startOnce with the AWS SDK; direct, StartExecution with a random name',
    words: Object.keys(CHANNELS) as Via[],
    byDefault: 'events',
  }),
  concurrency: wholeNumber({
    valueName: 'N',
    help: 'how many deliveries can run at once, 1 to 1000 (default: 32); 1 waits for each outcome before the next',
    from: 1,
    to: 1000,
    byDefault: 32,
  }),
  'fail-rate': decimal({
    valueName: 'P',
    help:
      'the business step fails before its effect with probability P, 0 <= P < 1 (default: 0); failed orders are ' +
      'redelivered until they succeed',
    takes: 'a number from 0 to below 1 (at 1, no order would ever be charged)',
    byDefault: 0,
    isRight: rate => rate >= 0 && rate < 1,
  }),
  chaos: flag(
    'stop executions of the workflow at random moments, and redeliver orders until they are charged',
  ),
  'deliver-once': flag(
    'deliver each event only once, without duplicates and redeliveries, so that recovery alone must complete every ' +
      'order; cannot be combined with --fail-rate',
  ),
  'recovery-by': oneOf<RecoveryStart, undefined>({
    valueName: 'WAY',
    help:
      'with --deliver-once, what starts recovery: events (default), the status changes of Step Functions; or, if these ' +
      'are lost, search, the hourly search, or delivery, a second delivery of each event without chaos',
    words: ['events', 'search', 'delivery'],
    byDefault: undefined,
  }),
  provider: oneOf<ProviderKind, undefined>({
    valueName: 'KIND',
    help:
      'whose charges count: keyed, a payment provider that charges once for a key (default with --chaos); forgetful, ' +
      'one that charges each time it is asked (default without)',
    words: ['keyed', 'forgetful'],
    byDefault: undefined,
  }),
  seed: wholeNumber({
    valueName: 'N',
    help: 'the seed of all random decisions (default: 1)',
    from: 0,
    byDefault: 1,
  }),
  assembly: text({
    valueName: 'DIR',
    help: 'run the assembly of the reference app in DIR, which cdk synth wrote, instead of synthesizing the app',
    takes: 'a directory',
    byDefault: undefined,
  }),
  console: flag(
    'run with --chaos in real time, four deliveries a second, and serve the page of `onceflow console` until Ctrl-C; ' +
      'cannot be combined with --deliver-once or --json',
  ),
  html: text({
    valueName: 'FILE',
    help: 'write the run to FILE as a page: the report, and for each order its lanes on a time axis',
    takes: 'a file',
    byDefault: undefined,
  }),
  json: flag('print one JSON object on stdout, nothing else'),
};

/** The help text. */
export const HELP = `Usage: npm run demo -- [options]

Synthesizes the reference app, runs it on an embedded DynamoDB without an AWS account, delivers a file of payment
events, and shows that every order has exactly one charge.

${optionHelp(OPTIONS)}
Examples:
  npm run demo -- --fail-rate 0.3 --seed 7
  npm run demo -- --chaos --seed 1
  npm run demo -- --chaos --deliver-once --recovery-by search
  npm run demo -- --chaos --html run.html
  npm run demo -- --console
  npm run --silent demo -- --events my-events.jsonl --json

Exit codes: 0 every order with a valid key and payload has exactly one charge (with --chaos and a forgetful provider:
unless its step was interrupted, which the report explains), 1 an order does not, 2 wrong usage or no usable event, 3 an
internal error, 130 interrupted before the report.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const read = readCommandLine(args, OPTIONS);
  if (read.kind !== 'options') return read;
  const {
    'fail-rate': failRate,
    'deliver-once': deliverOnce,
    'recovery-by': recoveryBy,
    provider,
    ...values
  } = read.options.values;
  if (recoveryBy !== undefined && !deliverOnce) {
    const message =
      '--recovery-by has no effect without --deliver-once, because every unfinished order is redelivered';
    return { kind: 'usage', message: `${message}; add --deliver-once` };
  }
  if (deliverOnce && failRate > 0) {
    return {
      kind: 'usage',
      message:
        '--deliver-once and --fail-rate exclude each other, because a failed step would not be redelivered; leave one out',
    };
  }
  if (values.console && deliverOnce) {
    const message = '--console runs in real time, and with --deliver-once recovery takes hours';
    return { kind: 'usage', message: `${message}; leave one out` };
  }
  if (values.console && values.json)
    return {
      kind: 'usage',
      message: '--console serves a page, and --json prints only a document; leave --json out',
    };
  const chaos = values.chaos || values.console;
  const others = { recoveryBy: recoveryBy ?? 'events', provider: provider ?? providerFor({ chaos }) };
  return { kind: 'options', options: { ...values, chaos, failRate, deliverOnce, ...others } };
}

// Without chaos no step is cut off, and the provider must not be asked twice, whatever it would do.
function providerFor({ chaos }: { readonly chaos: boolean }): ProviderKind {
  return chaos ? 'keyed' : 'forgetful';
}
