import { isJsonObject, type JsonObject } from '../../json/json';
import type { StateDirectory } from '../../state/directory';
import { numberKey } from '../../state/keys';
import type { ValueChange } from '../../state/persistent-values';
import { loadItems } from '../../state/saved-values';
import type { DeliveredEvent, RuleIdentity } from './buses';
import type { EventTarget } from './target/target';

/** An event that is on its way to a target. */
export interface SavedDelivery {
  readonly target: EventTarget;
  readonly input: string;
  readonly event: DeliveredEvent;
  readonly rule: RuleIdentity;
  /** Epoch milliseconds. */
  readonly ingestedAt: number;
  /** Attempts that the target has rejected. */
  readonly retries: number;
}

/** The deliveries of a state directory that have not ended, each a value of its own. */
export class SavedDeliveries {
  readonly #directory: StateDirectory;
  #lastNumber = 0;
  /** The last delivery that was added and is not written yet. */
  #adding: Promise<void> = Promise.resolve();

  constructor(directory: StateDirectory) {
    this.#directory = directory;
  }

  /**
   * Resolves to the number of a delivery when it is written, behind everything that was written before. Rejects where
   * it cannot be: it was never there then.
   */
  async add(delivery: SavedDelivery): Promise<number> {
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    const adding = this.#directory.writeBehind.writeThrough([entryOf(number, delivery)]);
    this.#adding = adding;
    // Later deliveries do not depend on this one.
    const ended = () => {
      if (this.#adding === adding) this.#adding = Promise.resolve();
    };
    adding.then(ended, ended);
    await adding;
    return number;
  }

  /** Begins to write what has become of it; undefined for one that has ended. */
  put(number: number, delivery: SavedDelivery | undefined): void {
    this.#directory.writeBehind.write([entryOf(number, delivery)]);
  }

  /** Resolves when all deliveries that were added so far are written. Rejects where the last of them cannot be. */
  added(): Promise<void> {
    return this.#adding;
  }

  /** The deliveries of an earlier process, with their numbers. @throws DamagedState for content from elsewhere */
  async load(): Promise<readonly (readonly [number: number, delivery: SavedDelivery])[]> {
    const found = await loadItems(this.#directory, 'delivery', deliveryFrom);
    this.#lastNumber = Math.max(this.#lastNumber, ...found.map(([number]) => number));
    return found;
  }
}

function entryOf(number: number, value: SavedDelivery | undefined): ValueChange {
  return { kind: 'delivery', key: numberKey(number), value };
}

function deliveryFrom(
  value: JsonObject,
  key: string,
): readonly [number: number, delivery: SavedDelivery] | undefined {
  const isDelivery = isJsonObject(value['target']) && isJsonObject(value['event']);
  return isDelivery ? [Number(key), value as unknown as SavedDelivery] : undefined;
}
