import type { Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { DefinitionBody, QueryLanguage, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import {
  FailureDestination,
  IdempotentFragment,
  IdempotentWorkflow,
  RecordTable,
  SuccessDestination,
} from '../../infra/index';
import { definitionIn, newStack, someFunction, statementsOf, synthesized } from '../support/synthesize';

const idempotencyKey = '{% $states.input.id %}';

/** The statements about a service's actions, in all policies. */
function statementsOn(service: string, template: Template) {
  return statementsOf(template, /./).filter(({ Action }) =>
    [Action].flat().some(action => action.startsWith(`${service}:`)),
  );
}

describe('FailureDestination', () => {
  test('a queue with a key of its own: the workflow and its recovery may send to it alone, and use that key alone, by way of SQS', () => {
    const template = synthesized(stack => {
      const queue = new Queue(stack, 'Failures', { encryptionMasterKey: new Key(stack, 'Key') });
      const onFailure = FailureDestination.queue(queue);
      new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step: someFunction(stack), onFailure });
    });
    const arnOf = (id: string) => ({ 'Fn::GetAtt': [expect.stringContaining(id), 'Arn'] });

    const send = { Action: 'sqs:SendMessage', Effect: 'Allow', Resource: arnOf('Failures') };
    expect(statementsOn('sqs', template)).toEqual([send, send]);
    const Condition = { StringEquals: { 'kms:ViaService': expect.anything() } };
    const use = {
      Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
      Condition,
      Effect: 'Allow',
      Resource: arnOf('Key'),
    };
    expect(statementsOn('kms', template)).toEqual([use, use]);
  });

  test('a bus: the workflow and its recovery may put events on it alone, and ask for nothing where nothing has failed', () => {
    const template = synthesized(stack => {
      const onFailure = FailureDestination.eventBus(new EventBus(stack, 'Bus'));
      new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step: someFunction(stack), onFailure });
    });
    const { States } = definitionIn(template);

    expect(statementsOn('events', template)).toMatchObject([
      { Action: 'events:PutEvents' },
      { Action: 'events:PutEvents' },
    ]);
    expect(Object.keys(States).filter(name => name.startsWith('Send'))).toEqual(['Send failure']);
    expect(States['Send failure']).not.toHaveProperty('Catch');
  });

  test('a success destination: the workflow may put events on its bus alone, and recovery may redrive', () => {
    const template = synthesized(stack => {
      const onSuccess = SuccessDestination.eventBus(new EventBus(stack, 'Bus'));
      new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step: someFunction(stack), onSuccess });
    });
    const { States } = definitionIn(template, /^PayStateMachine/);

    expect(statementsOn('events', template)).toMatchObject([{ Action: 'events:PutEvents' }]);
    expect(Object.keys(States).filter(name => name.startsWith('Send'))).toEqual([
      'Send result',
      'Send where the result is',
    ]);
    expect(States['Send result']).not.toHaveProperty('Catch');
    expect(definitionIn(template, /Recovery(?!Search)/).States).toHaveProperty('Redrive the owner');
  });

  test('in a fragment: its machine may send', () => {
    const stack = newStack();
    const fragment = new IdempotentFragment(stack, 'Pay', {
      idempotencyKey,
      table: new RecordTable(stack, 'Records'),
      step: someFunction(stack),
      onFailure: FailureDestination.queue(new Queue(stack, 'Failures')),
    });
    const machine = new StateMachine(stack, 'Orders', {
      queryLanguage: QueryLanguage.JSONATA,
      definitionBody: DefinitionBody.fromChainable(fragment),
    });
    fragment.grantTo(machine);

    Template.fromStack(stack).hasResourceProperties('AWS::StepFunctions::StateMachine', {
      DefinitionString: { 'Fn::Join': ['', Match.arrayWith([Match.stringLikeRegexp('Pay: Send failure')])] },
    });
    expect(statementsOn('sqs', Template.fromStack(stack))).toMatchObject([{ Action: 'sqs:SendMessage' }]);
  });

  test.each<[string, (stack: Stack) => FailureDestination, RegExp]>([
    [
      'a FIFO queue',
      stack => FailureDestination.queue(new Queue(stack, 'Q', { fifo: true })),
      /takes a standard queue, got the FIFO queue Test\/Q,.*use a standard one/,
    ],
    ['no queue', () => FailureDestination.queue('failures' as never), /takes a queue, got "failures"/],
    ['no bus', () => FailureDestination.eventBus(undefined as never), /takes an event bus, got undefined/],
    [
      'an option that there is not',
      stack => FailureDestination.queue(new Queue(stack, 'Q'), { rejection: true } as never),
      /has no option `rejection`\. Did you mean `rejections`\?/,
    ],
    [
      'a choice that is none',
      stack => FailureDestination.queue(new Queue(stack, 'Q'), { rejections: 'yes' as never }),
      /`rejections` of a FailureDestination must be true or false, got "yes"/,
    ],
  ])('%s: rejected, by the workflow that it is given to', (_, make, message) => {
    const rejected = () => {
      const stack = newStack();
      const given = { idempotencyKey: '{% $states.input.id %}', step: someFunction(stack) };
      new IdempotentWorkflow(stack, 'Pay', { ...given, onFailure: make(stack) });
    };

    expect(rejected).toThrow(message);
    expect(rejected).toThrow(/^Test\/Pay: /);
  });
});
