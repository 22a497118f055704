import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { QueryLanguage, TaskStateBase, Timeout } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { expression } from '../contract/jsonata';
import { DISPATCHER_STATE } from '../contract/state-names';
import { START_TIMEOUT } from './dispatcher-states';

/** Sends the event, as it came, to a dead-letter queue, with what went wrong beside it. */
export class KeepEvent extends TaskStateBase {
  protected readonly taskMetrics = undefined;
  protected readonly taskPolicies: PolicyStatement[];
  private readonly queue: IQueue;

  constructor(scope: Construct, queue: IQueue) {
    super(scope, DISPATCHER_STATE.keepEvent, {
      comment: 'The event could not be started: it is kept for a person to start it again',
      queryLanguage: QueryLanguage.JSONATA,
      taskTimeout: Timeout.duration(START_TIMEOUT),
    });
    this.queue = queue;
    this.taskPolicies = [new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] })];
  }

  /** @internal */
  protected _renderTask(): object {
    return {
      Resource: `arn:${Stack.of(this).partition}:states:::sqs:sendMessage`,
      Arguments: {
        QueueUrl: this.queue.queueUrl,
        MessageBody: expression('$states.context.Execution.Input'),
        MessageAttributes: {
          Error: { DataType: 'String', StringValue: expression('$failure.Error') },
        },
      },
    };
  }
}
