import { SFNClient, StartSyncExecutionCommand, type StartSyncExecutionOutput } from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import { handler } from '../../functions/start-from-queue/handler';

const stepFunctions = mockClient(SFNClient);
const complaints: string[] = [];
const BATCH = { Records: [{ messageId: 'm1', receiptHandle: 'r1', body: '{"a":1}' }] };

beforeEach(() => {
  stepFunctions.reset();
  complaints.splice(0);
  jest.spyOn(console, 'error').mockImplementation(text => void complaints.push(text));
  process.env['DISPATCHER_ARN'] = 'arn:aws:states:eu-west-1:111111111111:stateMachine:d';
});
afterEach(() => jest.restoreAllMocks());

describe('the function that starts from a queue', () => {
  test('the dispatcher succeeds: the message is gone', async () => {
    stepFunctions.on(StartSyncExecutionCommand).resolves({ status: 'SUCCEEDED' });

    expect(await handler(BATCH)).toEqual({ batchItemFailures: [] });
    expect(stepFunctions.commandCalls(StartSyncExecutionCommand).map(({ args }) => args[0].input)).toEqual([
      { stateMachineArn: process.env['DISPATCHER_ARN'], input: '{"a":1}' },
    ]);
    expect(complaints).toEqual([]);
  });

  test.each<[string, Partial<StartSyncExecutionOutput>, string]>([
    ['fails', { status: 'FAILED', error: 'Idempotency.NotStarted' }, 'Idempotency.NotStarted'],
    ['fails without an error', { status: 'FAILED' }, 'FAILED'],
    ['takes too long', { status: 'TIMED_OUT' }, 'TIMED_OUT'],
    ['does not say how it ended', {}, 'no answer'],
  ])('the dispatcher %s: the message comes again, with the reason', async (_, answer, reason) => {
    stepFunctions.on(StartSyncExecutionCommand).resolves(answer);

    expect(await handler(BATCH)).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
    expect(complaints.map(text => JSON.parse(text))).toEqual([
      { message: 'not started', messageId: 'm1', reason },
    ]);
  });

  test('Step Functions refuses: the message comes again, with the name of the refusal', async () => {
    const refusal = Object.assign(new Error('secret'), { name: 'ThrottlingException' });
    stepFunctions.on(StartSyncExecutionCommand).rejects(refusal);

    expect(await handler(BATCH)).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
    expect(complaints.join()).toContain('ThrottlingException');
    expect(complaints.join()).not.toContain('secret');
  });

  test('Step Functions cannot be reached: the reason is the code of the network', async () => {
    const failure = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
    stepFunctions.on(StartSyncExecutionCommand).rejects(failure);

    await handler(BATCH);

    expect(complaints.map(text => JSON.parse(text))).toEqual([
      { message: 'not started', messageId: 'm1', reason: 'ENOTFOUND' },
    ]);
  });
});
