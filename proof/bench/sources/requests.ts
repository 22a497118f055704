import type { Answer } from '../../front-door/conversation';
import type { CountedStack } from './counted-stack';

/** The body of a request: an order. */
export interface Order {
  readonly orderId: string;
  readonly amount: number;
}

/** The workflow's input for an order. */
export function ordered(orderId: string, amount = 1) {
  return { detail: { orderId, amount } };
}

/** How a request differs from one to the Standard workflow. */
interface HowAsked {
  readonly prefer?: string;
  readonly path?: '/payments' | '/quotes';
}

/** Sends an order to the front door, and moves the clock until it is answered, each call by its assumed time. @throws Error where it is not */
export async function answered(
  stack: CountedStack,
  body: Order,
  { prefer, path = '/payments' }: HowAsked = {},
): Promise<Answered> {
  return answerOf(stack, {
    method: 'POST',
    path,
    headers: { 'Content-Type': 'application/json', ...(prefer !== undefined && { Prefer: prefer }) },
    body,
  });
}

/** Asks at a location, and moves the clock until it is answered. */
export function askedAt(stack: CountedStack, location: string): Promise<Answered> {
  const base = new URL(stack.place.stack.restApis[0]?.url ?? '');
  const { pathname } = new URL(location, new URL('payments', base));
  return answerOf(stack, { method: 'GET', path: pathname });
}

/** An answer that has come. */
export type Answered = Extract<Answer, { readonly kind: 'answer' }>;

async function answerOf(
  stack: CountedStack,
  request: Parameters<CountedStack['place']['send']>[0],
): Promise<Answered> {
  const { place } = stack;
  const [received] = await stack.timed(async () => {
    const { answer } = await place.send(request);
    return place.answersOf([answer]);
  });
  if (received?.kind !== 'answer') throw new Error('a request was not answered');
  return received;
}
