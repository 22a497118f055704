import { ScanCommand } from '@aws-sdk/client-dynamodb';
import type { LocalStack } from '@onceflow/local';

/** A request of a client, and what it must be answered. */
export interface Row {
  readonly what: string;
  readonly key: string | undefined;
  readonly status: number;
  readonly isReplayed: boolean;
  readonly body: string;
  readonly isRight: boolean;
}

/** An order as a client sends it. */
export interface Order {
  readonly orderId: string;
  readonly amount: number;
}

/** Sends a payment. */
export async function pay(url: string, order: Order, headers: Readonly<Record<string, string>>) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(order),
  });
  return {
    status: answer.status,
    isReplayed: answer.headers.get('Idempotent-Replayed') === 'true',
    headers: answer.headers,
    body: await answer.text(),
  };
}

/** How often each order has been charged. */
export async function charges(stack: LocalStack): Promise<ReadonlyMap<string, number>> {
  const { Items = [] } = await stack.dynamoDb.client.send(
    new ScanCommand({ TableName: stack.output('LedgerName') }),
  );
  const counted = new Map<string, number>();
  for (const { orderId } of Items) {
    counted.set(String(orderId?.S), (counted.get(String(orderId?.S)) ?? 0) + 1);
  }
  return counted;
}

/** What clients do to an API of payments. */
export async function play(url: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const send = async (what: string, key: string | undefined, order: Order, expected: readonly number[]) => {
    const { status, isReplayed, body } = await pay(url, order, key ? { 'Idempotency-Key': `"${key}"` } : {});
    const row = { what, key, status, isReplayed, body, isRight: expected.includes(status) };
    rows.push(row);
    return row;
  };
  const order = { orderId: 'order-1', amount: 12.5 };
  const first = await send('a payment', 'k-1', order, [201]);
  const again = await send('the same again', 'k-1', order, [201]);
  await send('with another amount', 'k-1', { ...order, amount: 13 }, [422]);
  await send('without a key', undefined, order, [400]);
  await send('a card that has not enough', 'k-2', { orderId: 'order-2', amount: 5000 }, [402]);
  const third = { orderId: 'order-3', amount: 7 };
  const storm = [1, 2, 3, 4, 5].map(number => send(`five at once, ${number}`, 'k-3', third, [201, 409]));
  await Promise.all(storm);
  const last = await send('and once more', 'k-3', third, [201]);
  const bodies = new Set([first.body, again.body]);
  const answered = rows.filter(({ key, status }) => key === 'k-3' && status === 201);
  const isSame = bodies.size === 1 && new Set(answered.map(({ body }) => body)).size === 1;
  const isMarked = !first.isReplayed && again.isReplayed && last.isReplayed;
  return isSame && isMarked ? rows : rows.map(row => ({ ...row, isRight: false }));
}
