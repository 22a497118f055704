import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type Fail, QueryLanguage, type State, TaskStateBase } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { ERROR, type ErrorName } from '../../contract/error-names';
import { expression, literal } from '../../contract/jsonata';
import { STATE, type StateName } from '../../contract/state-names';
import type { FailureTarget } from '../../failure-destination';
import { PASS_INPUT_ON, type Settings } from '../../settings';
import { retryNotice } from '../../tasks';

// What is sent to the failure destination, when the record says so: at least once, as a redrive sends it again.

/** A failed step of this execution. */
export function sendFailure(scope: Construct, settings: Settings, next: Fail): State {
  return send(scope, settings, next, {
    id: STATE.sendFailure,
    comment: 'Tells the failure destination: a redrive sends what was not sent',
    kind: 'FAILED',
    facts: { ...OWN, error: '$failure.Error', cause: '$failure.Cause' },
  });
}

/** This execution's own step, whose end nobody knows. */
export function sendDoubt(scope: Construct, settings: Settings, next: State): State {
  return send(scope, settings, next, {
    id: STATE.sendDoubt,
    comment: 'Tells the failure destination that a person has to decide',
    kind: 'IN_DOUBT',
    facts: { ...OWN, error: literal(ERROR.inDoubt), cause: "$failure.Error & ': ' & $failure.Cause" },
  });
}

/** The step of a dead owner, whose end nobody knows. */
export function sendOwnersDoubt(scope: Construct, settings: Settings, next: State): State {
  return send(scope, settings, next, {
    id: STATE.sendOwnersDoubt,
    comment: 'Tells the failure destination of the dead owner that a person has to decide',
    kind: 'IN_DOUBT',
    facts: {
      executionArn: '$record.owner.S',
      idempotencyKey: '$idempotencyKey',
      attempt: '$number($record.attempt.N)',
      error: literal(ERROR.inDoubt),
      cause: literal('the execution died within the business step'),
    },
  });
}

/** A delivery that is refused for good. */
export interface Refused {
  readonly id: StateName;
  readonly error: ErrorName;
  /** True where the record of its key refuses it, whose owner is told then. */
  readonly isOfRecord: boolean;
}

/** A delivery that is refused for good, where the destination is told of those; else its end itself. */
export function sendRefusal(scope: Construct, settings: Settings, next: Fail, refused: Refused): State {
  if (!settings.failureDestination?.includesRefusals) return next;
  return send(scope, settings, next, {
    id: refused.id,
    comment: 'Tells the failure destination of a delivery that is refused for good',
    kind: 'REFUSED',
    facts: {
      executionArn: ME,
      ...(refused.isOfRecord && { idempotencyKey: '$idempotencyKey', owner: '$record.owner.S' }),
      error: literal(refused.error),
    },
  });
}

const ME = '$states.context.Execution.Id';

/** What is known of a step that this execution has run. */
const OWN = { executionArn: ME, idempotencyKey: '$idempotencyKey', attempt: '$attempt' } as const;

/** What a notice is about, and how the events on a bus that are about it are called. */
const DETAIL_TYPE = {
  FAILED: 'Step Failed',
  IN_DOUBT: 'Step In Doubt',
  REFUSED: 'Delivery Refused',
} as const;

interface Notice {
  readonly id: StateName;
  readonly comment: string;
  readonly kind: keyof typeof DETAIL_TYPE;
  /** JSONata by the member's name. */
  readonly facts: Readonly<Record<string, string>> & { readonly cause?: string };
}

function send(scope: Construct, settings: Settings, next: State, notice: Notice): State {
  const target = settings.failureDestination?.target;
  if (target === undefined) return next;
  const detailType = DETAIL_TYPE[notice.kind];
  const message = messageOf(notice, settings.causeCharacters);
  const task = new SendNotice(scope, { id: notice.id, comment: notice.comment, target, detailType, message });
  retryNotice(task);
  task.next(next);
  return task;
}

/** The longest cause that is sent, in characters: whatever it is made of, a message is far from 256 KiB by it. */
const CAUSE_CHARACTERS_MAX = 8000;

/**
 * The longest message with its input, in characters of JSON text with its quotes escaped: at four bytes for each, it is
 * below the 262,144 bytes that a state may pass on, a message may have, and an event.
 */
const MESSAGE_TEXT_MAX = 60_000;

/** The message: an object, so that numbers of the input stay exact. An input that is too long is left out, by name. */
function messageOf({ kind, facts }: Notice, causeCharacters = CAUSE_CHARACTERS_MAX): string {
  const { cause, ...others } = facts;
  const characters = Math.min(causeCharacters, CAUSE_CHARACTERS_MAX);
  const members = {
    status: literal(kind),
    ...others,
    ...(cause !== undefined && { cause: `$substring(${cause}, 0, ${characters})` }),
  };
  const named = Object.entries(members).map(([name, jsonata]) => `${literal(name)}: ${jsonata}`);
  return expression(
    `( ${[
      `$notice := {${named.join(', ')}}`,
      "$whole := $merge([$notice, {'input': $states.input}])",
      `$length($string([$string($whole)])) <= ${MESSAGE_TEXT_MAX} ? $whole : ` +
        "$merge([$notice, {'inputOmitted': true}])",
    ].join('; ')} )`,
  );
}

interface SendNoticeProps {
  readonly id: StateName;
  readonly comment: string;
  readonly target: FailureTarget;
  readonly detailType: string;
  /** An expression. */
  readonly message: string;
}

/** Sends one message to the queue, or puts one event on the bus, whose refusal of it is an error of the Task. */
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

function policiesFor(target: FailureTarget): PolicyStatement[] {
  if (target.kind === 'eventBus')
    return [new PolicyStatement({ actions: ['events:PutEvents'], resources: [target.bus.eventBusArn] })];
  const { queueArn, encryptionMasterKey: key } = target.queue;
  return [
    new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queueArn] }),
    ...(key
      ? [new PolicyStatement({ actions: ['kms:Decrypt', 'kms:GenerateDataKey'], resources: [key.keyArn] })]
      : []),
  ];
}
