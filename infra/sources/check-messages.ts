import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { keysOf } from '../../state-machine/tasks/dynamo-task';
import { sendPolicies } from '../../state-machine/tasks/send-policies';
import { queueUrlFor, tableNameFor } from '../../state-machine/template/environment';
import { functionTimeout } from '../../state-machine/template/function-timeout';
import { ResolvedTime } from '../../state-machine/template/resolved-time';
import { acknowledge, FINDING, written } from '../cdk/acknowledge';
import { grantData, queueEncryption } from '../cdk/customer-key';
import { WILDCARD_REASON } from '../cdk/own-executions';
import { packageFunction } from '../nested/package-function';
import type { Outcomes } from './outcomes';

/** Which messages are checked, and when. */
export interface CheckMessagesProps {
  /** The queue that the messages are from. */
  readonly queue: IQueue;
  /** The function that starts the workflow for them, which gets the queue of its started messages. */
  readonly starter: LambdaFunction;
  readonly outcomes: Outcomes;
  readonly checkAfter: ResolvedTime;
}

/**
 * Defines what deletes a message when its key is finished: a queue of messages that have been started, each of them
 * delayed until its key is worth a check, and the function that checks.
 *
 * The checks have a queue of their own so that they do not count as receives of the message: its redrive policy counts
 * starts. The message makes up for a loss here, because it becomes visible again a minute after its check.
 */
export function checkMessages(
  scope: Construct,
  { queue, starter, outcomes, checkAfter }: CheckMessagesProps,
): void {
  const { table, schema } = outcomes.table;
  // Deployed stacks have these ids: other ones would replace the queue and lose its messages.
  const started = new Queue(scope, 'Unsettled', {
    ...queueEncryption(scope),
    enforceSSL: true,
    // Also when a check that went wrong is repeated.
    visibilityTimeout: new ResolvedTime(() => Math.max(30, functionTimeout(checker) ?? 0)).duration,
    // A receipt handle is good for twelve hours.
    retentionPeriod: Duration.days(1),
  });
  acknowledge(started, FINDING.noDeadLetterQueue, 'if a check is lost, its message becomes visible again');
  const checker = packageFunction(scope, 'Settler', 'check-message', {
    description: 'Deletes the messages of a queue whose keys are finished',
    environment: {
      TABLE_NAME: tableNameFor(scope, table),
      TABLE_SCHEMA: JSON.stringify(schema),
      QUEUE_URL: queueUrlFor(scope, queue),
      STARTED_QUEUE_URL: started.queueUrl,
      CHECK_AFTER_SECONDS: checkAfter.text,
      STEP_SECONDS: outcomes.stepTimeout.text,
    },
    timeout: Duration.seconds(25),
  });
  checker.addEventSource(new SqsEventSource(started, { reportBatchItemFailures: true }));
  queue.grant(checker, 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility');
  checker.addToRolePolicy(
    new PolicyStatement({
      actions: ['dynamodb:GetItem'],
      resources: [table.tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [keysOf(outcomes.recordScope)] } },
    }),
  );
  table.encryptionKey?.grantDecrypt(checker);
  const resources = [...outcomes.executionArns];
  checker.addToRolePolicy(new PolicyStatement({ actions: ['states:DescribeExecution'], resources }));
  grantData(outcomes.stateMachine, checker, outcomes.formerStateMachines);
  for (const one of resources) acknowledge(checker, FINDING.wildcard(written(scope, one)), WILDCARD_REASON);

  starter.addEnvironment('STARTED_QUEUE_URL', started.queueUrl);
  starter.addEnvironment('CHECK_AFTER_SECONDS', checkAfter.text);
  for (const statement of sendPolicies(started)) starter.addToRolePolicy(statement);
}
