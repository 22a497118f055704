import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { payloadHash, RECORD, STATUS } from '../../../state-machine/contract/index';
import type { Received } from '../../front-door/send';
import type { Order, Play } from '../world/play';
import type { World } from '../world/world';

/** A client tries for so long, in milliseconds: as long as a queue delivers five times to the guards in functions. */
const PATIENCE_MS = 15 * 60_000;
/** The longest wait before a try, unless `Retry-After` says more. */
const WAIT_MS_MAX = 60_000;

/** A record; undefined if there is none. */
type Item = Readonly<Record<string, AttributeValue>> | undefined;

/** One try of a request: its answer, unless the connection broke, and the record before and behind it. */
interface Tried {
  readonly received: Received | undefined;
  readonly before: Item;
  readonly after: Item;
}

/** The table of the records, and the key of a record in it. */
export interface RecordTable {
  readonly table: string;
  readonly keyOf: (key: string) => string;
}

/**
 * Clients that send requests by HTTP, as the guide asks them to: the same request with the same key again after each
 * answer that is not the result, and after none, when `Retry-After` is over. Each answer is compared with the record.
 */
export class HttpClients {
  /** The keys whose clients have given up, and know that they have no result. */
  readonly #unanswered = new Set<string>();
  /** The first result that each key was answered with. */
  readonly #results = new Map<string, unknown>();

  constructor(
    private readonly world: World,
    private readonly place: RecordTable,
  ) {}

  get unanswered(): readonly string[] {
    return [...this.#unanswered];
  }

  reset(): void {
    this.#unanswered.clear();
    this.#results.clear();
  }

  /** Sends a request until it is answered, or the client has no more patience. */
  async deliver(order: Order): Promise<void> {
    const { clock, work, play } = this.world;
    const until = clock.now() + PATIENCE_MS;
    for (let wait = 1000; ; wait = Math.min(2 * wait, WAIT_MS_MAX)) {
      const tried = await this.#try(order, play);
      const isEnded = this.#note(order, play, tried);
      const waitMs = Number(tried.received?.headers['retry-after'] ?? 0) * 1000 || wait;
      if (isEnded) return;
      if (clock.now() + waitMs > until) {
        play.note('deliveries', 'step', 'the client gives up', order.key);
        // A client that was answered 202 takes its request for accepted.
        if (tried.received?.status !== 202) this.#unanswered.add(order.key);
        return;
      }
      await work.pause(clock, waitMs);
    }
  }

  async #try({ key, amount }: Order, play: Play): Promise<Tried> {
    const { http, work } = this.world;
    let before: Item;
    const received = await play.call<Received | undefined>(key, {
      name: 'POST /orders',
      isEffect: false,
      isTable: false,
      make: async () => {
        before = await this.#record(key);
        const { answer } = await http.send({
          method: 'POST',
          path: '/orders',
          headers: { 'Content-Type': 'application/json', 'Idempotency-Key': `"${key}"` },
          body: { key, amount },
        });
        return work.release(answer);
      },
      rejected: () => ({ status: 503, headers: {}, body: '' }),
      answerLost: () => undefined,
      // The connection breaks.
      killed: async () => undefined,
      frozen: undefined,
    });
    return { received, before, after: await this.#record(key) };
  }

  /** Writes an answer down; returns whether no other try changes it. @throws Error for one that no client expects */
  #note(order: Order, play: Play, tried: Tried): boolean {
    const { received } = tried;
    if (received === undefined) {
      play.note('deliveries', 'rejected', 'the client gets no answer', order.key);
      return false;
    }
    const { status, headers, body } = received;
    if (status === 200) {
      const result: unknown = JSON.parse(body);
      const kind = headers['idempotent-replayed'] === 'true' ? 'duplicate' : 'result';
      if (!this.#results.has(order.key)) this.#results.set(order.key, result);
      const isOther = result !== this.#results.get(order.key);
      play.answered(order, kind, String(result), isOther ? 'another result' : contradictionOf(order, tried));
      return true;
    }
    if (status !== 202 && status !== 409 && status !== 422 && status < 500)
      throw new Error(`a request was answered ${status}: ${body}`);
    const kind = ({ 202: 'accepted', 409: 'rejected', 422: 'mismatch' } as const)[status] ?? 'failed';
    play.answered(order, kind, undefined, contradictionOf(order, tried));
    return status === 422;
  }

  async #record(key: string): Promise<Item> {
    const { table, keyOf } = this.place;
    const Key = { [RECORD.idempotencyKey]: { S: keyOf(key) } };
    const read = new GetItemCommand({ TableName: table, Key, ConsistentRead: true });
    return (await this.world.client.send(read)).Item;
  }
}

/** How the record contradicts an answer; undefined if it does not. */
export function contradictionOf(
  { amount }: Pick<Order, 'amount'>,
  { received, before, after }: Tried,
): string | undefined {
  const isCompleted = (item: Item) => item?.[RECORD.status]?.S === STATUS.completed;
  switch (received?.status) {
    case 200:
      if (!isCompleted(after)) return 'the record is not completed';
      return after?.[RECORD.result]?.S === received.body ? undefined : 'the record has another result';
    case 409:
      return isCompleted(before) || after === undefined ? 'nothing is in progress' : undefined;
    case 422:
      return after === undefined || after[RECORD.payloadHash]?.S === payloadHash(amount)
        ? 'the record has no other payload'
        : undefined;
    default:
      return undefined;
  }
}
