import type { Interceptor, TestStack } from '@onceflow/local';
import { accountOf, openAccount, payIn } from './accounts';

const MINUTE = 60_000;

/** One account's part in the story; amounts are cents. */
interface Part {
  readonly what: string;
  readonly paymentId: string;
  readonly opened: number;
  /** Bodies of the first batch, and of the one an hour later. */
  readonly first: readonly string[];
  readonly later?: readonly string[];
  /** The deposit after four minutes. */
  readonly paidIn?: number;
  /** The expected outcome: how often money is taken, how much, and which messages cannot be paid. */
  readonly payments: 0 | 1;
  readonly taken: number;
  readonly unpayable: readonly string[];
}

/** A part, and what came of it. */
export interface Row {
  readonly part: Part;
  /** Calls of the business step, rejected ones included. */
  readonly runs: number;
  readonly closed: number;
  /** Messages in the dead-letter queue. */
  readonly dead: number;
  /** True where the money went once, or never where it must not, and every message went where it belongs. */
  readonly isRight: boolean;
}

const message = (paymentId: string, amount: number) =>
  JSON.stringify({ paymentId, account: `account of ${paymentId}`, amount });

const UNREADABLE = '5.00 from the account of p-5, please';

const PARTS: readonly Part[] = [
  {
    what: 'sent three times, and again an hour later',
    paymentId: 'p-1',
    opened: 5000,
    first: [message('p-1', 2000), message('p-1', 2000), message('p-1', 2000)],
    later: [message('p-1', 2000)],
    ...{ payments: 1, taken: 2000, unpayable: [] },
  },
  {
    what: 'the money comes after four minutes',
    paymentId: 'p-2',
    opened: 0,
    first: [message('p-2', 1500)],
    paidIn: 1500,
    ...{ payments: 1, taken: 1500, unpayable: [] },
  },
  {
    what: 'the money never comes',
    paymentId: 'p-3',
    opened: 100,
    first: [message('p-3', 900)],
    ...{ payments: 0, taken: 0, unpayable: [message('p-3', 900)] },
  },
  {
    what: 'an hour later the same id, another amount',
    paymentId: 'p-4',
    opened: 10_000,
    first: [message('p-4', 700)],
    later: [message('p-4', 7000)],
    ...{ payments: 1, taken: 700, unpayable: [message('p-4', 7000)] },
  },
  {
    what: 'not JSON',
    paymentId: 'p-5',
    opened: 1000,
    first: [UNREADABLE],
    ...{ payments: 0, taken: 0, unpayable: [UNREADABLE] },
  },
];

/** Counts the runs of the business step by payment; its interceptor is for the stack that the story is played on. */
export class Runs {
  readonly #byPayment = new Map<string, number>();

  readonly interceptor: Interceptor = (call, next) => {
    if (call.stateName === 'Business step') {
      const { Payload } = call.arguments as { readonly Payload: { readonly idempotencyKey: string } };
      const paymentId = Payload.idempotencyKey.slice('Pay#'.length);
      this.#byPayment.set(paymentId, this.of(paymentId) + 1);
    }
    return next();
  };

  of(paymentId: string): number {
    return this.#byPayment.get(paymentId) ?? 0;
  }
}

/**
 * Plays an hour of payments: duplicates, a rejection that passes and one that does not, messages that cannot be paid.
 */
export async function play(stack: TestStack, runs: Runs): Promise<readonly Row[]> {
  const queue = stack.output('QueueUrl');
  const send = (bodies: readonly string[]) => {
    for (const body of bodies) stack.queues.send(queue, body);
  };
  for (const { paymentId, opened } of PARTS) await openAccount(stack, `account of ${paymentId}`, opened);

  send(PARTS.flatMap(({ first }) => first));
  await stack.pass(4 * MINUTE);
  for (const { paymentId, paidIn } of PARTS) {
    if (paidIn !== undefined) await payIn(stack, `account of ${paymentId}`, paidIn);
  }
  await stack.pass(60 * MINUTE);
  send(PARTS.flatMap(({ later = [] }) => later));
  await stack.act(async () => undefined);

  return Promise.all(PARTS.map(part => outcomeOf(part, stack, runs)));
}

async function outcomeOf(part: Part, stack: TestStack, runs: Runs): Promise<Row> {
  const bodies = [...part.first, ...(part.later ?? [])];
  const left = (output: string) =>
    (stack.queues.peek(stack.output(output)) ?? [])
      .map(({ body }) => body)
      .filter(body => bodies.includes(body));
  const { balance: closed, payments } = await accountOf(stack, `account of ${part.paymentId}`);
  const dead = left('DeadLetterQueueUrl');
  const isRight =
    payments === part.payments &&
    closed === part.opened + (part.paidIn ?? 0) - part.taken &&
    left('QueueUrl').length === 0 &&
    dead.join() === part.unpayable.join();
  return { part, runs: runs.of(part.paymentId), closed, dead: dead.length, isRight };
}
