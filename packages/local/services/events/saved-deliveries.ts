import { isJsonObject, type Json } from '../../json/json';
import { DamagedState } from '../../state/damage';
import type { StateDirectory } from '../../state/directory';
import type { RuleIdentity } from './buses';
import type { EventEnvelope } from './event';
import type { EventTarget } from './target/target';

/** An event that is on its way to a target. */
export interface Delivery {
  readonly target: EventTarget;
  readonly input: string;
  readonly event: EventEnvelope;
  readonly rule: RuleIdentity;
  /** Epoch milliseconds. */
  readonly ingestedAt: number;
  /** Attempts that the target has refused. */
  readonly retries: number;
}

/** Digits of a delivery's number in its key, so that keys sort as numbers do. */
const NUMBER_DIGITS = 12;

/** The deliveries of a state directory that have not ended, each a value of its own. */
export class SavedDeliveries {
  readonly #directory: StateDirectory;
  #lastNumber = 0;

  constructor(directory: StateDirectory) {
    this.#directory = directory;
  }

  /** Begins to write a delivery, behind everything that was written before; answers its number. */
  add(delivery: Delivery): number {
    this.#lastNumber += 1;
    this.put(this.#lastNumber, delivery);
    return this.#lastNumber;
  }

  /** Begins to write what has become of it; undefined for one that has ended. */
  put(number: number, delivery: Delivery | undefined): void {
    const key = String(number).padStart(NUMBER_DIGITS, '0');
    this.#directory.writeBehind.write([{ kind: 'delivery', key, value: delivery }]);
  }

  /**
   * Resolves when all deliveries so far are written, and all that other services changed before them. Rejects where
   * they cannot be.
   */
  written(): Promise<void> {
    return this.#directory.writeBehind.written();
  }

  /** The deliveries of an earlier process, with their numbers. @throws DamagedState for what was not written here */
  async load(): Promise<readonly (readonly [number: number, delivery: Delivery])[]> {
    const found = (await this.#directory.load('delivery')).map(
      ([key, value]) => [Number(key), deliveryFrom(key, value as Json)] as const,
    );
    this.#lastNumber = Math.max(this.#lastNumber, ...found.map(([number]) => number));
    return found;
  }
}

function deliveryFrom(key: string, value: Json): Delivery {
  if (isJsonObject(value) && isJsonObject(value['target']) && isJsonObject(value['event'])) {
    return value as unknown as Delivery;
  }
  throw new DamagedState([`delivery ${JSON.stringify(key)} is not what was written`]);
}
