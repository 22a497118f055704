import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import {
  advanceBy,
  deliverEvent,
  type ExecutionDescription,
  type Interceptor,
  type LocalEvent,
  type LocalStack,
  runToEnd,
  type ServiceResult,
  startLocal,
  VirtualClock,
  WorkTracker,
} from '@onceflow/local';
import { App } from 'aws-cdk-lib';
import { RateLimiterStack, type RateLimiterStackProps } from './stack';

/** So many requests of a user and day pass. */
export const REQUESTS_PER_DAY = 5;
/** When the limiter opens. */
export const OPENS_AT = Date.parse('2026-11-20T09:00:00.000Z');

/** A request as its event tells it; tests send also what is none. */
export interface Request {
  readonly requestId?: unknown;
  readonly user?: unknown;
  readonly at?: unknown;
}

/** What has been counted of a user and day. */
export interface Quota {
  readonly userAndDay: string;
  readonly requestIds: readonly string[];
}

/** Synthesizes the limiter into a directory of its own, which is the caller's to remove. */
export function synthesizeLimiter(answer: RateLimiterStackProps['answer'] = 'failure'): {
  readonly assembly: string;
  remove(): void;
} {
  const assembly = mkdtempSync(path.join(tmpdir(), 'rate-limiter-'));
  const remove = () => rmSync(assembly, { recursive: true, force: true });
  try {
    const app = new App({ outdir: assembly });
    new RateLimiterStack(app, 'RateLimiter', { requestsPerDay: REQUESTS_PER_DAY, answer });
    app.synth();
    return { assembly, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The limiter on the local runtime, with virtual time. */
export class Limiter {
  /** How often the quota has been asked for so far: calls of the updating state, retries included. */
  updates = 0;
  /** What happens to a call of the updating state from now on. */
  onUpdate: Interceptor = (_, next) => next();
  readonly #stack: LocalStack;
  readonly #clock: VirtualClock;
  readonly #work: WorkTracker;

  private constructor(stack: LocalStack, clock: VirtualClock, work: WorkTracker) {
    this.#stack = stack;
    this.#clock = clock;
    this.#work = work;
  }

  static async open(assembly: string): Promise<Limiter> {
    const clock = new VirtualClock(OPENS_AT);
    const work = new WorkTracker();
    const interceptor: Interceptor = (call, next) => {
      if (call.stateName !== 'Count request') return next();
      limiter.updates += 1;
      return limiter.onUpdate(call, next);
    };
    const stack = await startLocal({ assembly, clock, work, interceptor });
    const limiter = new Limiter(stack, clock, work);
    return limiter;
  }

  /** Puts the requests on the bus at the same time; resolves to the executions that this led to, when all is done. */
  async deliver(...requests: Request[]): Promise<ExecutionDescription[]> {
    const bus = this.#stack.output('EventBusName');
    const deliveries = requests.map(request => {
      const detail = { ...request } as LocalEvent['detail'];
      return deliverEvent(this.#stack, { source: 'api', 'detail-type': 'RequestMade', detail }, bus);
    });
    const time = runToEnd(this.#stack.runtime, this.#clock);
    const [ledTo] = await Promise.all([Promise.all(deliveries), time]);
    return ledTo.flat();
  }

  /** Starts an execution for each request at the same time, past the bus; resolves to them when they have ended. */
  async start(...requests: Request[]): Promise<ExecutionDescription[]> {
    const { runtime } = this.#stack;
    const stateMachineArn = this.#stack.output('StateMachineArn');
    const starts = requests.map(detail =>
      runtime.startExecution({ stateMachineArn, input: JSON.stringify({ detail }) }),
    );
    const started = await Promise.all(starts);
    await runToEnd(runtime, this.#clock);
    return Promise.all(started.map(({ executionArn }) => runtime.describeExecution({ executionArn })));
  }

  /** Every execution so far, oldest first. */
  async executions(): Promise<ExecutionDescription[]> {
    const { runtime } = this.#stack;
    const stateMachineArn = this.#stack.output('StateMachineArn');
    const { executions } = await runtime.listExecutions({ stateMachineArn, maxResults: 1000 });
    const described = executions.map(({ executionArn }) => runtime.describeExecution({ executionArn }));
    return (await Promise.all(described)).reverse();
  }

  /** Lets time pass until this moment, epoch milliseconds. */
  async passUntil(time: number): Promise<void> {
    await advanceBy(this.#stack.runtime, this.#clock, time - this.#clock.now());
  }

  async pass(ms: number): Promise<void> {
    await this.passUntil(this.#clock.now() + ms);
  }

  /** Makes the next update, and loses its answer. */
  loseNextAnswer(): void {
    this.#afterNextUpdate(async (): Promise<ServiceResult> => {
      return { kind: 'failed', error: 'DynamoDB.SdkClientException', cause: 'Connection reset' };
    });
  }

  /** Makes the next update, and stops its execution before the answer counts. */
  stopAfterNextUpdate(): void {
    this.#afterNextUpdate(({ executionArn }) => {
      void this.#stack.runtime.stopExecution({ executionArn });
      return this.#work.lose();
    });
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
    const items = await this.#items('QuotaTableName');
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
    const items = await this.#items('QuotaTableName');
    return Number(items.find(item => item['userAndDay']?.S === userAndDay)?.['expiry']?.N);
  }

  /** The keys of the records that the workflow has, each with its status. */
  async records(): Promise<string[]> {
    const items = await this.#items('RecordTableName');
    return items.map(item => `${item['idempotencyKey']?.S} ${item['status']?.S}`).sort();
  }

  close(): Promise<void> {
    return this.#stack.close();
  }

  #afterNextUpdate(fault: Interceptor): void {
    const before = this.onUpdate;
    this.onUpdate = async (call, next) => {
      this.onUpdate = before;
      await next();
      return fault(call, next);
    };
  }

  async #items(table: 'QuotaTableName' | 'RecordTableName') {
    const TableName = this.#stack.output(table);
    const { Items = [] } = await this.#stack.dynamoDb.client.send(
      new ScanCommand({ TableName, ConsistentRead: true }),
    );
    return Items;
  }

  async #change(userAndDay: string, UpdateExpression: string, ExpressionAttributeValues: Values) {
    await this.#stack.dynamoDb.client.send(
      new UpdateItemCommand({
        TableName: this.#stack.output('QuotaTableName'),
        Key: { userAndDay: { S: userAndDay } },
        UpdateExpression,
        ExpressionAttributeValues,
      }),
    );
  }
}

type Values = UpdateItemCommand['input']['ExpressionAttributeValues'];
