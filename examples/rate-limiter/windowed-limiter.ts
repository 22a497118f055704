import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { ExecutionDescription } from '@onceflow/local';
import { LocalApp, synthesized } from '../fixture';
import type { Request } from './limiter';
import { WindowedRateLimiterStack, type WindowedRateLimiterStackProps } from './windowed-stack';

/** The windowed limiter on the local stack. */
export class WindowedLimiter extends LocalApp {
  readonly #remove: () => void;

  private constructor(remove: () => void) {
    super();
    this.#remove = remove;
  }

  static async with(settings: WindowedRateLimiterStackProps): Promise<WindowedLimiter> {
    const { assembly, remove } = synthesized(
      app => new WindowedRateLimiterStack(app, 'WindowedRateLimiter', settings),
    );
    return new WindowedLimiter(remove).open(assembly);
  }

  /** Starts an execution for each request at the same time; returns them when they have ended. */
  ask(...requests: readonly Request[]): Promise<ExecutionDescription[]> {
    return this.start(...requests.map(detail => ({ detail })));
  }

  /** How many requests are counted of each user and window, as `user#window start`; shards are added up. */
  async counted(): Promise<Readonly<Record<string, number>>> {
    const counted: Record<string, number> = {};
    for (const item of await this.items('CountersTableName')) {
      const [user, window] = (item['counter']?.S ?? '').split('#');
      const name = `${user}#${new Date(Number(window) * 1000).toISOString()}`;
      counted[name] = (counted[name] ?? 0) + Number(item['used']?.N);
    }
    return counted;
  }

  /** Lets the first shard of a user's window have counted so many requests. */
  async setCounter(user: string, windowStart: string, used: number): Promise<void> {
    const counter = `${user}#${Date.parse(windowStart) / 1000}#0`;
    await this.stack.dynamoDb.client.send(
      new PutItemCommand({
        TableName: this.stack.output('CountersTableName'),
        Item: { counter: { S: counter }, used: { N: String(used) } },
      }),
    );
  }

  /** How many requests are noted as counted. */
  async noted(): Promise<number> {
    return (await this.items('CountedTableName')).length;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#remove();
  }
}
