import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { ExecutionDescription, LocalEvent } from '@onceflow/local';
import { LocalApp, type Synthesized, synthesized } from '../fixture';
import { RateLimiterStack, type RateLimiterStackProps } from './stack';

/** So many requests of a user and day pass. */
export const REQUESTS_PER_DAY = 5;
/** A request as its event tells it; tests send also what is none. */
export interface Request {
  readonly requestId?: unknown;
  readonly user?: unknown;
  readonly at?: unknown;
}

/** The count of a user and day. */
export interface Quota {
  readonly userAndDay: string;
  readonly requestIds: readonly string[];
}

/** Synthesizes the limiter. */
export function synthesizeLimiter(answer: RateLimiterStackProps['answer'] = 'failure'): Synthesized {
  const settings = { requestsPerDay: REQUESTS_PER_DAY, answer };
  return synthesized(app => new RateLimiterStack(app, 'RateLimiter', settings));
}

/** The state that asks for the quota. */
export const COUNTING = 'Count request';

/** The limiter on the local stack. */
export class Limiter extends LocalApp {
  /** Puts the requests on the bus at the same time; returns the executions that this led to, when all is done. */
  deliver(...requests: readonly Request[]): Promise<ExecutionDescription[]> {
    const events = requests.map(request => {
      const detail = { ...request } as LocalEvent['detail'];
      return { source: 'api', 'detail-type': 'RequestMade', detail };
    });
    return this.publish(...events);
  }

  /** Starts an execution for each request at the same time, past the bus; returns them when they have ended. */
  ask(...requests: readonly Request[]): Promise<ExecutionDescription[]> {
    return this.start(...requests.map(detail => ({ detail })));
  }

  /** Lets time pass until this moment, epoch milliseconds. */
  passUntil(time: number): Promise<void> {
    return this.pass(time - this.stack.now());
  }

  /** Lets more requests of a user and day pass, as support would. */
  async raise(userAndDay: string, raisedTo: number): Promise<void> {
    await this.#change(userAndDay, 'SET raisedTo = :to', { ':to': { N: String(raisedTo) } });
  }

  /** Takes a request out of the count, as support would. */
  async free(userAndDay: string, requestId: string): Promise<void> {
    await this.#change(userAndDay, 'DELETE requestIds :one', { ':one': { SS: [requestId] } });
  }

  /** All that has been counted, by user and day. */
  async quotas(): Promise<Quota[]> {
    const items = await this.items('QuotaTableName');
    return items
      .map(item => ({
        userAndDay: item['userAndDay']?.S ?? '',
        requestIds: [...(item['requestIds']?.SS ?? [])].sort(),
      }))
      .sort((a, b) => a.userAndDay.localeCompare(b.userAndDay));
  }

  /** The requests counted of one user and day, sorted. */
  async countedOf(userAndDay: string): Promise<readonly string[]> {
    return (await this.quotas()).find(quota => quota.userAndDay === userAndDay)?.requestIds ?? [];
  }

  /** When what has been counted of a user and day may be forgotten, epoch seconds. */
  async expiryOf(userAndDay: string): Promise<number> {
    const items = await this.items('QuotaTableName');
    return Number(items.find(item => item['userAndDay']?.S === userAndDay)?.['expiry']?.N);
  }

  /** The keys of the records that the workflow has, each with its status. */
  async records(): Promise<string[]> {
    const items = await this.items('RecordTableName');
    return items.map(item => `${item['idempotencyKey']?.S} ${item['status']?.S}`).sort();
  }

  async #change(userAndDay: string, UpdateExpression: string, ExpressionAttributeValues: Values) {
    await this.stack.dynamoDb.client.send(
      new UpdateItemCommand({
        TableName: this.stack.output('QuotaTableName'),
        Key: { userAndDay: { S: userAndDay } },
        UpdateExpression,
        ExpressionAttributeValues,
      }),
    );
  }
}

type Values = UpdateItemCommand['input']['ExpressionAttributeValues'];
