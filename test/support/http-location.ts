import { createHash } from 'node:crypto';
import { payloadHash } from '../../state-machine/contract';
import { type Answer, type HttpWorld, type Mutant, openHttp } from './http';

/** What a caller sends, as far as an answer depends on it. */
export interface Request {
  readonly principal: string;
  readonly key: string;
  readonly amount: number;
}

/** The request whose location is asked at. */
export const ALICES: Request = { principal: 'alice', key: 'k100', amount: 1 };

/** The request as it is sent, with further headers. */
export function sent({ principal, key, amount }: Request, headers: Readonly<Record<string, string>> = {}) {
  return { principal, headers: { 'Idempotency-Key': key, ...headers }, body: { orderId: key, amount } };
}

const OF_THE_AMOUNT = { payload: '{% $states.input.body.amount %}' };

/** The two front doors whose keys differ: with the caller in front of the header, and a team's own of the body. */
export const FRONT_DOORS = {
  'a key per caller': {
    open: (mutants?: readonly Mutant[]) => openHttp('per caller', {}, OF_THE_AMOUNT, undefined, mutants),
    keyText: ({ principal, key }: Request) => `${principal},${key}`,
    coded: ({ key }: Request) => key,
  },
  'a key of the body': {
    open: (mutants?: readonly Mutant[]) =>
      openHttp(
        'own key',
        {
          idempotencyKey: '{% $states.input.body.orderId %}',
          input: "{% {'idempotencyKey': $states.input.body.orderId, 'body': $states.input.body} %}",
        },
        OF_THE_AMOUNT,
        undefined,
        mutants,
      ),
    keyText: ({ key }: Request) => key,
    coded: ({ key }: Request) => key,
  },
} as const;

/** One of them. */
export type FrontDoor = (typeof FRONT_DOORS)[keyof typeof FRONT_DOORS];

/** The same, with their names. */
export const KINDS = Object.entries(FRONT_DOORS);

/** A key's text as a location has it. */
export const base64url = (text: string) => Buffer.from(encodeURIComponent(text)).toString('base64url');

/** The check of a request's location. */
export function checkOf(frontDoor: FrontDoor, request: Request): string {
  const hash = payloadHash(request.amount);
  const text = `${hash} ${request.principal} ${frontDoor.keyText(request)}`;
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** The parts of the location of a request, as its sender could compute them. */
export function partsOf(
  frontDoor: FrontDoor,
  request: Request,
  now: number,
): [string, string, string, string] {
  const seconds = String(Math.floor(now / 1000));
  return [base64url(frontDoor.coded(request)), checkOf(frontDoor, request), seconds, '0'.repeat(10)];
}

function told({ status, body }: Answer): string {
  const { type } = JSON.parse(body);
  return typeof type === 'string' ? `${status} ${type.split('#')[1]}` : String(status);
}

/** Asks, and says what was answered; `read` in front where the table was asked for it. */
export async function asks(world: HttpWorld, principal: string, asked: string): Promise<string> {
  const before = world.calls.length;
  const answer = await world.request({ principal, asked });
  return `${world.calls.length > before ? 'read, ' : ''}${told(answer)}`;
}

/** The location that a request was answered with. */
export const askedAt = ({ headers }: Answer) => String(headers['Location']?.split('/requests/')[1]);

/** The bits behind the last byte are ignored by base64: a key whose length is a multiple of three has none. */
export function withLastBitsSet(key: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = letters.indexOf(key.at(-1) ?? '');
  return `${key.slice(0, -1)}${letters[last + 1]}`;
}
