import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  advanceBy,
  deliverEvent,
  type ExecutionDescription,
  type Interceptor,
  type LocalStack,
  runToEnd,
  startLocal,
  VirtualClock,
  WorkTracker,
} from '@onceflow/local';
import { App } from 'aws-cdk-lib';
import { keyText, recordKey } from 'onceflow/contract';
import { PaymentProvider } from './provider';
import { ProviderKeyStack } from './stack';

/** When the shop opens. */
export const OPENS_AT = Date.parse('2026-11-20T09:00:00Z');

/** An order as its event tells it. */
export interface Order {
  readonly orderId: string;
  readonly card: string;
  readonly amountCents: number;
}

/** The shop on the local stack: its time is virtual, its function and the provider it calls are real. */
export class Shop {
  readonly provider: PaymentProvider;
  /** What happens to the workflow's calls from now on. */
  faults: Interceptor = (_, next) => next();
  /** Whether recovery hears of executions that died. */
  isRecovering = true;
  /** Every run of the step so far: key, attempt and retry. */
  readonly stepRuns: string[] = [];
  readonly #stack: LocalStack;
  readonly #clock: VirtualClock;
  readonly #work: WorkTracker;
  readonly #assembly: string;

  private constructor(
    provider: PaymentProvider,
    stack: LocalStack,
    time: { readonly clock: VirtualClock; readonly work: WorkTracker },
    assembly: string,
  ) {
    [this.provider, this.#stack, this.#assembly] = [provider, stack, assembly];
    [this.#clock, this.#work] = [time.clock, time.work];
  }

  static async open(): Promise<Shop> {
    const [clock, work] = [new VirtualClock(OPENS_AT), new WorkTracker()];
    const provider = await PaymentProvider.open(clock);
    const assembly = mkdtempSync(path.join(tmpdir(), 'provider-key-'));
    const app = new App({ outdir: assembly });
    new ProviderKeyStack(app, 'ProviderKey', { providerUrl: provider.url });
    app.synth();
    const interceptor: Interceptor = (call, next) => {
      if (call.stateName === 'Business step') shop.#noteRun(call.arguments);
      return shop.faults(call, next);
    };
    const stack = await startLocal({
      ...{ assembly, clock, work, interceptor, seed: '1' },
      deliveryInterceptor: async ({ ruleArn }, next) =>
        ruleArn.includes('Recovery') && !shop.isRecovering ? { executionArn: 'lost' } : next(),
    });
    const shop = new Shop(provider, stack, { clock, work }, assembly);
    return shop;
  }

  /** Puts an order on the bus, and lets time pass until all is done; resolves to the executions that it led to. */
  async deliver(order: Order): Promise<ExecutionDescription[]> {
    const event = { source: 'shop', 'detail-type': 'OrderPlaced', detail: { ...order } };
    const delivered = deliverEvent(this.#stack, event, this.#stack.output('EventBusName'));
    await runToEnd(this.#stack.runtime, this.#clock);
    return delivered;
  }

  /** Lets so many milliseconds pass. */
  pass(ms: number): Promise<void> {
    return advanceBy(this.#stack.runtime, this.#clock, ms);
  }

  /** Ends an execution in the middle of a call, of which it never gets the answer. */
  kill(executionArn: string): Promise<never> {
    void this.#stack.runtime.stopExecution({ executionArn });
    return this.#work.lose();
  }

  /** Ends an execution; the call that it is in goes on without it. */
  stop(executionArn: string): void {
    void this.#stack.runtime.stopExecution({ executionArn });
  }

  /** The status of an order's record, and the result in it; undefined: there is none. */
  async recordOf(
    orderId: string,
  ): Promise<{ readonly status: string; readonly result: unknown } | undefined> {
    const key = keyText(orderId);
    if (key.kind !== 'key') return undefined;
    const { Item } = await this.#stack.dynamoDb.client.send(
      new GetItemCommand({
        TableName: this.#stack.output('RecordTableName'),
        Key: { idempotencyKey: { S: recordKey('ChargeOrder', key.text) } },
        ConsistentRead: true,
      }),
    );
    if (Item === undefined) return undefined;
    const result = Item['result']?.S;
    return {
      status: Item['status']?.S ?? '',
      result: result === undefined ? undefined : JSON.parse(result),
    };
  }

  async close(): Promise<void> {
    await this.#stack.close();
    await this.provider.close();
    rmSync(this.#assembly, { recursive: true, force: true });
  }

  #noteRun(given: unknown): void {
    const { Payload } = given as {
      Payload: { idempotencyKey: string; attempt: number; retryCount: number };
    };
    this.stepRuns.push(`${Payload.idempotencyKey} attempt ${Payload.attempt} retry ${Payload.retryCount}`);
  }
}
