import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Stack } from 'aws-cdk-lib';
import { CfnAlias, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { runToEnd } from '../../index';
import { machine, newDirectory, start } from './world';

const NAME = 'arn:aws:states:us-east-1:111111111111:stateMachine:calls';

/** A machine that calls a function in a runtime that is not there, and one of another app. */
function app(stack: Stack): void {
  const runtime = new Runtime('java21', undefined, { supportsInlineCode: true });
  new LambdaFunction(stack, 'Charge', {
    functionName: 'charge',
    runtime,
    handler: 'a.B',
    code: Code.fromInline('-'),
  });
  new CfnAlias(stack, 'Live', { functionName: 'charge', functionVersion: '1', name: 'live' });
  const call = (FunctionName: string) => ({
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Arguments: { FunctionName, Payload: '{% $states.input %}' },
    Output: '{% $states.result.Payload %}',
  });
  machine(stack, 'calls', {
    Which: {
      Type: 'Choice',
      Choices: [{ Condition: '{% $exists($states.input.other) %}', Next: 'Other' }],
      Default: 'Charge',
    },
    Charge: { ...call('charge:live'), End: true },
    Other: { ...call('elsewhere'), End: true },
  });
}

async function ended(functions: Readonly<Record<string, string>>, input: object) {
  const { stack, clock } = await start(app, { functions });
  const { executionArn } = await stack.runtime.startExecution({
    stateMachineArn: NAME,
    input: JSON.stringify(input),
  });
  await runToEnd(stack.runtime, clock);
  const { status, output, error, cause } = await stack.runtime.describeExecution({ executionArn });
  return { status, output, error, cause };
}

function fileWith(name: string, text: string): string {
  const file = path.join(newDirectory(), name);
  writeFileSync(file, text);
  return file;
}

describe('a function in a runtime that is not there', () => {
  test('its call fails, and the cause says which option runs something else', async () => {
    const failed = await ended({}, {});

    expect(failed).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
    expect(failed.cause).toMatch(
      /it has the runtime java21\. Pass --function 'Charge\w+=URL\|MODULE\|COMMAND'/,
    );
  });

  test.each(['Main/Charge', 'Charge', 'charge'])('a module in its place, by %s', async name => {
    const file = fileWith('mine.js', 'exports.handler = async event => ({ charged: event.amount });');

    expect(await ended({ [name]: file }, { amount: 2 })).toMatchObject({ output: '{"charged":2}' });
  });

  test('a command in its place: the event comes on its standard input', async () => {
    const file = fileWith('mine.cjs', "process.stdin.on('data', text => console.log(text.toString()));");

    expect(await ended({ charge: `node ${file}` }, { amount: 3 })).toMatchObject({ output: '{"amount":3}' });
  });

  test.each([
    ['exit 3', 'Runtime.ExitError', /exit status 3/],
    [
      'echo no',
      'Lambda.ServiceException',
      /echo no does not answer for the function charge: its output is not JSON/,
    ],
    ['sleep 60', 'Sandbox.Timedout', /timed out after 3.00 seconds/],
  ])('the command %s: the state fails with %s', async (command, error, cause) => {
    const failed = await ended({ charge: command }, {});

    expect(failed.error).toBe(error);
    expect(failed.cause).toMatch(cause);
  });

  describe('a server in its place', () => {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', text => (body += text));
      request.on('end', () => {
        const isBad = body.includes('bad');
        response.end(isBad ? '{"errorType":"Bad","errorMessage":"it is bad"}' : `{"got":${body}}`);
      });
    });
    beforeAll(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)));
    afterAll(() => server.close());
    const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

    test('it gets the event by POST, and answers with the result', async () => {
      expect(await ended({ charge: url() }, { amount: 4 })).toMatchObject({ output: '{"got":{"amount":4}}' });
    });

    test('an error of its function fails the state by its type', async () => {
      expect(await ended({ charge: url() }, { bad: 1 })).toMatchObject({ status: 'FAILED', error: 'Bad' });
    });

    test('one that does not answer fails the state by its address', async () => {
      const failed = await ended({ charge: 'http://127.0.0.1:1/' }, {});

      expect(failed.error).toBe('Lambda.ServiceException');
      expect(failed.cause).toContain('http://127.0.0.1:1/ does not answer for the function charge');
    });
  });
});

test('a function of another app is added by its name', async () => {
  const file = fileWith('other.py', 'def handler(event, context):\n    return {"other": event["other"]}\n');

  expect(await ended({ elsewhere: file }, { other: 1 })).toMatchObject({ output: '{"other":1}' });
});

test('a path that is not of a function is rejected with those that are', async () => {
  await expect(ended({ 'Main/Chrge': 'x.js' }, {})).rejects.toThrow(
    'Main/Chrge: is not a function here; did you mean Main/Charge? there are Main/Charge',
  );
});
