import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { IntegrationPattern, TaskInput, Timeout } from 'aws-cdk-lib/aws-stepfunctions';
import { SqsSendMessage } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import { IdempotentWorkflow, Recovery, Source } from 'onceflow';

/** A worker that has not been heard of for so long is taken for lost. It stops on its own before. */
export const HEARTBEAT_TIMEOUT = Duration.minutes(10);
/** How long after that a worker may at most still be doing something, which the fence does not keep off. */
export const WORKER_ENDS_WITHIN = Duration.minutes(5);
/** How long after a failure the film is asked for again. */
export const ASKED_AGAIN_AFTER = Duration.minutes(1);

/** Films that are rendered for hours by workers of a team's own, and published once. */
export class LongStepStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const orders = new EventBus(this, 'Orders');
    const secure = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    const jobs = new Queue(this, 'Jobs', {
      ...secure,
      visibilityTimeout: Duration.minutes(1),
      // A job is of no use if no execution waits for it any more: the next attempt puts another one there.
      deadLetterQueue: { queue: new Queue(this, 'DeadJobs', secure), maxReceiveCount: 5 },
    });
    const films = new Table(this, 'Films', {
      partitionKey: { name: 'film', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    });
    const render = new IdempotentWorkflow(this, 'RenderFilm', {
      scope: 'RenderFilm',
      idempotencyKey: '{% $states.input.detail.film %}',
      payload: '{% $states.input.detail.source %}',
      step: askWorker(this, jobs),
      stepTimeout: WORKER_ENDS_WITHIN,
      // The customer does not order a film again because a worker has stopped: the workflow itself asks for the next
      // attempt.
      recovery: Recovery.automatic({ redeliverFailed: { maxAttempts: 5, delay: ASKED_AGAIN_AFTER } }),
    });
    render.startFrom(Source.eventBridge(orders, { source: ['studio'], detailType: ['FilmOrdered'] }));

    new CfnOutput(this, 'EventBusName', { value: orders.eventBusName });
    new CfnOutput(this, 'StateMachineArn', { value: render.stateMachine.stateMachineArn });
    new CfnOutput(this, 'RecordTableName', { value: render.table.tableName });
    new CfnOutput(this, 'JobsQueueUrl', { value: jobs.queueUrl });
    new CfnOutput(this, 'FilmsTableName', { value: films.tableName });
  }
}

/** The step: a message with a task token, and a wait for who sends it back. */
function askWorker(scope: Construct, jobs: Queue): SqsSendMessage {
  return SqsSendMessage.jsonata(scope, 'Ask a worker', {
    comment: 'Puts a job into the queue, and waits until its worker reports success or failure',
    queue: jobs,
    integrationPattern: IntegrationPattern.WAIT_FOR_TASK_TOKEN,
    messageBody: TaskInput.fromObject({
      taskToken: '{% $states.context.Task.Token %}',
      film: '{% $states.input.input.detail.film %}',
      source: '{% $states.input.input.detail.source %}',
      // The fencing token: an attempt is one claim of the key, and within it a redrive asks again.
      attempt: '{% $states.input.attempt %}',
      redrives:
        '{% $exists($states.context.Execution.RedriveCount) ? $states.context.Execution.RedriveCount : 0 %}',
    }),
    heartbeatTimeout: Timeout.duration(HEARTBEAT_TIMEOUT),
    taskTimeout: Timeout.duration(Duration.hours(24)),
  });
}
