import { CfnParameter, Duration, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import {
  CustomState,
  DefinitionBody,
  type IChainable,
  Pass,
  QueryLanguage,
  Result,
  StateMachine,
} from 'aws-cdk-lib/aws-stepfunctions';
import { IdempotentFragment, IdempotentWorkflow, RecordTable } from '../../infra/index';
import { newStack, someFunction } from '../support/synthesize';

// A reference that is not a text leads to its construct, and by that to all of the app.

const PROPS = { idempotencyKey: '{% $states.input.id %}', stepTimeout: Duration.minutes(1) };

const urlIn = (stack: Stack) => new CfnQueue(stack, 'Queue').getAtt('QueueUrl');
const send =
  (request: (stack: Stack) => object): Make =>
  stack => {
    const stateJson = { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage', ...request(stack) };
    return new CustomState(stack, 'Send', { stateJson });
  };

type Make = (stack: Stack) => IChainable;

const IN_JSONPATH: readonly [string, Make][] = [
  ['parameters', send(stack => ({ Parameters: { QueueUrl: urlIn(stack), 'MessageBody.$': '$' } }))],
  ['parameters of a Pass', stack => new Pass(stack, 'P', { parameters: { url: urlIn(stack) } })],
  ['a result', stack => new Pass(stack, 'P', { result: Result.fromObject({ url: urlIn(stack) }) })],
  [
    'a parameter of the stack',
    stack => new Pass(stack, 'P', { parameters: { a: new CfnParameter(stack, 'A').value } }),
  ],
];

const OTHERS: readonly [string, Make][] = [
  ['arguments', send(stack => ({ QueryLanguage: 'JSONata', Arguments: { QueueUrl: urlIn(stack) } }))],
  ['outputs', stack => Pass.jsonata(stack, 'P', { outputs: { url: urlIn(stack) } })],
  ['a variable, in either language', stack => new Pass(stack, 'P', { assign: { url: urlIn(stack) } })],
];

describe('a step with references in it', () => {
  test.each([...IN_JSONPATH, ...OTHERS])('%s: accepted in a workflow', (_, step) => {
    const stack = newStack();
    new IdempotentWorkflow(stack, 'Pay', { ...PROPS, step: step(stack) });

    expect(() => Template.fromStack(stack)).not.toThrow();
  });

  test.each<[string, Make, QueryLanguage]>([
    ...IN_JSONPATH.map(
      ([what, step]) => [what, step, QueryLanguage.JSON_PATH] as [string, Make, QueryLanguage],
    ),
    ...OTHERS.map(([what, step]) => [what, step, QueryLanguage.JSON_PATH] as [string, Make, QueryLanguage]),
    ...OTHERS.map(([what, step]) => [what, step, QueryLanguage.JSONATA] as [string, Make, QueryLanguage]),
  ])('%s: accepted in a fragment', (_, step, queryLanguage) => {
    const stack = newStack();
    const table = new RecordTable(stack, 'Records');
    const pay = new IdempotentFragment(stack, 'Pay', { ...PROPS, table, step: step(stack) });
    const definitionBody = DefinitionBody.fromChainable(pay);
    pay.grantTo(new StateMachine(stack, 'Orders', { definitionBody, queryLanguage }));

    expect(() => Template.fromStack(stack)).not.toThrow();
  });

  test('to a Lambda durable function: rejected, as by its text', () => {
    const stack = newStack();
    const durable = someFunction(stack, { durableConfig: { executionTimeout: Duration.hours(12) } });
    const FunctionName = (durable.node.defaultChild as CfnFunction).getAtt('Arn');
    const stateJson = {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Arguments: { FunctionName },
    };
    const step = new CustomState(stack, 'Call', { stateJson });

    new IdempotentWorkflow(stack, 'Pay', { ...PROPS, step });
    expect(() => Template.fromStack(stack)).toThrow(/state 'Call' runs Test\/Charge/);
  });
});
