import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import {
  advanceBy,
  type ExecutionDescription,
  type Interceptor,
  type LocalStack,
  runToEnd,
  startLocal,
  VirtualClock,
  WorkTracker,
} from '@onceflow/local';
import { App } from 'aws-cdk-lib';
import type { Request } from './limiter';
import { WindowedRateLimiterStack, type WindowedRateLimiterStackProps } from './windowed-stack';

/** The windowed limiter on the local runtime, with virtual time; its function runs for real. */
export class WindowedLimiter {
  /** What happens to a call of the counting function from now on. */
  onCount: Interceptor = (_, next) => next();
  /** How often the counting function was called. */
  counts = 0;
  readonly #stack: LocalStack;
  readonly #clock: VirtualClock;
  readonly #work: WorkTracker;
  readonly #assembly: string;

  private constructor(
    stack: LocalStack,
    time: { readonly clock: VirtualClock; readonly work: WorkTracker },
    assembly: string,
  ) {
    [this.#stack, this.#clock, this.#work] = [stack, time.clock, time.work];
    this.#assembly = assembly;
  }

  static async open(settings: WindowedRateLimiterStackProps): Promise<WindowedLimiter> {
    const assembly = mkdtempSync(path.join(tmpdir(), 'rate-limiter-'));
    const app = new App({ outdir: assembly });
    new WindowedRateLimiterStack(app, 'WindowedRateLimiter', settings);
    app.synth();
    const [clock, work] = [new VirtualClock(Date.parse('2026-11-20T09:00:00Z')), new WorkTracker()];
    const interceptor: Interceptor = (call, next) => {
      if (call.stateName !== 'Business step') return next();
      limiter.counts += 1;
      return limiter.onCount(call, next);
    };
    const stack = await startLocal({ assembly, clock, work, interceptor });
    const limiter = new WindowedLimiter(stack, { clock, work }, assembly);
    return limiter;
  }

  /** Starts an execution for each request at the same time; resolves to them when they have ended. */
  async start(...requests: readonly Request[]): Promise<ExecutionDescription[]> {
    const { runtime } = this.#stack;
    const stateMachineArn = this.#stack.output('StateMachineArn');
    const starts = requests.map(detail =>
      runtime.startExecution({ stateMachineArn, input: JSON.stringify({ detail }) }),
    );
    const started = await Promise.all(starts);
    await runToEnd(runtime, this.#clock);
    return Promise.all(started.map(({ executionArn }) => runtime.describeExecution({ executionArn })));
  }

  /** Counts the next request, and stops its execution before the answer counts. */
  stopAfterNextCount(): void {
    this.onCount = async ({ executionArn }, next) => {
      this.onCount = (_, go) => go();
      await next();
      void this.#stack.runtime.stopExecution({ executionArn });
      return this.#work.lose();
    };
  }

  async pass(ms: number): Promise<void> {
    await advanceBy(this.#stack.runtime, this.#clock, ms);
  }

  /** How many requests are counted of each user and window, as `user#window start`; shards are added up. */
  async counted(): Promise<Readonly<Record<string, number>>> {
    const counted: Record<string, number> = {};
    for (const item of await this.#items('CountersTableName')) {
      const [user, window] = (item['counter']?.S ?? '').split('#');
      const name = `${user}#${new Date(Number(window) * 1000).toISOString()}`;
      counted[name] = (counted[name] ?? 0) + Number(item['used']?.N);
    }
    return counted;
  }

  /** Lets the first shard of a user's window have counted so many requests. */
  async setCounter(user: string, windowStart: string, used: number): Promise<void> {
    const counter = `${user}#${Date.parse(windowStart) / 1000}#0`;
    await this.#stack.dynamoDb.client.send(
      new PutItemCommand({
        TableName: this.#stack.output('CountersTableName'),
        Item: { counter: { S: counter }, used: { N: String(used) } },
      }),
    );
  }

  /** How many requests are noted as counted. */
  async noted(): Promise<number> {
    return (await this.#items('CountedTableName')).length;
  }

  async close(): Promise<void> {
    await this.#stack.close();
    rmSync(this.#assembly, { recursive: true, force: true });
  }

  async #items(table: 'CountersTableName' | 'CountedTableName') {
    const request = new ScanCommand({ TableName: this.#stack.output(table), ConsistentRead: true });
    return (await this.#stack.dynamoDb.client.send(request)).Items ?? [];
  }
}
