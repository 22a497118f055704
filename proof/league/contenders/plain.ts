import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type LockSettings, lockTable } from '../../guards/lock-table';
import { makeTable } from '../../guards/make-table';
import type { World } from '../world/world';
import type { Contender } from './contender';
import { behindQueue } from './function';

const SQS_AT_LEAST_ONCE = 'https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html';
const BEST_PRACTICES = 'https://aws.amazon.com/builders-library/making-retries-safe-with-idempotent-APIs/';
const LOCKS =
  'https://aws.amazon.com/blogs/database/building-distributed-locks-with-the-dynamodb-lock-client/';
const QUEUE =
  'SQS with ReportBatchItemFailures, visibility 6 times the timeout, 5 receives, a dead-letter queue';

/** Nothing at all. */
export const NONE: Contender = {
  id: 'none',
  title: 'no protection',
  settings: `${QUEUE}; the function just runs the step.`,
  documentation: SQS_AT_LEAST_ONCE,
  limit: {
    words:
      'Lambda event source mappings process each event at least once, and duplicate processing of records can occur.',
    source: SQS_AT_LEAST_ONCE,
  },
  open: world => behindQueue(world, async (order, step) => ({ kind: 'result', result: await step(order) })),
};

/** The queue forgets duplicates for five minutes. */
export const FIFO: Contender = {
  id: 'fifo',
  title: 'SQS FIFO deduplication',
  settings: 'A FIFO queue; the key is the deduplication id and the group. The function just runs the step.',
  documentation:
    'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/using-messagededuplicationid-property.html',
  limit: {
    words:
      "If you retry the SendMessage action within the 5-minute deduplication interval, Amazon SQS doesn't introduce any duplicates into the queue.",
    source:
      'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-queues-exactly-once-processing.html',
  },
  open: world =>
    behindQueue(world, async (order, step) => ({ kind: 'result', result: await step(order) }), {
      isFifo: true,
    }),
};

/** Looks whether the order is there, and writes it when the step is done. */
export const READ_THEN_WRITE: Contender = {
  id: 'read-then-write',
  title: 'read, then run, then write',
  settings: `${QUEUE}; a strongly consistent read before the step, a put behind it.`,
  documentation: BEST_PRACTICES,
  open: async world => {
    const { client, table } = await tableOf(world);
    return behindQueue(world, async (order, step) => {
      const Key = { id: { S: order.key } };
      const { Item } = await client.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
      if (Item) return { kind: 'duplicate', result: Item['result']?.S };
      const result = await step(order);
      const written = { ...Key, result: { S: result } };
      await client.send(new PutItemCommand({ TableName: table, Item: written }));
      return { kind: 'result', result };
    });
  },
};

/** Writes the key first, and takes what it finds for done. */
export const INSERT_FIRST: Contender = {
  id: 'insert-first',
  title: 'insert the key, skip what is there',
  settings: `${QUEUE}; a conditional put before the step, and a rejected one is a duplicate that is skipped.`,
  documentation: BEST_PRACTICES,
  open: async world => {
    const { client, table } = await tableOf(world);
    return behindQueue(world, async (order, step) => {
      try {
        await client.send(
          new PutItemCommand({
            TableName: table,
            Item: { id: { S: order.key } },
            ConditionExpression: 'attribute_not_exists(id)',
          }),
        );
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return { kind: 'duplicate' };
        throw error;
      }
      return { kind: 'result', result: await step(order) };
    });
  },
};

/** As most tutorials have it: the time to live is the lease. */
export const LOCK_TTL = lock('lock-ttl', 'lock table, its TTL as the lease', {
  lease: 3600,
  isLeaseChecked: false,
  isReleased: true,
});

/** The lease is looked at in the condition. */
export const LOCK_LEASE = lock('lock-lease', 'lock table, lease in the condition', {
  lease: 300,
  isLeaseChecked: true,
  isReleased: true,
});

/** A record for ever. */
export const LOCK_FOREVER = lock('lock-forever', 'lock table, never released', {
  lease: undefined,
  isLeaseChecked: false,
  isReleased: false,
});

function lock(id: string, title: string, settings: LockSettings): Contender {
  const { lease, isLeaseChecked, isReleased } = settings;
  const held =
    lease === undefined
      ? 'A lock stays until it is finished'
      : `A lock counts for ${lease / 60} minutes${isLeaseChecked ? ', as its condition says' : ' by its TTL'}`;
  return {
    id,
    title,
    settings: `${QUEUE}. ${held}; ${isReleased ? 'it is deleted where the step fails' : 'a failed step keeps it'}.`,
    documentation: LOCKS,
    open: async world => {
      const { client, table } = await tableOf(world);
      if (lease !== undefined)
        world.expiring = { table, keyAttribute: 'id', timeToLiveAttribute: 'ttl', keyOf: key => key };
      return behindQueue(world, lockTable(client, table, settings));
    },
  };
}

async function tableOf(world: World): Promise<{ readonly client: DynamoDBClient; readonly table: string }> {
  const table = await makeTable(world.client, 'Locks');
  return { client: new DynamoDBClient(world.clientConfig()), table };
}
