import { Stack } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { QueryLanguage, TaskStateBase, Timeout } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { expression } from '../contract/jsonata';
import { DISPATCHER_STATE } from '../contract/state-names';
import { sendPolicies } from '../send-policies';
import { START_TIMEOUT } from './dispatcher-states';

/** What is kept, by expressions: the text or document, and the name of what went wrong. */
export interface KeptMessage {
  readonly body: string;
  readonly error: string;
}

const EVENT: KeptMessage = {
  body: expression('$states.context.Execution.Input'),
  error: expression('$failure.Error'),
};

/** Sends the event, as it came, to a dead-letter queue, with what went wrong beside it. */
export class KeepEvent extends TaskStateBase {
  protected readonly taskMetrics = undefined;
  protected readonly taskPolicies: PolicyStatement[];

  constructor(
    scope: Construct,
    private readonly queue: IQueue,
    private readonly message: KeptMessage = EVENT,
  ) {
    super(scope, DISPATCHER_STATE.keepEvent, {
      comment: 'The event could not be started: it is kept for a person to start it again',
      queryLanguage: QueryLanguage.JSONATA,
      taskTimeout: Timeout.duration(START_TIMEOUT),
    });
    this.taskPolicies = sendPolicies(queue);
  }

  /** @internal */
  protected _renderTask(): object {
    return {
      Resource: `arn:${Stack.of(this).partition}:states:::sqs:sendMessage`,
      Arguments: {
        QueueUrl: this.queue.queueUrl,
        MessageBody: this.message.body,
        MessageAttributes: {
          Error: { DataType: 'String', StringValue: this.message.error },
        },
      },
    };
  }
}
