import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import {
  type ExecutionDescription,
  type ExecutionOutcome,
  type JsonObject,
  startTestStack,
  type TestStack,
} from '@onceflow/local';
import { type Synthesized, synthesized } from '../fixture';
import { ShopStack } from './stack';

const WORKFLOW = 'Payments/StateMachine';
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

/** Synthesizes the shop. */
export function synthesizeShop(): Synthesized {
  return synthesized(app => new ShopStack(app, 'PaymentsGherkin'));
}

/** The shop on the local runtime: its workflow and its function run for real, its time is virtual. */
export class Shop {
  readonly stack: TestStack;
  #order: Order = {};

  private constructor(stack: TestStack) {
    this.stack = stack;
  }

  static async open(assembly: string): Promise<Shop> {
    return new Shop(await startTestStack({ assembly }));
  }

  /** The order that was placed last. */
  get order(): Order {
    return this.#order;
  }

  /** The executions of the workflow that the last delivery, or the last start, led to. */
  get ledTo(): readonly ExecutionOutcome[] {
    const executions = this.stack.lastOutcome?.executions ?? [];
    return executions.filter(({ stateMachine }) => stateMachine.endsWith(WORKFLOW));
  }

  /** Puts the event of an order on the bus, so many times at once, and lets time pass until all is done. */
  async place(order: Order, { times = 1 } = {}): Promise<void> {
    this.#order = order;
    const event = { source: 'shop', 'detail-type': 'OrderPlaced', detail: detailOf(order) };
    await this.stack.deliver({ eventBus: 'PaymentsGherkin/Orders', event, times });
  }

  /** Starts the workflow with the event of an order, so many times at once, without the bus. */
  async start(order: Order, { times = 1 } = {}): Promise<void> {
    await this.stack.deliver({ stateMachine: WORKFLOW, input: { detail: detailOf(order) }, times });
  }

  /** All executions of the workflow, oldest first. */
  async executions(): Promise<ExecutionDescription[]> {
    const { runtime } = this.stack;
    const { arn: stateMachineArn = '' } = this.stack.find(WORKFLOW);
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

  /** The balance of the customer's card, and how often it has been charged. */
  async card(): Promise<{ readonly balanceCents: number; readonly charges: number }> {
    const { Item } = await this.stack.dynamoDb.client.send(
      new GetItemCommand({ TableName: this.#cards, Key: { card: { S: CARD } }, ConsistentRead: true }),
    );
    return { balanceCents: Number(Item?.['balanceCents']?.N), charges: Number(Item?.['charges']?.N ?? 0) };
  }

  close(): Promise<void> {
    return this.stack.close();
  }

  get #cards(): string {
    return this.stack.find('PaymentsGherkin/Cards').name;
  }

  async #updateCard(UpdateExpression: string, cents: number): Promise<void> {
    await this.stack.dynamoDb.client.send(
      new UpdateItemCommand({
        TableName: this.#cards,
        Key: { card: { S: CARD } },
        UpdateExpression,
        ExpressionAttributeValues: { ':cents': { N: String(cents) } },
      }),
    );
  }
}

function detailOf(order: Order): JsonObject {
  return JSON.parse(JSON.stringify(order));
}
