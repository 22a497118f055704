import type { Execution, Signal } from '../../engine/index';
import { InFlight } from '../calls/in-flight';
import type { RegisteredMachine } from '../catalogue/registered-machine';

/** A signal on its way to an execution, and the callbacks for its outcome. */
export interface Delivery {
  readonly signal: Signal;
  /** Called with whether the signal changed anything. */
  readonly applied?: (isChanged: boolean) => void;
  /** Called with the reason why it could not be applied. */
  readonly failed?: (reason: Error) => void;
}

export interface Stop extends Delivery {
  readonly signal: Signal & { readonly kind: 'stopped' };
}

export function isStop(delivery: Delivery): delivery is Stop {
  return delivery.signal.kind === 'stopped';
}

/** One execution in progress. */
export interface RunningExecution {
  readonly machine: RegisteredMachine;
  /** As it was last saved. */
  execution: Execution;
  readonly deliveries: Delivery[];
  isApplying: boolean;
  /** Applies a stop before the signal that is waiting for evaluations. Nothing of that signal has been saved. */
  interrupt: ((stop: Stop) => void) | undefined;
  /**
   * Why no signal is applied any more: a transition could not be saved. Any further one would leave a hole in the
   * history; the next process goes on from what was saved.
   */
  stuck: Error | undefined;
  readonly inFlight: InFlight;
}

/** An execution whose signals are applied from now on. */
export function newRunningExecution(machine: RegisteredMachine, execution: Execution): RunningExecution {
  return {
    machine,
    execution,
    deliveries: [],
    isApplying: false,
    interrupt: undefined,
    stuck: undefined,
    inFlight: new InFlight(),
  };
}

/**
 * Fires when the execution is stopped while the delivery waits for evaluations, or at once if a stop is already queued.
 * The stop is then applied next, and the interrupted delivery after it.
 */
export function untilStopped(run: RunningExecution, delivery: Delivery): AbortSignal {
  const stopped = new AbortController();
  const { signal } = delivery;
  run.interrupt = stop => {
    run.interrupt = undefined;
    // A start or redrive that was accepted must be in the history.
    const isBeginning = signal.kind === 'started' || signal.kind === 'redriven';
    if (isBeginning) run.deliveries.unshift({ ...stop, signal: { ...stop.signal, begun: signal } });
    else run.deliveries.unshift(stop, delivery);
    stopped.abort();
  };
  const stop = run.deliveries.find(isStop);
  if (stop) {
    run.deliveries.splice(run.deliveries.indexOf(stop), 1);
    run.interrupt(stop);
  }
  return stopped.signal;
}
