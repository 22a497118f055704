import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Money that was taken from a card. */
export interface Charge {
  readonly chargeId: string;
  readonly reference: string;
  readonly amountCents: number;
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

/** What a key was used for first, and what was answered; no answer while the provider still works on it. */
interface KnownKey {
  readonly request: string;
  readonly until: number;
  readonly answer: Answer;
}

/** How long the provider knows a key. */
export const KEYS_KEPT_MS = 24 * 3_600_000;
/** What a card has on it. */
const CARD_CENTS = 100_000;

/**
 * A payment provider over HTTP that behaves as common ones do. Every request with a key gets the first answer to that
 * key, also a rejection. A key whose request is still in progress answers 409, a key with another request 422. After 24
 * hours a key is forgotten. It is in memory, for one test.
 */
export class PaymentProvider {
  /** False for a provider that does not know what a key is: it charges whenever it is asked. */
  honoursKeys = true;
  /** How many of the next requests are answered 503, before anything is looked at. */
  unavailable = 0;
  /** How many repetitions of a key are answered 409 after its first request, as one that takes its time. */
  repetitionsWhileWorking = 0;
  /** Gets the progress of a request; true: the connection is interrupted there. */
  watch: (moment: 'arrived' | 'charged') => boolean = () => false;
  /** Every request so far: its key, and the order it is for. */
  readonly requests: { readonly key: string; readonly reference: string }[] = [];
  readonly #charges: Charge[] = [];
  readonly #keys = new Map<string, KnownKey>();
  readonly #server: Server;
  readonly #now: () => number;

  private constructor(now: () => number) {
    this.#now = now;
    this.#server = createServer((request, response) => {
      void this.#answer(request, response);
    });
  }

  static async open(now: () => number): Promise<PaymentProvider> {
    const provider = new PaymentProvider(now);
    await new Promise<void>(resolve => provider.#server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The charges of an order. */
  chargesOf(reference: string): readonly Charge[] {
    return this.#charges.filter(charge => charge.reference === reference);
  }

  /** How often the provider was asked to charge an order. */
  requestsOf(reference: string): number {
    return this.requests.filter(request => request.reference === reference).length;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const key = String(request.headers['idempotency-key'] ?? '');
    this.requests.push({ key, reference: JSON.parse(body).reference });
    const isCut = this.watch('arrived');
    const answer = this.#decide(key, body);
    if (this.watch('charged') || isCut) {
      response.destroy();
      return;
    }
    response
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer.body));
  }

  #decide(key: string, request: string): Answer {
    if (this.unavailable > 0) {
      this.unavailable -= 1;
      return { status: 503, body: { reason: 'try again later' } };
    }
    const known = this.#keys.get(key);
    if (!this.honoursKeys || known === undefined || known.until <= this.#now()) {
      return this.#charge(key, request);
    }
    if (known.request !== request) {
      return { status: 422, body: { reason: 'the key was used for another request' } };
    }
    if (this.repetitionsWhileWorking === 0) return known.answer;
    this.repetitionsWhileWorking -= 1;
    return { status: 409, body: { reason: 'a request with this key is being worked on' } };
  }

  #charge(key: string, request: string): Answer {
    const { reference, amountCents } = JSON.parse(request) as Charge;
    if (!Number.isSafeInteger(amountCents) || amountCents <= 0) {
      return { status: 400, body: { reason: 'amountCents must be a whole number above zero' } };
    }
    const until = this.#now() + KEYS_KEPT_MS;
    if (amountCents > CARD_CENTS) {
      const answer = { status: 402, body: { reason: 'insufficient funds' } };
      this.#keys.set(key, { request, until, answer });
      return answer;
    }
    const charge = { chargeId: `charge-${this.#charges.length + 1}`, reference, amountCents };
    this.#charges.push(charge);
    this.#keys.set(key, { request, until, answer: { status: 201, body: charge } });
    return { status: 201, body: charge };
  }
}
