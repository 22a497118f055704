import { describeNotRun, findNotRun, type NotRunResource } from '../../assembly/not-run';
import type { Activity } from '../../runtime/activity';
import type { Clock } from '../../runtime/clock';
import type { DeliveryInterceptor, ServiceDirectory } from '../local-service';
import type { MessageAttributes } from '../message-queues';
import { noResource, TargetError } from '../rule-target';
import type { RuleIdentity } from './buses';
import type { EventEnvelope } from './event';
import { decideRetry, type ExhaustedCondition } from './retry';
import type { EventTarget } from './target/target';

/** What deliveries work with. */
export interface RuleDeliveriesOptions {
  /** Whose targets and dead-letter queues there are. */
  readonly services: Pick<ServiceDirectory, 'ownerOf'>;
  /** What is not run: an event for it is refused with its reason. @default - nothing */
  readonly notRun?: readonly NotRunResource[];
  readonly clock: Clock;
  readonly activity: Activity;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** @default - attempts go straight to the targets */
  readonly interceptor?: DeliveryInterceptor;
}

interface Delivery {
  readonly target: EventTarget;
  readonly input: string;
  readonly event: EventEnvelope;
  readonly rule: RuleIdentity;
  readonly ingestedAt: number;
}

/** Why an event was given up. */
interface GivenUp {
  readonly error: TargetError;
  readonly retries: number;
  readonly condition?: ExhaustedCondition;
}

/**
 * Hands events to targets as EventBridge does: what a target refuses is tried again on the clock by the target's retry
 * policy, and what it never takes goes to the target's dead-letter queue.
 *
 * A target that is not there, or input it can never take, is not tried again. What waits to be tried again is lost by
 * a restart.
 */
export class RuleDeliveries {
  readonly #options: RuleDeliveriesOptions;

  constructor(options: RuleDeliveriesOptions) {
    this.#options = options;
  }

  /**
   * Resolves to what the target answered, after as many attempts as that takes. The first is made before this returns.
   *
   * @throws TargetError when the event was given up; its message says where it is now.
   */
  async deliver(
    target: EventTarget,
    input: string,
    event: EventEnvelope,
    rule: RuleIdentity,
  ): Promise<unknown> {
    const { activity, clock } = this.#options;
    activity.begin();
    try {
      return await this.#repeat({ target, input, event, rule, ingestedAt: clock.now() });
    } finally {
      activity.end();
    }
  }

  /** Takes over an event from which no input for the target could be made. */
  discard(target: EventTarget, reason: string, event: EventEnvelope, rule: RuleIdentity): void {
    const error = new TargetError('SDK_CLIENT_ERROR', reason, false);
    this.#sendToQueue({ target, event, rule }, { error, retries: 0 });
  }

  async #repeat(delivery: Delivery): Promise<unknown> {
    const { clock, activity, random } = this.#options;
    const { target, rule } = delivery;
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#attempt(delivery, retries);
      } catch (refusal) {
        const error = targetErrorOf(refusal);
        if (!error.isRetriable) return this.#giveUp(delivery, { error, retries });
        const ageMs = clock.now() - delivery.ingestedAt;
        const decision = decideRetry(target.retryPolicy, { retries, ageMs, random: random() });
        if (decision.kind === 'exhausted') {
          return this.#giveUp(delivery, { error, retries, condition: decision.condition });
        }
        const arrived = activity.expect(`an event of rule ${rule.name} for ${target.arn}`);
        await activity.pause(clock, decision.delayMs);
        arrived();
      }
    }
  }

  #attempt({ target, input, rule }: Delivery, retryCount: number): Promise<unknown> {
    const { interceptor } = this.#options;
    const next = () => this.#hand(target.arn, input);
    if (!interceptor) return next();
    return interceptor({ ruleArn: rule.arn, targetArn: target.arn, input, retryCount }, next);
  }

  async #hand(targetArn: string, input: string): Promise<unknown> {
    const notRun = findNotRun(this.#options.notRun ?? [], targetArn);
    if (notRun) throw noResource(describeNotRun(notRun));
    const target = this.#options.services.ownerOf(targetArn)?.target;
    if (!target) throw noResource(`${targetArn} has no local counterpart`);
    return target.deliver(targetArn, input);
  }

  #giveUp(delivery: Delivery, why: GivenUp): never {
    const { code, message } = why.error;
    const where = this.#sendToQueue(delivery, why);
    throw new TargetError(code, `${message}; ${where}`, false);
  }

  /** Says in words where the event is now. */
  #sendToQueue({ target, event, rule }: Pick<Delivery, 'target' | 'event' | 'rule'>, why: GivenUp): string {
    const { deadLetterArn } = target;
    if (deadLetterArn === undefined) return 'the event is dropped, for the target has no dead-letter queue';
    const messageAttributes: MessageAttributes = {
      RULE_ARN: text(rule.arn),
      TARGET_ARN: text(target.arn),
      ERROR_CODE: text(why.error.code),
      ERROR_MESSAGE: text(why.error.message || why.error.code),
      RETRY_ATTEMPTS: text(String(why.retries)),
      ...(why.condition && { EXHAUSTED_RETRY_CONDITION: text(why.condition) }),
    };
    const queues = this.#options.services.ownerOf(deadLetterArn)?.queues;
    const sent = queues?.send(deadLetterArn, JSON.stringify(event), { messageAttributes });
    if (sent) return `the event is in the dead-letter queue ${deadLetterArn}`;
    return `the event is dropped, for its dead-letter queue ${deadLetterArn} is not there`;
  }
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
