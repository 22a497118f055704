import { describeNotRun, findNotRun, type NotRunResource } from '../../assembly/not-run';
import type { Clock } from '../../runtime/time/clock';
import type { WorkTracker } from '../../runtime/time/work-tracker';
import type { DeliveryInterceptor, ServiceDirectory } from '../local-service';
import type { MessageAttributes } from '../message-queues';
import { noResource, TargetError } from '../rule-target';
import type { RuleIdentity } from './buses';
import type { EventEnvelope } from './event';
import { decideRetry, type ExhaustedCondition } from './retry';
import type { Delivery, SavedDeliveries } from './saved-deliveries';
import type { EventTarget } from './target/target';

/** What deliveries work with. */
export interface RuleDeliveriesOptions {
  /** Whose targets and dead-letter queues there are. */
  readonly services: Pick<ServiceDirectory, 'ownerOf'>;
  /** What is not run: an event for it is refused with its reason. @default - nothing */
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
  /** What attempts have started that does not outlive the process by itself. */
  readonly started: Promise<unknown>[];
}

/** Why an event was given up. */
interface GivenUp {
  readonly error: TargetError;
  readonly retries: number;
  readonly condition?: ExhaustedCondition;
}

/**
 * Deliveries of an earlier process that are made again at the same time, each for at most so many milliseconds of it.
 * All at once would keep one another from their end, and those that the next crash cuts off begin anew.
 */
const RESUMED_AT_ONCE = 32;
const RESUMED_MS = 1_000;

/**
 * Hands events to targets as EventBridge does: what a target refuses is tried again on the clock by the target's retry
 * policy, and what it never takes goes to the target's dead-letter queue.
 *
 * A target that is not there, or input it can never take, is not tried again.
 *
 * A delivery is saved until its target has taken it, and what it started there has ended or outlives the process by
 * itself, or until it was given up. The next process makes those that are left once more: a target may get an event
 * twice.
 */
export class RuleDeliveries {
  readonly #options: RuleDeliveriesOptions;
  /** What targets are taking at the moment. */
  readonly #handing = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(options: RuleDeliveriesOptions) {
    this.#options = options;
  }

  /**
   * Resolves to what the target answered, after as many attempts as that takes. The first is made before this returns
   * or, where deliveries are saved, when this one is.
   *
   * @throws TargetError when the event was given up; its message says where it is now. What `saved` throws where it
   * cannot be saved: no attempt is made then.
   */
  async deliver(
    target: EventTarget,
    input: string,
    event: EventEnvelope,
    rule: RuleIdentity,
  ): Promise<unknown> {
    const { clock, saved } = this.#options;
    const delivery: Delivery = { target, input, event, rule, ingestedAt: clock.now(), retries: 0 };
    return this.#carryOut(delivery, saved && (await this.#save(delivery, saved)));
  }

  async #save(delivery: Delivery, saved: SavedDeliveries): Promise<number> {
    const { work } = this.#options;
    work.begin();
    try {
      return await saved.add(delivery);
    } finally {
      work.end();
    }
  }

  /**
   * Goes on with the deliveries of an earlier process when the caller has yielded: with the first of them, and with
   * each other when one before it has ended, or takes long.
   */
  resume(deliveries: readonly (readonly [number: number, delivery: Delivery])[]): void {
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
  #resumeOne(number: number, delivery: Delivery): Promise<void> {
    const { clock } = this.#options;
    return new Promise(resolve => {
      const cancel = clock.at(clock.now() + RESUMED_MS, resolve);
      const ended = () => {
        cancel();
        resolve();
      };
      // How it ends is its own: given up, it is in its dead-letter queue or dropped.
      this.#carryOut(delivery, number, ended).catch(() => undefined);
    });
  }

  /**
   * What is under way from now on stays saved, however it ends; but for what a target is taking at this moment, and
   * keeps: it would have that twice. Resolves when those have answered.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    do {
      await Promise.allSettled(this.#handing);
      // Behind what follows from their answers.
      await new Promise<void>(resolve => setImmediate(resolve));
    } while (this.#handing.size > 0);
  }

  async #carryOut(delivery: Delivery, number: number | undefined, ended?: () => void): Promise<unknown> {
    const { work } = this.#options;
    const underWay: UnderWay = { number, started: [] };
    let isTaken = false;
    work.begin();
    try {
      const answer = await this.#repeat(delivery, underWay);
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

  /** Takes over an event from which no input for the target could be made. */
  discard(target: EventTarget, reason: string, event: EventEnvelope, rule: RuleIdentity): void {
    const error = new TargetError('SDK_CLIENT_ERROR', reason, false);
    this.#sendToQueue({ target, event, rule }, { error, retries: 0 });
  }

  async #repeat(delivery: Delivery, underWay: UnderWay): Promise<unknown> {
    const { clock, work, random, saved } = this.#options;
    const { target, rule } = delivery;
    for (let { retries } = delivery; ; retries += 1) {
      try {
        return await this.#attempt(delivery, retries, underWay);
      } catch (refusal) {
        const error = targetErrorOf(refusal);
        if (!error.isRetriable) return this.#giveUp(delivery, { error, retries });
        const ageMs = clock.now() - delivery.ingestedAt;
        const decision = decideRetry(target.retryPolicy, { retries, ageMs, random: random() });
        if (decision.kind === 'exhausted') {
          return this.#giveUp(delivery, { error, retries, condition: decision.condition });
        }
        if (underWay.number !== undefined) saved?.put(underWay.number, { ...delivery, retries: retries + 1 });
        const arrived = work.expect(`an event of rule ${rule.name} for ${target.arn}`);
        await work.pause(clock, decision.delayMs);
        arrived();
      }
    }
  }

  #attempt({ target, input, rule }: Delivery, retryCount: number, underWay: UnderWay): Promise<unknown> {
    const { interceptor } = this.#options;
    const next = () => this.#hand(target.arn, input, underWay);
    if (!interceptor) return next();
    return interceptor({ ruleArn: rule.arn, targetArn: target.arn, input, retryCount }, next);
  }

  async #hand(targetArn: string, input: string, { number, started }: UnderWay): Promise<unknown> {
    const notRun = findNotRun(this.#options.notRun ?? [], targetArn);
    if (notRun) throw noResource(describeNotRun(notRun));
    const target = this.#options.services.ownerOf(targetArn)?.target;
    if (!target) throw noResource(`${targetArn} has no local counterpart`);
    const handing = target.deliver(targetArn, input);
    this.#handing.add(handing);
    const answer = await handing.finally(() => this.#handing.delete(handing));
    const ended = number === undefined ? undefined : target.whenEnded?.(answer);
    if (ended !== undefined) started.push(ended);
    return answer;
  }

  #giveUp(delivery: Delivery, why: GivenUp): never {
    const { code, message } = why.error;
    const where = this.#sendToQueue(delivery, why);
    throw new TargetError(code, `${message}; ${where}`, false);
  }

  /** Says in words where the event is now. */
  #sendToQueue({ target, event, rule, input }: Undelivered, why: GivenUp): string {
    const { deadLetterArn } = target;
    if (deadLetterArn === undefined) return 'the event is dropped, for the target has no dead-letter queue';
    const messageAttributes: MessageAttributes = {
      ...(isOfScheduler(rule)
        ? { SCHEDULE_ARN: text(rule.arn), SCHEDULED_TIME: text(event.time), EXECUTION_ID: text(event.id) }
        : { RULE_ARN: text(rule.arn) }),
      TARGET_ARN: text(target.arn),
      ERROR_CODE: text(why.error.code),
      ERROR_MESSAGE: text(why.error.message || why.error.code),
      RETRY_ATTEMPTS: text(String(why.retries)),
      ...(why.condition && { EXHAUSTED_RETRY_CONDITION: text(why.condition) }),
    };
    const queues = this.#options.services.ownerOf(deadLetterArn)?.queues;
    // Scheduler has no event but the input of the target.
    const body = isOfScheduler(rule) && input !== undefined ? input : JSON.stringify(event);
    const sent = queues?.send(deadLetterArn, body, { messageAttributes });
    if (sent) return `the event is in the dead-letter queue ${deadLetterArn}`;
    return `the event is dropped, for its dead-letter queue ${deadLetterArn} is not there`;
  }
}

/** An event for which there may be no input. */
type Undelivered = Pick<Delivery, 'target' | 'event' | 'rule'> & Partial<Pick<Delivery, 'input'>>;

function isOfScheduler({ arn }: RuleIdentity): boolean {
  return arn.split(':')[2] === 'scheduler';
}

/** A refusal as EventBridge reports it; an error that no target has named may pass. */
function targetErrorOf(error: unknown): TargetError {
  if (error instanceof TargetError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new TargetError('ERROR_FROM_TARGET', message, true);
}

function text(value: string) {
  return { DataType: 'String', StringValue: value };
}
