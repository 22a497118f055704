import { SFNClient, TestStateCommand, type TestStateCommandInput } from '@aws-sdk/client-sfn';
import { startLocal } from '@onceflow/local';
import { App } from 'aws-cdk-lib';

const definition = JSON.stringify({
  QueryLanguage: 'JSONata',
  StartAt: 'Large?',
  States: {
    'Large?': {
      Type: 'Choice',
      Choices: [{ Condition: '{% $states.input.amount >= 1000 %}', Next: 'Ask' }],
      Default: 'Charge',
    },
    Ask: {
      Type: 'Task',
      Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken',
      Arguments: {
        QueueUrl: 'https://sqs.eu-west-1.amazonaws.com/111111111111/approvals',
        MessageBody: { token: '{% $states.context.Task.Token %}', amount: '{% $states.input.amount %}' },
      },
      Output: '{% $merge([$states.input, { "approvedBy": $states.result.by }]) %}',
      Next: 'Charge',
    },
    Charge: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Arguments: { FunctionName: 'charge', Payload: '{% $states.input %}' },
      Output: '{% $states.result.Payload %}',
      Retry: [{ ErrorEquals: ['Lambda.TooManyRequestsException'], IntervalSeconds: 2, MaxAttempts: 3 }],
      Catch: [{ ErrorEquals: ['CardDeclined'], Next: 'Reject', Output: '{% $states.errorOutput.Cause %}' }],
      End: true,
    },
    Reject: { Type: 'Fail', Error: 'Rejected', Cause: '{% $states.input %}' },
  },
});

const input = JSON.stringify({ amount: 1500 });

let sfn: SFNClient;
let close = async () => {};

beforeAll(async () => {
  if (process.env['TEST_TARGET'] === 'aws') {
    sfn = new SFNClient({});
    return;
  }
  const stack = await startLocal({ assembly: new App().synth().directory });
  close = () => stack.close();
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  sfn = new SFNClient({
    endpoint: stack.endpoint,
    region: 'eu-west-1',
    credentials,
    disableHostPrefix: true,
  });
});
afterAll(() => close());

/** How one state of the machine comes out. */
function tested(stateName: string, request: Omit<TestStateCommandInput, 'definition'> = {}) {
  return sfn.send(new TestStateCommand({ definition, stateName, input, ...request }));
}

test('a large amount: an approver is asked', async () => {
  expect(await tested('Large?')).toMatchObject({ status: 'SUCCEEDED', nextState: 'Ask' });
});

test('the approval comes back: it says who has approved', async () => {
  const context = JSON.stringify({ Task: { Token: 'token-1' } });

  const { nextState, output = '' } = await tested('Ask', { context, mock: { result: '{"by":"Mary"}' } });

  expect(nextState).toBe('Charge');
  expect(JSON.parse(output)).toEqual({ amount: 1500, approvedBy: 'Mary' });
});

test('the charge is declined: the order is rejected, with the reason', async () => {
  const mock = { errorOutput: { error: 'CardDeclined', cause: 'no money' } };

  expect(await tested('Charge', { mock })).toMatchObject({
    status: 'CAUGHT_ERROR',
    nextState: 'Reject',
    output: '"no money"',
  });
});

test('Lambda is busy for the second time: again in four seconds', async () => {
  const { status, inspectionData } = await tested('Charge', {
    mock: { errorOutput: { error: 'Lambda.TooManyRequestsException', cause: 'slow down' } },
    stateConfiguration: { retrierRetryCount: 1 },
    inspectionLevel: 'DEBUG',
  });

  expect(status).toBe('RETRIABLE');
  expect(inspectionData?.errorDetails).toEqual({ retryIndex: 0, retryBackoffIntervalSeconds: 4 });
});

test('a mock that the function could never return: rejected', async () => {
  const mock = { result: '{"StatusCode":"200"}' };

  await expect(tested('Charge', { mock })).rejects.toThrow("Field 'StatusCode' must be a number");
});
