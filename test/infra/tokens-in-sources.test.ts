import { CfnParameter, Duration, type Stack } from 'aws-cdk-lib';
import type { AuthorizationType } from 'aws-cdk-lib/aws-apigateway';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { IdempotentWorkflow, type IWorkflowSource, Source } from '../../infra/index';
import { newStack, someFunction } from '../support/synthesize';

const number = (stack: Stack) => new CfnParameter(stack, 'Number', { type: 'Number' }).valueAsNumber;
const queue = (stack: Stack, name: string) =>
  Queue.fromQueueArn(stack, 'Queue', `arn:aws:sqs:us-east-1:111111111111:${name}`);

describe('a value that onceflow must know, out of a parameter', () => {
  test.each<[string, (stack: Stack) => IWorkflowSource]>([
    ['maxReceiveCount', stack => Source.queue(queue(stack, 'orders'), { maxReceiveCount: number(stack) })],
    [
      'visibilityTimeout',
      stack => Source.queue(queue(stack, 'orders'), { visibilityTimeout: Duration.minutes(number(stack)) }),
    ],
    [
      'checkAfter',
      stack => Source.queue(queue(stack, 'orders'), { checkAfter: Duration.seconds(number(stack)) }),
    ],
    ['batchSize', stack => Source.queue(queue(stack, 'orders.fifo'), { batchSize: number(stack) })],
    [
      'methodOptions.authorizationType',
      stack => {
        const authorizationType = new CfnParameter(stack, 'Type').valueAsString as AuthorizationType;
        return Source.http('payments', { methodOptions: { authorizationType } });
      },
    ],
    ['response.status', stack => Source.http('payments', { response: { status: number(stack) } })],
    [
      'problems.type',
      stack => Source.http('payments', { problems: { type: new CfnParameter(stack, 'Page').valueAsString } }),
    ],
    ['errors.Declined', stack => Source.http('payments', { errors: { Declined: number(stack) } })],
  ])('%s: rejected', (option, source) => {
    const stack = newStack();
    const idempotencyKey = '{% $states.input.idempotencyKey %}';
    const workflow = new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step: someFunction(stack) });

    expect(() => workflow.startFrom(source(stack))).toThrow(
      `\`${option}\` must be known at synthesis, got a token`,
    );
  });
});
