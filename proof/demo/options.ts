import { parseArgs } from 'node:util';
import type { Parsed } from '../../cli/program/program';
import { ENTRIES, type Via, viaOf } from './entries/entries';

/** What the demo was asked to do. */
export interface Options {
  /** Path of a file with one EventBridge event per line. */
  readonly events: string;
  /** The way in that events take. */
  readonly via: Via;
  /** Where all chance comes from: injected failures and stops, ids, the jitter of retries. */
  readonly seed: number;
  /** How many deliveries are under way at once; each until nothing of its order is running. */
  readonly concurrency: number;
  /** The probability with which the business step fails before its effect. */
  readonly failRate: number;
  /** Whether executions are stopped at random moments. */
  readonly chaos: boolean;
  readonly json: boolean;
}

/** The help text. */
export const HELP = `Usage: npm run demo -- [options]

Synthesizes the reference app, runs it on an embedded DynamoDB without an AWS account, delivers a file of payment
events, and shows that every order is charged exactly once.

  --events FILE      one EventBridge event per line, as JSON (default: examples/payments/events.jsonl)
  --via WAY          events (default): EventBridge, whose rule starts the dispatcher, which starts the workflow under
                     the name of the key; queue: SQS, whose messages a function hands to the dispatcher; code: startOnce
                     with the AWS SDK; direct: StartExecution of the workflow under a random name
  --concurrency N    deliveries under way at once, 1 to 1000 (default: 32); 1 waits for each outcome before the next
  --fail-rate P      the business step fails before its effect with probability P, 0 <= P < 1 (default: 0);
                     failed orders are delivered again until they are done
  --chaos            executions of the workflow are stopped at random moments, and orders delivered again until they are
                     done
  --seed N           what all chance comes from (default: 1)
  --json             one JSON object on stdout, nothing else
  --help             this text

Examples:
  npm run demo -- --fail-rate 0.3 --seed 7
  npm run demo -- --chaos --seed 1
  npm run --silent demo -- --events my-events.jsonl --json

Exit codes: 0 every order with a valid key and payload was charged exactly once (with --chaos: except where the step was
cut off, which the report explains), 1 it was not, 2 wrong usage or no usable event, 3 a fault of this program, 130
interrupted.
`;

const DEFAULT_EVENTS = 'examples/payments/events.jsonl';
const CONCURRENCY_MAX = 1000;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const parsed = parse(args);
  if (typeof parsed === 'string') return { kind: 'usage', message: parsed };
  if (parsed.help) return { kind: 'help' };
  const concurrency = numberOf(parsed.concurrency, '32');
  const seed = numberOf(parsed.seed, '1');
  const failRate = numberOf(parsed['fail-rate'], '0');
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > CONCURRENCY_MAX) {
    return wrong('--concurrency', `a whole number from 1 to ${CONCURRENCY_MAX}`, parsed.concurrency);
  }
  if (!Number.isSafeInteger(seed) || seed < 0) return wrong('--seed', 'a whole number from 0', parsed.seed);
  if (!(failRate >= 0 && failRate < 1)) {
    return wrong(
      '--fail-rate',
      'a number from 0 to below 1 (at 1 nothing would ever be charged)',
      parsed['fail-rate'],
    );
  }
  const via = viaOf(parsed.via ?? 'events');
  if (via === undefined) return wrong('--via', `one of ${Object.keys(ENTRIES).join(', ')}`, parsed.via);
  const { events = DEFAULT_EVENTS, chaos = false, json = false } = parsed;
  return { kind: 'options', options: { events, via, seed, concurrency, failRate, chaos, json } };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        events: { type: 'string' },
        via: { type: 'string' },
        seed: { type: 'string' },
        concurrency: { type: 'string' },
        'fail-rate': { type: 'string' },
        chaos: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

// `Number('')` and `Number(' ')` are 0, which nobody means.
function numberOf(text: string | undefined, byDefault: string): number {
  const given = text ?? byDefault;
  return given.trim() === '' ? Number.NaN : Number(given);
}

function wrong(option: string, wanted: string, got: string | undefined): Parsed<Options> {
  return { kind: 'usage', message: `${option} takes ${wanted}; got ${JSON.stringify(got)}` };
}
