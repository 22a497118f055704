import type { Execution, Machine } from '../engine/execution';
import type { Signal } from '../engine/signals';
import type { OpenWork } from './open-work';

/** A signal on its way to an execution, and whom to tell what came of it. */
export interface Delivery {
  readonly signal: Signal;
  /** Told whether the signal changed anything. */
  readonly applied?: (isChanged: boolean) => void;
  /** Told why it could not be applied. */
  readonly failed?: (reason: Error) => void;
}

/** One execution in progress. */
export interface Run {
  readonly machine: Machine;
  /** As it is kept. */
  execution: Execution;
  readonly deliveries: Delivery[];
  isApplying: boolean;
  /**
   * Why nothing is applied to it any more: what it came to could not be kept. Whatever followed would leave a hole in
   * its history; the next process goes on from what was kept.
   */
  stuck: Error | undefined;
  readonly open: OpenWork;
}
