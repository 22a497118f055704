import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import {
  Activity,
  advanceBy,
  deliverEvent,
  type ExecutionDescription,
  type Interceptor,
  type LocalEvent,
  type LocalStack,
  runToEnd,
  startLocal,
  VirtualClock,
} from '@onceflow/local';
import { App } from 'aws-cdk-lib';
import { ShopStack } from './stack';

const OPENS_AT = Date.parse('2026-11-20T09:00:00.000Z');
const CARD = '4711';

/** An order as the shop tells it; parts may be missing, as in an event of a shop with a fault. */
export interface Order {
  readonly orderId?: string | undefined;
  readonly card?: string | undefined;
  readonly amountCents?: number | undefined;
}

/** An order over an amount, charged to the customer's card. */
export function orderOver(orderId: string, amountCents: number): Order {
  return { orderId, card: CARD, amountCents };
}

/** Synthesizes the shop into a directory of its own, which is the caller's to remove. */
export function synthesizeShop(): { readonly assembly: string; remove(): void } {
  const assembly = mkdtempSync(path.join(tmpdir(), 'payments-gherkin-'));
  const remove = () => rmSync(assembly, { recursive: true, force: true });
  try {
    const app = new App({ outdir: assembly });
    new ShopStack(app, 'PaymentsGherkin');
    app.synth();
    return { assembly, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The shop on the local runtime: its workflow and its function run for real, its time is virtual. */
export class Shop {
  /** How long a charge takes, in virtual milliseconds. */
  chargeTakesMs = 0;
  /** Whether the next execution whose card has been charged is stopped before it can record that. */
  stopsAfterCharge = false;
  #order: Order = {};
  #ledTo: readonly ExecutionDescription[] = [];
  readonly #clock: VirtualClock;
  readonly #stack: LocalStack;

  private constructor(stack: LocalStack, clock: VirtualClock) {
    this.#stack = stack;
    this.#clock = clock;
  }

  /** The order that was placed last. */
  get order(): Order {
    return this.#order;
  }

  /** The executions that the last delivery, or the last start, led to. */
  get ledTo(): readonly ExecutionDescription[] {
    return this.#ledTo;
  }

  static async open(assembly: string): Promise<Shop> {
    const clock = new VirtualClock(OPENS_AT);
    const activity = new Activity();
    const interceptor: Interceptor = async ({ stateName, executionArn }, next) => {
      if (stateName === 'Business step' && shop.chargeTakesMs > 0) {
        await activity.pause(clock, shop.chargeTakesMs);
      }
      if (stateName === 'Finalize: completed' && shop.stopsAfterCharge) {
        shop.stopsAfterCharge = false;
        void shop.#stack.runtime.stopExecution({ executionArn });
        return activity.lose();
      }
      return next();
    };
    const shop = new Shop(await startLocal({ assembly, clock, activity, interceptor }), clock);
    return shop;
  }

  /** Puts the event of an order on the bus, so many times at once, and lets time pass until all is done. */
  async place(order: Order, { times = 1 } = {}): Promise<void> {
    this.#order = order;
    const event: LocalEvent = { source: 'shop', 'detail-type': 'OrderPlaced', detail: detailOf(order) };
    const bus = this.#stack.output('EventBusName');
    const deliveries = Array.from({ length: times }, () => deliverEvent(this.#stack, event, bus));
    const time = runToEnd(this.#stack.runtime, this.#clock);
    const [ledTo] = await Promise.all([Promise.all(deliveries), time]);
    this.#ledTo = ledTo.flat();
  }

  /** The same for the order that was placed last: a bus delivers at least once. */
  deliverAgain(): Promise<void> {
    return this.place(this.#order);
  }

  /** Starts the workflow with the event of an order, so many times at once, without the bus. */
  async start(order: Order, { times = 1 } = {}): Promise<void> {
    const { runtime } = this.#stack;
    const stateMachineArn = this.#stack.output('StateMachineArn');
    const input = JSON.stringify({ detail: order });
    const starts = Array.from({ length: times }, () => runtime.startExecution({ stateMachineArn, input }));
    const arns = (await Promise.all(starts)).map(({ executionArn }) => executionArn);
    await runToEnd(runtime, this.#clock);
    this.#ledTo = await Promise.all(arns.map(executionArn => runtime.describeExecution({ executionArn })));
  }

  /** Lets so many milliseconds pass. */
  async pass(ms: number): Promise<void> {
    await advanceBy(this.#stack.runtime, this.#clock, ms);
  }

  /** All executions of the workflow, oldest first. */
  async executions(): Promise<ExecutionDescription[]> {
    const { runtime } = this.#stack;
    const stateMachineArn = this.#stack.output('StateMachineArn');
    const { executions } = await runtime.listExecutions({ stateMachineArn, maxResults: 1000 });
    const described = executions.map(({ executionArn }) => runtime.describeExecution({ executionArn }));
    return (await Promise.all(described)).reverse();
  }

  /** What the executions of an order answered with, each answer once. */
  async receiptsOf(orderId: string): Promise<string[]> {
    const outputs = (await this.executions()).flatMap(({ output }) => output ?? []);
    return [...new Set(outputs)].filter(output => JSON.parse(output).orderId === orderId);
  }

  /** Sets what is on the customer's card. */
  async setBalance(cents: number): Promise<void> {
    await this.#updateCard('SET balanceCents = :cents', cents);
  }

  async topUp(cents: number): Promise<void> {
    await this.#updateCard('ADD balanceCents :cents', cents);
  }

  /** What is on the customer's card, and how often it has been charged. */
  async card(): Promise<{ readonly balanceCents: number; readonly charges: number }> {
    const { Item } = await this.#stack.dynamoDb.client.send(
      new GetItemCommand({ TableName: this.#cards, Key: { card: { S: CARD } }, ConsistentRead: true }),
    );
    return { balanceCents: Number(Item?.['balanceCents']?.N), charges: Number(Item?.['charges']?.N ?? 0) };
  }

  close(): Promise<void> {
    return this.#stack.close();
  }

  get #cards(): string {
    return this.#stack.output('CardsTableName');
  }

  async #updateCard(UpdateExpression: string, cents: number): Promise<void> {
    await this.#stack.dynamoDb.client.send(
      new UpdateItemCommand({
        TableName: this.#cards,
        Key: { card: { S: CARD } },
        UpdateExpression,
        ExpressionAttributeValues: { ':cents': { N: String(cents) } },
      }),
    );
  }
}

function detailOf(order: Order): LocalEvent['detail'] {
  return JSON.parse(JSON.stringify(order));
}
