import { type Signal, type TokenTarget, tokenFor } from '../../engine/index';
import type { Clock } from '../time/clock';

/** How long a worker waits for a task before it gets the answer that there is none, in milliseconds (service rule). */
const POLL_MS = 60_000;

/** What a worker asks for. */
export interface ActivityTaskRequest {
  readonly activityArn: string;
  /** Named in the history. @default - the worker stays unnamed */
  readonly workerName?: string;
}

/** A task that a worker has: its input as JSON text, and the token for its result. */
export interface ActivityTask {
  readonly taskToken: string;
  readonly input: string;
}

/** The task of an execution that no worker has yet. */
interface Offer extends TokenTarget {
  readonly input: string;
}

/** The tasks of activities that no worker has yet, and the workers that wait for one: first come, first served. */
export class ActivityTasks {
  readonly #clock: Clock;
  readonly #send: (executionArn: string, signal: Signal) => Promise<boolean>;
  readonly #offers = new Map<string, Set<Offer>>();
  readonly #waiting = new Map<string, Set<(offer: Offer | undefined) => void>>();

  /** `send` hands a signal to an execution and resolves to whether the execution waited for it. */
  constructor(clock: Clock, send: (executionArn: string, signal: Signal) => Promise<boolean>) {
    this.#clock = clock;
    this.#send = send;
  }

  /** Offers a task to the workers of an activity; returns what withdraws it. */
  offer(activityArn: string, task: Offer): () => void {
    const [first] = this.#waiting.get(activityArn) ?? [];
    if (first) {
      this.#waiting.get(activityArn)?.delete(first);
      first(task);
      return () => undefined;
    }
    const offers = this.#offers.get(activityArn) ?? new Set();
    this.#offers.set(activityArn, offers.add(task));
    return () => offers.delete(task);
  }

  /**
   * The next task of an activity, once one is there; undefined when a minute of the clock has passed without one, or
   * when the worker has gone. A task that its execution does not wait for any more is passed over.
   *
   * `whenGone` gets a function to call when the worker has gone: the worker gets no task then.
   */
  async next(
    { activityArn, workerName }: ActivityTaskRequest,
    whenGone: (listener: () => void) => void = () => undefined,
  ): Promise<ActivityTask | undefined> {
    const until = this.#clock.now() + POLL_MS;
    let isGone = false;
    whenGone(() => {
      isGone = true;
    });
    for (;;) {
      const offer = this.#take(activityArn) ?? (await this.#nextOffer(activityArn, until, whenGone));
      if (!offer) return undefined;
      const { executionArn, taskId, input } = offer;
      if (isGone) {
        this.offer(activityArn, offer);
        return undefined;
      }
      const started = {
        kind: 'activityStarted',
        taskId,
        ...(workerName !== undefined && { workerName }),
      } as const;
      if (await this.#send(executionArn, started)) return { taskToken: tokenFor(offer), input };
    }
  }

  #take(activityArn: string): Offer | undefined {
    const offers = this.#offers.get(activityArn);
    const [first] = offers ?? [];
    if (first) offers?.delete(first);
    return first;
  }

  #nextOffer(
    activityArn: string,
    until: number,
    whenGone: (listener: () => void) => void,
  ): Promise<Offer | undefined> {
    return new Promise(resolve => {
      const waiting = this.#waiting.get(activityArn) ?? new Set();
      const end = (offer: Offer | undefined) => {
        waiting.delete(end);
        cancel();
        resolve(offer);
      };
      const cancel = this.#clock.at(until, () => end(undefined));
      this.#waiting.set(activityArn, waiting.add(end));
      whenGone(() => end(undefined));
    });
  }
}
