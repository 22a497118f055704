import type { Failure, Inspected, MapNumbers } from '../../engine/index';
import type { Data } from '../../language/index';
import type { InspectionData } from './request';

/** What the engine tells, and what is looked at here. */
type Seen = Inspected | 'afterItemsPath' | 'afterItemSelector';

/** The observations of a state during its test. */
export class Inspection {
  readonly #texts: Map<Seen, string>;
  #numbers: MapNumbers;
  #failure: Failure | undefined;
  #catcher: number | undefined;

  /** Goes on from what was seen before. */
  constructor(before?: Inspection) {
    this.#texts = new Map(before ? before.#texts : []);
    this.#numbers = before ? before.#numbers : {};
    this.#failure = before?.failure;
    this.#catcher = before?.catcher;
  }

  inspect(what: Seen, { text }: Data): void {
    this.#texts.set(what, text);
  }

  /** The numbers that a Map works with. */
  counted({ maxConcurrency, toleratedFailureCount, toleratedFailurePercentage }: MapNumbers): void {
    this.#numbers = {
      ...(maxConcurrency !== undefined && { maxConcurrency }),
      ...(toleratedFailureCount !== undefined && { toleratedFailureCount }),
      ...(toleratedFailurePercentage !== undefined && { toleratedFailurePercentage }),
    };
  }

  failed(failure: Failure): void {
    this.#failure = failure;
  }

  caught(catcher: number): void {
    this.#catcher = catcher;
  }

  /** The failure that Retry and Catch were asked about. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** The catcher that took it. */
  get catcher(): number | undefined {
    return this.#catcher;
  }

  /** The known data, in the terms of the answer. */
  get data(): Omit<InspectionData, 'input' | 'variables' | 'errorDetails'> {
    return { ...Object.fromEntries(this.#texts), ...this.#numbers };
  }
}
