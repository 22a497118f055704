import type { MessageAttributes } from '../message-queues';
import type { TargetError } from '../rule-target';
import type { RuleIdentity } from './buses';
import type { ExhaustedCondition } from './retry';
import type { SavedDelivery } from './saved-deliveries';

/** An event for which there may be no input. */
export type Undelivered = Pick<SavedDelivery, 'target' | 'event' | 'rule'> &
  Partial<Pick<SavedDelivery, 'input'>>;

/** Why the retries of an event are exhausted. */
export interface Exhaustion {
  readonly error: TargetError;
  readonly retries: number;
  readonly condition?: ExhaustedCondition;
}

/** True for the deliveries of a schedule of EventBridge Scheduler. */
const isOfScheduler = ({ arn }: RuleIdentity) => arn.split(':')[2] === 'scheduler';

/** True for the deliveries of a subscriber of a custom event bus. */
export function isOfSubscriber({ arn }: RuleIdentity): boolean {
  return arn.split(':')[5]?.startsWith('subscriber/') === true;
}

/** The message that is left of an event which its target did not take. */
export function deadLetterOf(
  undelivered: Undelivered,
  why: Exhaustion,
): { readonly body: string; readonly messageAttributes: MessageAttributes } {
  const { target, event, rule, input } = undelivered;
  const failure = {
    TARGET_ARN: text(target.arn),
    ERROR_CODE: text(why.error.code),
    ERROR_MESSAGE: text(why.error.message || why.error.code),
    RETRY_ATTEMPTS: text(String(why.retries)),
    ...(why.condition && { EXHAUSTED_RETRY_CONDITION: text(why.condition) }),
  };
  if ('messages' in event) {
    const { busArn, messages } = event;
    const body = JSON.stringify({
      version: '1.0',
      busArn,
      subscriberArn: rule.arn,
      targetArn: target.arn,
      errorCode: why.error.code,
      errorMessage: why.error.message.slice(0, ERROR_MESSAGE_MAX),
      ...(why.condition && { exhaustedRetryCondition: why.condition }),
      retryAttempts: why.retries,
      failedMessages: messages,
    });
    return { body, messageAttributes: { SUBSCRIBER_ARN: text(rule.arn), BUS_ARN: text(busArn), ...failure } };
  }
  if (!isOfScheduler(rule))
    return { body: JSON.stringify(event), messageAttributes: { RULE_ARN: text(rule.arn), ...failure } };
  const schedule = {
    SCHEDULE_ARN: text(rule.arn),
    SCHEDULED_TIME: text(event.time),
    EXECUTION_ID: text(event.id),
  };
  // Scheduler has no event but the input of the target.
  return { body: input ?? JSON.stringify(event), messageAttributes: { ...schedule, ...failure } };
}

/** What a record of a custom event bus has of an error, in characters. */
const ERROR_MESSAGE_MAX = 1024;

function text(value: string) {
  return { DataType: 'String', StringValue: value };
}
