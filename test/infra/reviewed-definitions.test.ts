import { Duration, type Stack } from 'aws-cdk-lib';
import { CfnEventBus } from 'aws-cdk-lib/aws-eventsv2';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  OnFailed,
  Results,
  Source,
  SuccessDestination,
} from '../../infra/index';
import { expectGolden } from '../support/golden';
import { type Definition, definitionIn, someFunction, synthesized } from '../support/synthesize';

function definition(
  id: RegExp | undefined,
  props: (stack: Stack) => Partial<IdempotentWorkflowProps>,
  source?: (stack: Stack) => Parameters<IdempotentWorkflow['startFrom']>[0],
): Definition {
  const template = synthesized(stack => {
    const workflow = new IdempotentWorkflow(stack, 'Pay', {
      idempotencyKey: '{% $states.input.id %}',
      step: someFunction(stack),
      ...props(stack),
    });
    if (source) workflow.startFrom(source(stack));
  });
  return definitionIn(template, id);
}

describe('definitions that no other suite renders whole', () => {
  test.each<[string, () => Definition]>([
    [
      'front-door',
      () =>
        definition(
          /FrontDoor|Http/,
          () => ({
            idempotencyKey: '{% $states.input.idempotencyKey %}',
            payload: '{% $states.input.body %}',
            retention: Duration.days(30),
          }),
          () => Source.http('/payments'),
        ),
    ],
    [
      'front-door-express',
      () =>
        definition(
          /FrontDoor|Http/,
          () => ({
            idempotencyKey: '{% $states.input.idempotencyKey %}',
            payload: '{% $states.input.body %}',
            type: 'EXPRESS',
          }),
          () => Source.http('/payments'),
        ),
    ],
    [
      'on-success',
      () =>
        definition(undefined, stack => ({ onSuccess: SuccessDestination.queue(new Queue(stack, 'Paid')) })),
    ],
    [
      'results-in-a-bucket',
      () => definition(undefined, stack => ({ results: Results.inBucket(new Bucket(stack, 'Results')) })),
    ],
    [
      'retry',
      () => definition(undefined, () => ({ retry: { errors: ['PaymentDeclined'], maxAttempts: 2 } })),
    ],
    [
      'dispatcher-of-a-queue',
      () =>
        definition(
          /Dispatcher/,
          () => ({ idempotencyKey: '{% $states.input.detail.id %}' }),
          stack => {
            const deadLetterQueue = { queue: new Queue(stack, 'Dead'), maxReceiveCount: 3 };
            return Source.queue(new Queue(stack, 'Queue', { deadLetterQueue }), { deleteWhen: 'started' });
          },
        ),
    ],
    [
      'dispatcher-of-a-custom-event-bus',
      () =>
        definition(
          /Dispatcher/,
          () => ({ idempotencyKey: '{% $states.input.detail.id %}' }),
          stack => Source.customEventBus(new CfnEventBus(stack, 'Bus', { name: 'orders' })),
        ),
    ],
    [
      'dispatcher-of-an-express-workflow',
      () =>
        definition(
          /Dispatcher/,
          () => ({
            type: 'EXPRESS',
            idempotencyKey: '{% $states.input.detail.id %}',
            payload: '{% $states.input.detail %}',
            onFailedBefore: OnFailed.returnStoredFailure({ errors: ['CardDeclined'] }),
          }),
          stack => Source.customEventBus(new CfnEventBus(stack, 'Bus', { name: 'orders' })),
        ),
    ],
    [
      'dispatcher-with-input',
      () =>
        definition(
          /Dispatcher/,
          () => ({ idempotencyKey: '{% $states.input.detail.id %}' }),
          stack => Source.topic(new Topic(stack, 'Topic'), { input: "{% {'detail': $states.input} %}" }),
        ),
    ],
  ])('%s: the reviewed definition', (name, define) => {
    expectGolden(`${name}.asl.json`, define());
  });
});
