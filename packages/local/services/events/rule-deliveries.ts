import { describeNotRun, findNotRun, type NotRunResource } from '../../assembly/not-run';
import type { Clock } from '../../runtime/time/clock';
import type { WorkTracker } from '../../runtime/time/work-tracker';
import type { DeliveryInterceptor, ServiceDirectory } from '../local-service';
import { noResource, TargetError } from '../rule-target';
import type { DeliveredEvent, EventDeliveries, RuleIdentity } from './buses';
import { deadLetterOf, type Exhaustion, isOfSubscriber, type Undelivered } from './dead-letter';
import { decideRetry } from './retry';
import type { SavedDeliveries, SavedDelivery } from './saved-deliveries';
import type { EventTarget } from './target/target';

export interface RuleDeliveriesOptions {
  /** Whose targets and dead-letter queues there are. */
  readonly services: Pick<ServiceDirectory, 'ownerOf'>;
  /** What is not run: an event for it is rejected with its reason. @default - nothing */
  readonly notRun?: readonly NotRunResource[];
  readonly clock: Clock;
  readonly work: WorkTracker;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** @default - attempts go straight to the targets */
  readonly interceptor?: DeliveryInterceptor;
  /** Where deliveries are until they have ended. @default - they end with the process */
  readonly saved?: SavedDeliveries;
}

/** A delivery in this process. */
interface UnderWay {
  /** In the state directory. */
  readonly number: number | undefined;
  /** What attempts have started that does not outlive the process. */
  readonly started: Promise<unknown>[];
}

/**
 * How many deliveries of an earlier process are repeated at the same time. All at once would delay one another, and
 * those that the next crash interrupts begin anew.
 */
const RESUMED_AT_ONCE = 32;
/** How long a repeated delivery counts as one of these, in milliseconds. */
const RESUMED_MS = 1_000;

/**
 * Delivers events to targets as EventBridge does. A rejected event is retried by the target's retry policy. When its
 * retries are exhausted, it goes to the target's dead-letter queue.
 *
 * If the target does not exist, or can never accept the input, there is no retry.
 *
 * A delivery is saved until its retries are exhausted, or until its target has accepted it and what it started there
 * has ended or outlives the process. The next process repeats the deliveries that are left, so a target can get an
 * event twice.
 */
export class RuleDeliveries implements EventDeliveries {
  readonly #options: RuleDeliveriesOptions;
  /** Calls of targets that are in progress. */
  readonly #calling = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(options: RuleDeliveriesOptions) {
    this.#options = options;
  }

  /**
   * Resolves to the answer of the target, after as many attempts as needed. The first attempt begins before this
   * returns or, if deliveries are saved, when this one is saved.
   *
   * @throws TargetError if retries are exhausted; the message says where the event is now. The error of `saved` if the
   * delivery cannot be saved: then there is no attempt.
   */
  async deliver(
    target: EventTarget,
    input: string,
    event: DeliveredEvent,
    rule: RuleIdentity,
  ): Promise<unknown> {
    const { clock, saved } = this.#options;
    const delivery: SavedDelivery = { target, input, event, rule, ingestedAt: clock.now(), retries: 0 };
    return this.#carryOut(delivery, saved && (await this.#save(delivery, saved)));
  }

  async #save(delivery: SavedDelivery, saved: SavedDeliveries): Promise<number> {
    const { work } = this.#options;
    work.begin();
    try {
      return await saved.add(delivery);
    } finally {
      work.end();
    }
  }

  /**
   * Resumes the deliveries of an earlier process when the caller has yielded: the first of them, and each other one
   * when an earlier one has ended or takes long.
   */
  resume(deliveries: readonly (readonly [number: number, delivery: SavedDelivery])[]): void {
    const { work } = this.#options;
    const left = deliveries.values();
    const goOn = async () => {
      for (const [number, delivery] of left) {
        if (this.#isClosed) return;
        await this.#resumeOne(number, delivery);
      }
    };
    const lanes = Array.from({ length: Math.min(RESUMED_AT_ONCE, deliveries.length) }, async () => {
      work.begin();
      await undefined;
      const going = goOn();
      work.end();
      await going;
    });
    const begun = work.expect(`${deliveries.length} events of before the restart`);
    void Promise.all(lanes).then(begun);
  }

  /** Resolves when the delivery and what it started have ended, or when that takes long. */
  #resumeOne(number: number, delivery: SavedDelivery): Promise<void> {
    const { clock } = this.#options;
    return new Promise(resolve => {
      const cancel = clock.at(clock.now() + RESUMED_MS, resolve);
      const ended = () => {
        cancel();
        resolve();
      };
      // Nothing waits for its result: after its last retry it is in its dead-letter queue, or dropped.
      this.#carryOut(delivery, number, ended).catch(() => undefined);
    });
  }

  /**
   * From now on, deliveries stay saved however they end. The exceptions are calls of targets that are in progress and
   * succeed, because a repetition would deliver them twice. Resolves when those targets have answered.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    do {
      await Promise.allSettled(this.#calling);
      // Behind what follows from their answers.
      await new Promise<void>(resolve => setImmediate(resolve));
    } while (this.#calling.size > 0);
  }

  async #carryOut(delivery: SavedDelivery, number: number | undefined, ended?: () => void): Promise<unknown> {
    const { work } = this.#options;
    const underWay: UnderWay = { number, started: [] };
    let isTaken = false;
    work.begin();
    try {
      const answer = await this.#retryUntilDone(delivery, underWay);
      isTaken = true;
      return answer;
    } finally {
      work.end();
      void this.#end(underWay, isTaken).then(ended);
    }
  }

  async #end({ number, started }: UnderWay, isTaken: boolean): Promise<void> {
    const isKept = isTaken && started.length === 0;
    if (started.length > 0) await Promise.allSettled(started);
    if (number !== undefined && (isKept || !this.#isClosed)) this.#options.saved?.put(number, undefined);
  }

  /** Resolves when all deliveries so far are saved. */
  async written(): Promise<void> {
    await this.#options.saved?.added();
  }

  /** Takes over an event from which no input for the target could be made. */
  discard(target: EventTarget, reason: string, event: DeliveredEvent, rule: RuleIdentity): void {
    const code = isOfSubscriber(rule) ? 'INPUT_TRANSFORMATION_FAILURE' : 'SDK_CLIENT_ERROR';
    const error = new TargetError(code, reason, false);
    this.#sendToQueue({ target, event, rule }, { error, retries: 0 });
  }

  async #retryUntilDone(delivery: SavedDelivery, underWay: UnderWay): Promise<unknown> {
    const { clock, work, random, saved } = this.#options;
    const { target, rule } = delivery;
    for (let { retries } = delivery; ; retries += 1) {
      try {
        return await this.#attemptWithFaults(delivery, retries, underWay);
      } catch (rejection) {
        const error = targetErrorOf(rejection);
        // A custom event bus retries every failure.
        if (!error.isRetriable && !isOfSubscriber(rule)) return this.#abandon(delivery, { error, retries });
        const ageMs = clock.now() - delivery.ingestedAt;
        const decision = decideRetry(target.retryPolicy, { retries, ageMs, random: random() });
        if (decision.kind === 'exhausted') {
          return this.#abandon(delivery, { error, retries, condition: decision.condition });
        }
        if (underWay.number !== undefined) saved?.put(underWay.number, { ...delivery, retries: retries + 1 });
        const arrived = work.expect(`an event of rule ${rule.name} for ${target.arn}`);
        await work.pause(clock, decision.delayMs);
        arrived();
      }
    }
  }

  #attemptWithFaults(
    { target, input, rule }: SavedDelivery,
    retryCount: number,
    underWay: UnderWay,
  ): Promise<unknown> {
    const { interceptor } = this.#options;
    const next = () => this.#callTarget(target, input, underWay);
    if (!interceptor) return next();
    return interceptor({ ruleArn: rule.arn, targetArn: target.arn, input, retryCount }, next);
  }

  async #callTarget(
    { arn: targetArn, waitSeconds }: EventTarget,
    input: string,
    { number, started }: UnderWay,
  ): Promise<unknown> {
    const notRun = findNotRun(this.#options.notRun ?? [], targetArn);
    if (notRun) throw noResource(describeNotRun(notRun));
    const target = this.#options.services.ownerOf(targetArn)?.target;
    if (!target) throw noResource(`${targetArn} has no local counterpart`);
    // What takes clock time is not waited for by `close`: the next process repeats it.
    if (waitSeconds !== undefined) return target.deliver(targetArn, input, waitSeconds);
    const calling = target.deliver(targetArn, input);
    this.#calling.add(calling);
    const answer = await calling.finally(() => this.#calling.delete(calling));
    const ended = number === undefined ? undefined : target.whenEnded?.(answer);
    if (ended !== undefined) started.push(ended);
    return answer;
  }

  #abandon(delivery: SavedDelivery, why: Exhaustion): never {
    const { code, message } = why.error;
    const where = this.#sendToQueue(delivery, why);
    throw new TargetError(code, `${message}; ${where}`, false);
  }

  /** Says in words where the event is now. */
  #sendToQueue(undelivered: Undelivered, why: Exhaustion): string {
    const { deadLetterArn } = undelivered.target;
    if (deadLetterArn === undefined) return 'the event is dropped, for the target has no dead-letter queue';
    const { body, messageAttributes } = deadLetterOf(undelivered, why);
    const queues = this.#options.services.ownerOf(deadLetterArn)?.queues;
    const sent = queues?.send(deadLetterArn, body, { messageAttributes });
    if (sent) return `the event is in the dead-letter queue ${deadLetterArn}`;
    return `the event is dropped, for its dead-letter queue ${deadLetterArn} is not there`;
  }
}

/** A rejection as EventBridge reports it; an error that no target has named may pass. */
function targetErrorOf(error: unknown): TargetError {
  if (error instanceof TargetError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new TargetError('ERROR_FROM_TARGET', message, true);
}
