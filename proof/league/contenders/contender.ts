import type { Order } from '../world/play';
import type { World } from '../world/world';

/** A way to keep an event from being worked off twice: what is compared. */
export interface Contender {
  readonly id: string;
  readonly title: string;
  /** How it is set up, and why so, in a sentence or two. */
  readonly settings: string;
  /** The page that documents its settings and its promises. */
  readonly documentation: string;
  /** What its own makers say of its limits, and where. */
  readonly limit?: { readonly words: string; readonly source: string };
  /** The cloud assembly that it runs on; undefined for none of its own. */
  readonly assembly?: (directory: string) => string;
  /** For so long after the last delivery or fault its retries can go on, in hours. @default 12 */
  readonly retriesHours?: number;
  open(world: World): Promise<Entrant> | Entrant;
}

/** A contender that is open. */
export interface Entrant {
  /** Takes one delivery. Everything after that is the contender's own doing. */
  deliver(order: Order): void | Promise<void>;
  /** The keys of the events that it has abandoned and reported to an operator. */
  reportedKeys(): readonly string[] | Promise<readonly string[]>;
  /** Before the next schedule begins. */
  reset(): void;
}
