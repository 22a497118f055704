import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Timeout } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { expression } from '../contract/jsonata';
import { DISPATCHER_STATE } from '../contract/state-names';
import { sendPolicies } from '../tasks/send-policies';
import { ServiceTask } from '../tasks/service-task';
import { START_TIMEOUT } from './dispatcher-states';

/** The kept values, by expressions: the text or document, and the name of the error. */
export interface KeptMessage {
  readonly body: string;
  readonly error: string;
}

const EVENT: KeptMessage = {
  body: expression('$states.context.Execution.Input'),
  error: expression('$failure.Error'),
};

/** Sends the event, as it came, to a dead-letter queue, with what went wrong beside it. */
export class KeepEvent extends ServiceTask {
  constructor(scope: Construct, queue: IQueue, { body, error }: KeptMessage = EVENT) {
    super(scope, DISPATCHER_STATE.keepEvent, {
      comment: 'The event could not be started: it is kept for a person to start it again',
      integration: 'sqs:sendMessage',
      request: {
        QueueUrl: queue.queueUrl,
        MessageBody: body,
        MessageAttributes: { Error: { DataType: 'String', StringValue: error } },
      },
      policies: sendPolicies(queue),
      taskTimeout: Timeout.duration(START_TIMEOUT),
    });
  }
}
