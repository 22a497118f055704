import { startTestStack } from '@onceflow/local';
import { App, Stack } from 'aws-cdk-lib';
import { Code, Function as Lambda, Runtime } from 'aws-cdk-lib/aws-lambda';
import { DefinitionBody, QueryLanguage, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { outage } from './interceptor';

function synthesized(): string {
  const app = new App();
  const stack = new Stack(app, 'Shop');
  const lambdaFunction = new Lambda(stack, 'Function', {
    runtime: Runtime.NODEJS_22_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => 1;'),
  });
  new StateMachine(stack, 'Machine', {
    definitionBody: DefinitionBody.fromChainable(LambdaInvoke.jsonata(stack, 'Charge', { lambdaFunction })),
    queryLanguage: QueryLanguage.JSONATA,
  });
  return app.synth().directory;
}

test('an interceptor of a test: each first answer is a failure, the retry has the result', async () => {
  const stack = await startTestStack({ assembly: synthesized(), interceptor: outage });
  const { executions, calls } = await stack.deliver({ stateMachine: 'Shop/Machine', input: {} });
  await stack.close();

  expect(calls.map(({ retryCount, answer }) => [retryCount, answer?.kind])).toEqual([
    [0, 'failed'],
    [1, 'succeeded'],
  ]);
  expect(executions).toMatchObject([{ status: 'SUCCEEDED', output: { Payload: 1 } }]);
});
