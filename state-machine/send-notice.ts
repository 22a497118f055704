import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { QueryLanguage, TaskStateBase } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { beginning, expression, literal } from './contract/jsonata';
import type { NoticeTarget } from './notice-target';
import { sendPolicies } from './send-policies';
import { PASS_INPUT_ON } from './settings';

/** What a notice is about, and how the events on a bus that are about it are called. */
const DETAIL_TYPE = {
  COMPLETED: 'Step Completed',
  FAILED: 'Step Failed',
  IN_DOUBT: 'Step In Doubt',
  REFUSED: 'Delivery Refused',
  GIVEN_UP: 'Delivery Given Up',
} as const;

/** What is sent to a destination. */
export interface Notice {
  /** The name of the state that sends it. */
  readonly id: string;
  readonly comment: string;
  readonly kind: keyof typeof DETAIL_TYPE;
  /** JSONata by the member's name. */
  readonly facts: Readonly<Record<string, string>> & { readonly cause?: string };
  /** What is left out, by its name, where it is too long. @default - `input`: the event, which the state is given */
  readonly content?: { readonly name: string; readonly jsonata: string };
  /** How much of the cause is sent at most. @default - 8,000 characters */
  readonly causeCharacters?: number | undefined;
}

/**
 * A Task that sends one notice and passes its input on: a message to the queue, or an event on the bus, whose refusal
 * of it is an error of the Task. The caller says how that is tried again.
 */
export function sendNotice(scope: Construct, target: NoticeTarget, notice: Notice): TaskStateBase {
  const { id, comment, kind } = notice;
  return new SendNotice(scope, {
    id,
    comment,
    target,
    detailType: DETAIL_TYPE[kind],
    message: messageOf(notice),
  });
}

/** The longest cause that is sent, in characters: whatever it is made of, a message is far from 256 KiB by it. */
const CAUSE_CHARACTERS_MAX = 8000;

/**
 * The longest message with its content, in characters of JSON text with its quotes escaped: at four bytes for each, it
 * is below the 262,144 bytes that a state may pass on, a message may have, and an event.
 */
const MESSAGE_TEXT_MAX = 60_000;

const EVENT = { name: 'input', jsonata: '$states.input' };

/** The message: an object, so that its numbers stay exact. Content that is too long is left out, by name. */
function messageOf(notice: Notice): string {
  const { kind, facts, content = EVENT, causeCharacters = CAUSE_CHARACTERS_MAX } = notice;
  const { cause, ...others } = facts;
  const characters = Math.min(causeCharacters, CAUSE_CHARACTERS_MAX);
  const members = {
    status: literal(kind),
    ...others,
    ...(cause !== undefined && { cause: beginning(cause, characters) }),
  };
  const named = Object.entries(members).map(([name, jsonata]) => `${literal(name)}: ${jsonata}`);
  return expression(
    `( ${[
      `$notice := {${named.join(', ')}}`,
      `$whole := $merge([$notice, {'${content.name}': ${content.jsonata}}])`,
      `$length($string([$string($whole)])) <= ${MESSAGE_TEXT_MAX} ? $whole : ` +
        `$merge([$notice, {'${content.name}Omitted': true}])`,
    ].join('; ')} )`,
  );
}

interface SendNoticeProps {
  readonly id: string;
  readonly comment: string;
  readonly target: NoticeTarget;
  readonly detailType: string;
  /** An expression. */
  readonly message: string;
}

class SendNotice extends TaskStateBase {
  protected readonly taskMetrics = undefined;
  protected readonly taskPolicies: PolicyStatement[];
  private readonly props: SendNoticeProps;

  constructor(scope: Construct, props: SendNoticeProps) {
    super(scope, props.id, {
      comment: props.comment,
      queryLanguage: QueryLanguage.JSONATA,
      outputs: PASS_INPUT_ON,
    });
    this.props = props;
    this.taskPolicies = policiesFor(props.target);
  }

  /** @internal */
  protected _renderTask(): object {
    const { target, message, detailType } = this.props;
    const integration = `arn:${Stack.of(this).partition}:states:::`;
    if (target.kind === 'queue') {
      return {
        Resource: `${integration}sqs:sendMessage`,
        Arguments: { QueueUrl: target.queue.queueUrl, MessageBody: message },
      };
    }
    const entry = { Source: 'onceflow', DetailType: detailType, Detail: message };
    return {
      Resource: `${integration}events:putEvents`,
      Arguments: { Entries: [{ ...entry, EventBusName: target.bus.eventBusArn }] },
    };
  }
}

function policiesFor(target: NoticeTarget): PolicyStatement[] {
  if (target.kind === 'eventBus')
    return [new PolicyStatement({ actions: ['events:PutEvents'], resources: [target.bus.eventBusArn] })];
  return sendPolicies(target.queue);
}
