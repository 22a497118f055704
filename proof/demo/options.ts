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
  /** Where all chance comes from: injected failures and stops, ids, the jitter of retries. */
  readonly seed: number;
  /** How many deliveries are under way at once; each until nothing of its order is running. */
  readonly concurrency: number;
  /** The probability with which the business step fails before its effect. */
  readonly failRate: number;
  /** Whether executions are stopped at random moments. */
  readonly chaos: boolean;
  /** Whether every event is delivered once, and nobody but recovery delivers anything again. */
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
    help: `one EventBridge event per line, as JSON (default: ${DEFAULT_EVENTS})`,
    takes: 'a file',
    byDefault: DEFAULT_EVENTS,
  }),
  via: oneOf({
    valueName: 'WAY',
    help:
      'events (default): EventBridge, whose rule starts the dispatcher, which starts the workflow under the name of ' +
      'the key; queue: SQS, whose messages a function hands to the dispatcher; code: startOnce with the AWS SDK; ' +
      'direct: StartExecution of the workflow under a random name',
    words: Object.keys(CHANNELS) as Via[],
    byDefault: 'events',
  }),
  concurrency: wholeNumber({
    valueName: 'N',
    help: 'deliveries under way at once, 1 to 1000 (default: 32); 1 waits for each outcome before the next',
    from: 1,
    to: 1000,
    byDefault: 32,
  }),
  'fail-rate': decimal({
    valueName: 'P',
    help:
      'the business step fails before its effect with probability P, 0 <= P < 1 (default: 0); failed orders are ' +
      'delivered again until they are done',
    takes: 'a number from 0 to below 1 (at 1 nothing would ever be charged)',
    byDefault: 0,
    isRight: rate => rate >= 0 && rate < 1,
  }),
  chaos: flag(
    'executions of the workflow are stopped at random moments, and orders delivered again until they are done',
  ),
  'deliver-once': flag(
    'each event is delivered once: duplicates in FILE are left out, nobody delivers anything again, and recovery alone ' +
      'brings every order to its end; not with --fail-rate, as a failed step is an end',
  ),
  'recovery-by': oneOf<RecoveryStart, undefined>({
    valueName: 'WAY',
    help:
      'with --deliver-once, what starts recovery: events (default), the status changes of Step Functions; search: every ' +
      'status change is lost, and the hourly search finds what was stopped; delivery: every status change is lost, and ' +
      'each event is delivered a second time, before the search and without chaos',
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
    help: 'what all chance comes from (default: 1)',
    from: 0,
    byDefault: 1,
  }),
  assembly: text({
    valueName: 'DIR',
    help: 'run the assembly of the reference app in DIR, as cdk synth writes it, instead of synthesizing the app',
    takes: 'a directory',
    byDefault: undefined,
  }),
  console: flag(
    'with --chaos and in real time, four deliveries a second, on the page of the stack (`onceflow console`), which ' +
      'stays open until Ctrl-C; not with --deliver-once, as recovery looks again for hours, nor with --json',
  ),
  html: text({
    valueName: 'FILE',
    help: 'the run as a page in one file: the report, and for each order its lanes on a time axis',
    takes: 'a file',
    byDefault: undefined,
  }),
  json: flag('one JSON object on stdout, nothing else'),
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

Exit codes: 0 every order with a valid key and payload has exactly one charge (by a forgetful provider with --chaos:
except where the step was cut off, which the report explains), 1 it was not, 2 wrong usage or no usable event, 3 a fault
of this program, 130 interrupted before the report.
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
    const message = '--recovery-by: without --deliver-once every delivery that is not done is made again';
    return { kind: 'usage', message: `${message}; add --deliver-once` };
  }
  if (deliverOnce && failRate > 0) {
    return { kind: 'usage', message: '--deliver-once and --fail-rate: nobody would run a failed step again' };
  }
  if (values.console && deliverOnce) {
    const message = '--console is in real time, and with --deliver-once recovery looks again for hours';
    return { kind: 'usage', message: `${message}; leave one out` };
  }
  if (values.console && values.json)
    return { kind: 'usage', message: '--console is for a person who looks at the page; leave --json out' };
  const chaos = values.chaos || values.console;
  const others = { recoveryBy: recoveryBy ?? 'events', provider: provider ?? providerFor({ chaos }) };
  return { kind: 'options', options: { ...values, chaos, failRate, deliverOnce, ...others } };
}

// Without chaos no step is cut off, and the provider must not be asked twice, whatever it would do.
function providerFor({ chaos }: { readonly chaos: boolean }): ProviderKind {
  return chaos ? 'keyed' : 'forgetful';
}
