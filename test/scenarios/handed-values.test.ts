import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { Json } from '../../packages/local/json/json';
import { startTestStack, type TestStack } from '../../packages/local/testing/test-stack';
import { assemblyOf } from '../support/assembly';

// What a function really gets: Step Functions and Lambda of the local runtime, not a step that is scripted.

const HANDLER = 'exports.handler = async event => ({ type: typeof event, event })';

const assembly = () =>
  assemblyOf({
    name: 'values handed on',
    workflow: { stepInput: '{% $states.input.detail.value %}' },
    settings: stack => ({
      step: new LambdaFunction(stack, 'Echo', {
        runtime: Runtime.NODEJS_24_X,
        handler: 'index.handler',
        code: Code.fromInline(HANDLER),
      }),
    }),
  });

describe('a step input that is a value', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await startTestStack({ assembly: assembly() });
  });
  afterAll(() => stack.close());

  const deliver = (value: Json, orderId: string) =>
    stack.deliver({
      stateMachine: 'OnceflowPayments/ChargePayment/StateMachine',
      input: { detail: { orderId, amount: 1, value } },
    });

  test.each<[Json, string]>([
    ['order-7', 'string'],
    ['7', 'string'],
    ['{"a":1}', 'string'],
    ['', 'string'],
    [7, 'number'],
    [12.5, 'number'],
    [9007199254740991, 'number'],
    [false, 'boolean'],
    [null, 'object'],
    [[1, 'a'], 'object'],
    [{ a: [] }, 'object'],
  ])('%j: the handler gets it, and a duplicate the result of that', async (value, type) => {
    const orderId = `order ${JSON.stringify(value)}`;
    const first = await deliver(value, orderId);
    const again = await deliver(value, orderId);

    const expected = { status: 'SUCCEEDED', output: { type, event: value } };
    expect(first.executions).toMatchObject([expected]);
    expect(again.executions).toMatchObject([expected]);
    expect(first.calls.filter(({ resource }) => resource === 'lambda:invoke')).toHaveLength(1);
    expect(again.calls.filter(({ resource }) => resource === 'lambda:invoke')).toHaveLength(0);
  });

  test('a number that 15 digits do not hold: the step has failed, and the next delivery tries again', async () => {
    const ends = [await deliver(0.12345678901234566, 'order-9'), await deliver(1, 'order-9')];

    expect(ends.map(({ executions }) => executions[0])).toMatchObject([
      { status: 'FAILED', error: 'States.QueryEvaluationError' },
      { status: 'SUCCEEDED', output: { event: 1 } },
    ]);
  });
});
