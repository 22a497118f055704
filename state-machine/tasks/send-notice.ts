import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { TaskStateBase } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { beginning, expression, literal } from '../contract/jsonata';
import { EXECUTION_ARN } from '../jsonata/variables';
import type { NoticeTarget } from '../options/notice-target';
import { PASS_INPUT_ON } from '../settings';
import { queueUrlFor } from '../template/environment';
import { sendPolicies } from './send-policies';
import { ServiceTask } from './service-task';

/** What a notice is about, and how the events on a bus that are about it are called. */
const DETAIL_TYPE = {
  COMPLETED: 'Step Completed',
  FAILED: 'Step Failed',
  IN_DOUBT: 'Step In Doubt',
  REJECTED: 'Delivery Rejected',
  GIVEN_UP: 'Delivery Given Up',
} as const;

interface Content {
  readonly name: string;
  readonly jsonata: string;
  /** JSONata that is true if it is known; otherwise it is left out as well. @default - always */
  readonly isKnown?: string;
}

/** The facts of a notice about the step that this execution has run. */
export const OWN_STEP = {
  executionArn: EXECUTION_ARN,
  idempotencyKey: '$idempotencyKey',
  attempt: '$attempt',
} as const;

/** The message to a destination. */
export interface Notice {
  /** The name of the state that sends it. */
  readonly id: string;
  readonly comment: string;
  readonly kind: keyof typeof DETAIL_TYPE;
  /** JSONata by the member's name. */
  readonly facts: Readonly<Record<string, string>>;
  /** Why: JSONata of a text, or the text itself. @default - it has none */
  readonly cause?: string | { readonly text: string };
  /**
   * The name of the content that is left out of a long message; null: there is none.
   *
   * @default - `input`: the event, which the state is given
   */
  readonly content?: Content | null;
  /** How much of the cause is sent at most. @default - 8,000 characters */
  readonly causeCharacters?: number | undefined;
}

/**
 * A Task that sends one notice and passes its input on: a message to the queue, or an event on the bus, whose rejection
 * of it is an error of the Task. The caller says how that is tried again.
 */
export function sendNotice(scope: Construct, target: NoticeTarget, notice: Notice): TaskStateBase {
  const { id, comment, kind } = notice;
  const message = messageOf(notice);
  if (target.kind === 'queue') {
    return new ServiceTask(scope, id, {
      comment,
      integration: 'sqs:sendMessage',
      request: { QueueUrl: queueUrlFor(scope, target.queue), MessageBody: message },
      policies: sendPolicies(target.queue),
      outputs: PASS_INPUT_ON,
    });
  }
  const { eventBusArn } = target.bus;
  const entry = { Source: 'onceflow', DetailType: DETAIL_TYPE[kind], Detail: message };
  return new ServiceTask(scope, id, {
    comment,
    integration: 'events:putEvents',
    request: { Entries: [{ ...entry, EventBusName: eventBusArn }] },
    policies: [new PolicyStatement({ actions: ['events:PutEvents'], resources: [eventBusArn] })],
    outputs: PASS_INPUT_ON,
  });
}

/** The longest cause that is sent, in characters: whatever it is made of, a message is far from 256 KiB by it. */
const CAUSE_CHARACTERS_MAX = 8000;

/**
 * The longest message with its content, in characters of JSON text with its quotes escaped. At four bytes for each, it
 * is below the 262,144 bytes of a state's output, a message, and an event.
 */
const MESSAGE_TEXT_MAX = 60_000;

const EVENT: Content = { name: 'input', jsonata: '$states.input' };

/** The message: an object, so that its numbers stay exact. Content that is too long is left out, by name. */
function messageOf(notice: Notice): string {
  const { kind, facts, cause, content = EVENT, causeCharacters = CAUSE_CHARACTERS_MAX } = notice;
  const characters = Math.min(causeCharacters, CAUSE_CHARACTERS_MAX);
  const members = {
    status: literal(kind),
    ...facts,
    ...(cause !== undefined && { cause: beginningOf(cause, characters) }),
  };
  const named = Object.entries(members).map(([name, jsonata]) => `${literal(name)}: ${jsonata}`);
  if (content === null) return expression(`{${named.join(', ')}}`);
  const { name, jsonata, isKnown } = content;
  const isShort = `$length($string([$string([$facts, ${jsonata}])])) <= ${MESSAGE_TEXT_MAX}`;
  const fits = isKnown === undefined ? isShort : `${isKnown} and ${isShort}`;
  return expression(
    `( $facts := {${named.join(', ')}}; ` +
      `$merge([$facts, ${fits} ? {'${name}': ${jsonata}} : {'${name}Omitted': true}]) )`,
  );
}

function beginningOf(cause: Notice['cause'] & {}, characters: number): string {
  if (typeof cause !== 'string') return literal(cause.text.slice(0, characters));
  if (/^\$\w+(?:\.\w+)*$/.test(cause) || characters === 0) return beginning(cause, characters);
  return `( $cause := ${cause}; ${beginning('$cause', characters)} )`;
}
