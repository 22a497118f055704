import type { Execution } from '../engine/execution';
import type { Signal } from '../engine/signals';
import type { RegisteredMachine } from './catalogue/machine';
import type { InFlight } from './in-flight';

/** A signal on its way to an execution, and the callbacks for its outcome. */
export interface Delivery {
  readonly signal: Signal;
  /** Called with whether the signal changed anything. */
  readonly applied?: (isChanged: boolean) => void;
  /** Called with the reason why it could not be applied. */
  readonly failed?: (reason: Error) => void;
}

/** One execution in progress. */
export interface Run {
  readonly machine: RegisteredMachine;
  /** As it was last saved. */
  execution: Execution;
  readonly deliveries: Delivery[];
  isApplying: boolean;
  /**
   * Why no signal is applied any more: a transition could not be saved. Any further one would leave a hole in the
   * history; the next process goes on from what was saved.
   */
  stuck: Error | undefined;
  readonly inFlight: InFlight;
}
