import { CfnParameter, SecretValue, type Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { start } from './world';

async function queueNames(define: (stack: Stack) => void, parameters?: Readonly<Record<string, string>>) {
  const { stack } = await start(define, { ...(parameters && { parameters }) });
  return stack.assembly.queues.map(({ name }) => name);
}

const named = (stack: Stack, queueName: string) => new Queue(stack, 'Queue', { queueName });

/** The value that an error says to pass, as the option of a test. */
function remedyIn(message: string): Readonly<Record<string, string>> {
  const [, name = ''] = /`parameters: \{ '(.*?)': '…' \}`/.exec(message) ?? [];
  return { [name]: 'orders' };
}

describe('a value that only an account has', () => {
  test.each<[string, (stack: Stack) => void]>([
    ['a parameter without a default', stack => named(stack, new CfnParameter(stack, 'Name').valueAsString)],
    [
      'an entry of the Parameter Store',
      stack => named(stack, StringParameter.valueForStringParameter(stack, '/q')),
    ],
  ])('%s: the start is rejected, and what the error says to pass starts it', async (_, define) => {
    const message: string = await queueNames(define).then(String, (error: Error) => error.message);

    expect(message).toMatch(/pass --parameter '.+=VALUE'/);
    expect(await queueNames(define, remedyIn(message))).toEqual(['orders']);
  });

  test('a secret: the queue is not run, and what its reason says to pass runs it', async () => {
    const define = (stack: Stack) => named(stack, SecretValue.secretsManager('shop').unsafeUnwrap());

    const { stack } = await start(define);

    expect(stack.assembly.queues).toEqual([]);
    expect(await queueNames(define, remedyIn(stack.notRun[0]?.reason ?? ''))).toEqual(['orders']);
  });

  test('each parameter without a value is named once', async () => {
    const define = (stack: Stack) => {
      const [a, b] = ['A', 'B'].map(name => new CfnParameter(stack, name).valueAsString);
      named(stack, `${a}-${a}-${b}`);
    };

    await expect(queueNames(define)).rejects.toThrow(
      /: Parameters\.A: has no value and no default;.*\n.*: Parameters\.B: has no value and no default;[^\n]*$/,
    );
  });
});

test("an entry of the Parameter Store that is the app's own has its value", async () => {
  const names = await queueNames(stack => {
    new StringParameter(stack, 'Entry', { parameterName: '/q', stringValue: 'own' });
    named(stack, StringParameter.valueForStringParameter(stack, '/q'));
  });

  expect(names).toEqual(['own']);
});
