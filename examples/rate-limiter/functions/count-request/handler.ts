import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  DynamoDBClient,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';

/** A request to count; `window` is when its window began, epoch seconds. */
interface Request {
  readonly requestId: string;
  readonly user: string;
  readonly window: number;
}

/** What one transaction has come to. */
type Outcome = 'counted' | 'counted before' | 'full' | 'busy';

const dynamodb = new DynamoDBClient({});
const numberFrom = (name: string) => Number(process.env[name]);
const [LIMIT, SHARDS, WINDOW_SECONDS] = [
  numberFrom('LIMIT'),
  numberFrom('SHARDS'),
  numberFrom('WINDOW_SECONDS'),
];
/** Later than the last delivery that the workflow knows as a duplicate, by a day. */
const KEPT_SECONDS = 8 * 24 * 3600;
/** How often a counter that others write at the moment is tried. */
const TRIES = 8;

/**
 * Counts a request for its user and window, once: one that is counted already passes again, and is not counted again.
 *
 * Exact: no counter ever goes beyond its share of the limit, and the shares add up to the limit, so no more pass. A
 * request is rejected only when each counter was found full, and a counter never goes back: by then as many have passed
 * as may.
 *
 * @throws RateLimiter.QuotaExceeded if that is the way to reject a request; CounterBusy if too many write at once
 */
export async function handler(request: Request): Promise<Record<string, unknown>> {
  const { requestId, user, window } = request;
  const home = createHash('sha256').update(requestId).digest().readUInt32BE() % SHARDS;
  const isAnswered = process.env['ANSWER'] === 'limited';
  for (let probe = 0; probe < SHARDS; probe += 1) {
    if (await passes(request, (home + probe) % SHARDS)) {
      return isAnswered ? { limited: false } : { user, window: new Date(window * 1000).toISOString() };
    }
  }
  if (isAnswered) return { limited: true };
  throw named('RateLimiter.QuotaExceeded', `${user} has no request left in this window`);
}

/** Whether the request is counted by this shard, or was by any; false: the shard is full. */
async function passes(request: Request, shard: number): Promise<boolean> {
  for (let delayMs = 10, attempt = 1; attempt <= TRIES; attempt += 1, delayMs *= 2) {
    const outcome = await count(request, shard);
    if (outcome !== 'busy') return outcome !== 'full';
    await setTimeout(delayMs * (0.5 + Math.random() / 2));
  }
  throw named('CounterBusy', 'too many requests of this user at once');
}

async function count({ requestId, user, window }: Request, shard: number): Promise<Outcome> {
  const share = Math.floor(LIMIT / SHARDS) + (shard < LIMIT % SHARDS ? 1 : 0);
  const windowEnd = window + WINDOW_SECONDS;
  const expiry = { N: String(Math.max(Math.floor(Date.now() / 1000), windowEnd) + KEPT_SECONDS) };
  const note = {
    TableName: process.env['COUNTED_TABLE'],
    Item: { requestId: { S: requestId }, expiry },
    ConditionExpression: 'attribute_not_exists(requestId)',
  };
  const add = {
    TableName: process.env['COUNTERS_TABLE'],
    Key: { counter: { S: `${user}#${window}#${shard}` } },
    UpdateExpression: 'ADD used :one SET expiry = :expiry',
    ConditionExpression: 'attribute_not_exists(used) OR used < :share',
    ExpressionAttributeValues: { ':one': { N: '1' }, ':share': { N: String(share) }, ':expiry': expiry },
  };
  try {
    await dynamodb.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: note }, { Update: add }] }));
    return 'counted';
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const [noted, added] = (error.CancellationReasons ?? []).map(({ Code }) => Code);
    // Counted already, by a call whose answer was lost or whose execution was stopped: whether it is full or not.
    if (noted === CONDITION_FAILED) return 'counted before';
    return added === CONDITION_FAILED && noted === 'None' ? 'full' : 'busy';
  }
}

const CONDITION_FAILED = 'ConditionalCheckFailed';

/** The workflow's error is the error's name. */
function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
