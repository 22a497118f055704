import type { Clock } from '../../runtime/time/clock';
import type { SubscriberBatch } from './custom/event';
import { type EventEntry, type EventEnvelope, formEvent, scheduledEvent } from './event';
import {
  busName,
  DEFAULT_BUS,
  type EventRule,
  type ReadyTarget,
  type RuleProblem,
  type ScheduledRule,
  sortRules,
} from './rules';
import type { EventTarget } from './target/target';

/** What event buses are made of. */
export interface EventBusOptions {
  /** Names or ARNs of buses. The bus `default` exists without being named. */
  readonly buses: readonly string[];
  readonly rules: readonly EventRule[];
  readonly deliveries: EventDeliveries;
  readonly clock: Clock;
  /** A new event id, a UUID on AWS. */
  readonly newId: () => string;
  readonly region: string;
  readonly account: string;
}

/** Takes events to the targets of rules. */
export interface EventDeliveries {
  /**
   * Delivers `input` (JSON, or a transformer's plain text) to a target and resolves to the target's answer. A rejection
   * is a failed delivery.
   *
   * Called before `publish` or `putEvents` first yields, in the order of entries, rules and targets.
   */
  deliver(target: EventTarget, input: string, event: DeliveredEvent, rule: RuleIdentity): Promise<unknown>;
  /** Takes an event from which no input for a target can be made: a delivery that failed before it began. */
  discard(target: EventTarget, reason: string, event: DeliveredEvent, rule: RuleIdentity): void;
  /** Resolves when all events that were given to `deliver` so far will outlive the process. */
  written(): Promise<void>;
}

/** An event of a rule, or what is known of the events of a subscriber. */
export type DeliveredEvent = EventEnvelope | SubscriberBatch;

/** The rule or subscriber that a delivery is for. */
export interface RuleIdentity {
  readonly arn: string;
  readonly name: string;
}

/**
 * The result of one delivery to a target. Retries and dead-letter queues are up to `deliver`.
 *
 * @example
 * const failed = deliveries.filter(({ kind }: DeliveryResult) => kind === 'failed');
 */
export type DeliveryResult = {
  readonly rule: string;
  readonly targetId: string;
  readonly targetArn: string;
} & (
  | { readonly kind: 'delivered'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly reason: string }
);

/**
 * The rules that one event matched, and its deliveries.
 *
 * @example
 * const { matchedRules } = await stack.eventBuses.publish(event);
 */
export interface Publication {
  /** Names of the rules that matched, in the order the rules were given. */
  readonly matchedRules: readonly string[];
  readonly deliveries: readonly DeliveryResult[];
}

/** An answer per entry, in the order of the entries; members in the order AWS writes them. */
export type PutEventsResponse = {
  readonly Entries: readonly (
    | { readonly EventId: string }
    | { readonly ErrorCode: string; readonly ErrorMessage: string }
  )[];
  readonly FailedEntryCount: number;
};

/** Local EventBridge. */
export interface EventBuses {
  /** Rules and targets that were left out, and why. */
  readonly problems: readonly RuleProblem[];
  /**
   * Publishes entries (see `readPutEvents`) and answers without waiting for deliveries.
   *
   * Entries succeed or fail one by one. As on AWS, an entry for a bus that does not exist succeeds and goes nowhere.
   */
  putEvents(entries: readonly EventEntry[]): Promise<PutEventsResponse>;
  /**
   * Matches an event that is already formed, id and time included, against the rules of one bus (by default
   * `default`) and resolves when all its targets have answered. No target is affected by the failure of another.
   */
  publish(event: EventEnvelope, eventBusName?: string): Promise<Publication>;
  /** Whether a bus (by default `default`) has rules that could match an event. */
  hasRules(eventBusName?: string): boolean;
  /** The rules that fire by themselves. Who fires them is up to the caller, with `fire`. */
  readonly scheduled: readonly ScheduledRule[];
  /**
   * Sends the targets of one scheduled rule the event of its schedule, as of `time` (epoch milliseconds), and resolves
   * when all of them have answered.
   */
  fire(rule: ScheduledRule, time: number): Promise<Publication>;
}

/** Opens event buses: puts events on them, matches rules, builds the input of targets and delivers. */
export function createEventBuses(options: EventBusOptions): EventBuses {
  const { clock, newId, region, account } = options;
  const { byBus, scheduled, problems } = sortRules(options.buses, options.rules);

  const publish: EventBuses['publish'] = async (event, eventBusName = DEFAULT_BUS) => {
    const rules = byBus.get(busName(eventBusName)) ?? [];
    const matched = rules.filter(rule => rule.pattern.matches(event));
    const ingestedAt = clock.now();
    const deliveries = matched.flatMap(rule =>
      rule.targets.map(target => deliverTo({ rule, target, event, ingestedAt }, options)),
    );
    return { matchedRules: matched.map(rule => rule.name), deliveries: await Promise.all(deliveries) };
  };

  const fire: EventBuses['fire'] = async (rule, time) => {
    const event = scheduledEvent(rule.arn, { newId, now: time, region, account });
    const ingestedAt = clock.now();
    const deliveries = rule.targets.map(target => deliverTo({ rule, target, event, ingestedAt }, options));
    return { matchedRules: [rule.name], deliveries: await Promise.all(deliveries) };
  };

  const putEvents: EventBuses['putEvents'] = async entries => {
    const answers = entries.map(entry => {
      const formed = formEvent(entry, { newId, now: clock.now(), region, account });
      if (formed.kind === 'rejected') return { ErrorCode: formed.code, ErrorMessage: formed.message };
      void publish(formed.event, entry.eventBusName);
      return { EventId: formed.event.id };
    });
    await options.deliveries.written();
    const failed = answers.filter(answer => 'ErrorCode' in answer);
    return { Entries: answers, FailedEntryCount: failed.length };
  };

  const hasRules: EventBuses['hasRules'] = (eventBusName = DEFAULT_BUS) =>
    (byBus.get(busName(eventBusName)) ?? []).length > 0;

  return { problems, scheduled, putEvents, publish, hasRules, fire };
}

interface Dispatch {
  readonly rule: RuleIdentity;
  readonly target: ReadyTarget;
  readonly event: EventEnvelope;
  readonly ingestedAt: number;
}

async function deliverTo(
  { rule, target: { target, input }, event, ingestedAt }: Dispatch,
  { deliveries }: Pick<EventBusOptions, 'deliveries'>,
): Promise<DeliveryResult> {
  const to = { rule: rule.name, targetId: target.id, targetArn: target.arn };
  const built = input.build(event, { ruleArn: rule.arn, ruleName: rule.name, ingestedAt });
  if (built.kind === 'failed') {
    deliveries.discard(target, built.reason, event, rule);
    return { ...to, kind: 'failed', reason: built.reason };
  }
  try {
    return { ...to, kind: 'delivered', answer: await deliveries.deliver(target, built.text, event, rule) };
  } catch (error) {
    return { ...to, kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}
