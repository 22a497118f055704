import type { EventEnvelope } from '../event';

/** A target of a rule: where events go, and which part of them. At most one of the three inputs may be given. */
export interface EventTarget {
  readonly id: string;
  readonly arn: string;
  /** Constant JSON text, sent instead of the event. */
  readonly input?: string;
  /** Path of the part of the event to send. */
  readonly inputPath?: string;
  readonly inputTransformer?: InputTransformer;
  /** The queue for events that the target did not take. */
  readonly deadLetterArn?: string;
  readonly retryPolicy?: RetryPolicy;
  /** Whether a delivery is the end of what the target starts, and how long that may take. @default - its start is */
  readonly waitSeconds?: number;
}

/** How long and how often a delivery is repeated that the target rejected. */
export interface RetryPolicy {
  /** @default 86400, which is 24 hours */
  readonly maximumEventAgeInSeconds?: number;
  /** Attempts after the first. @default 185 */
  readonly maximumRetryAttempts?: number;
}

/** Builds a text out of values of the event. */
export interface InputTransformer {
  /** Variable name -> path in the event. */
  readonly inputPathsMap?: Readonly<Record<string, string>>;
  readonly inputTemplate: string;
}

/** What a target's input may mention besides the event. */
export interface InputContext {
  readonly ruleArn: string;
  readonly ruleName: string;
  /** When the bus took the event, epoch milliseconds; not the event's own time. */
  readonly ingestedAt: number;
}

/** The text for the target (JSON, except for a transformer's plain text), or why there is none for this event. */
export type TargetInput =
  | { readonly kind: 'input'; readonly text: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** A target's input ready to be built per event, or what is wrong with the target. */
export type CompiledTargetInput =
  | { readonly kind: 'target'; build(event: EventEnvelope, context: InputContext): TargetInput }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };
