import { SFNClient, StartSyncExecutionCommand, type StartSyncExecutionOutput } from '@aws-sdk/client-sfn';
import { ChangeMessageVisibilityCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { handler } from '../../functions/start-from-queue/handler';

const stepFunctions = mockClient(SFNClient);
const complaints: string[] = [];
const sqs = mockClient(SQSClient);
const batch = (receives = 1) => {
  const attributes = { ApproximateReceiveCount: String(receives) };
  return { Records: [{ messageId: 'm1', receiptHandle: 'r1', body: '{"a":1}', attributes }] };
};
const BATCH = batch();
const ARN = 'arn:aws:states:eu-west-1:111111111111:stateMachine:d';

/** How long messages were made to wait, in seconds. */
const postponed = () => sqs.commandCalls(ChangeMessageVisibilityCommand).map(({ args }) => args[0].input);

beforeEach(() => {
  stepFunctions.reset();
  sqs.reset();
  sqs.on(ChangeMessageVisibilityCommand).resolves({});
  complaints.splice(0);
  jest.spyOn(console, 'error').mockImplementation(text => void complaints.push(text));
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  Object.assign(process.env, { DISPATCHER_ARN: ARN, QUEUE_URL: 'https://queue', DELETE_WHEN: 'started' });
  delete process.env['WORKFLOW_ARN'];
});
afterEach(() => jest.restoreAllMocks());

describe('the function that starts from a queue', () => {
  test('the dispatcher succeeds: the message is gone', async () => {
    stepFunctions.on(StartSyncExecutionCommand).resolves({ status: 'SUCCEEDED' });

    expect(await handler(BATCH)).toEqual({ batchItemFailures: [] });
    expect(stepFunctions.commandCalls(StartSyncExecutionCommand).map(({ args }) => args[0].input)).toEqual([
      { stateMachineArn: ARN, input: '{"a":1}' },
    ]);
    expect(complaints).toEqual([]);
    expect(postponed()).toEqual([]);
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

  test('the dispatcher finds that an event is not valid: it stays for its queue to move away, and no later than that', async () => {
    const error = 'Idempotency.InvalidEvent';
    stepFunctions.on(StartSyncExecutionCommand).resolves({ status: 'FAILED', error });

    expect(await handler(BATCH)).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
    expect(complaints.map(text => JSON.parse(text).reason)).toEqual([error]);
    expect(postponed()).toEqual([]);
  });

  test('Step Functions rejects: the message comes again, with the name of the rejection', async () => {
    const rejection = Object.assign(new Error('secret'), { name: 'ThrottlingException' });
    stepFunctions.on(StartSyncExecutionCommand).rejects(rejection);

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

  test.each([
    [1, 0.5, 60],
    [2, 0.5, 300],
    [3, 0.5, 900],
    [4, 0.5, 3600],
    [5, 0.5, 3600],
    [1000, 0, 1800],
    [1000, 1, 5400],
  ])('not started at receive %i, by a chance of %d: comes again in %i seconds', async (...given) => {
    const [receives, chance, VisibilityTimeout] = given;
    jest.spyOn(Math, 'random').mockReturnValue(chance);
    stepFunctions.on(StartSyncExecutionCommand).resolves({ status: 'FAILED' });

    await handler(batch(receives));

    expect(postponed()).toEqual([{ QueueUrl: 'https://queue', ReceiptHandle: 'r1', VisibilityTimeout }]);
  });

  test.each(['FAILED', 'TIMED_OUT'] as const)(
    'an Express workflow that ends as %s: comes again when its queue says, as it has run',
    async status => {
      delete process.env['DISPATCHER_ARN'];
      process.env['WORKFLOW_ARN'] = ARN;
      stepFunctions.on(StartSyncExecutionCommand).resolves({ status, error: 'CardDeclined' });

      expect(await handler(BATCH)).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
      expect(postponed()).toEqual([]);
    },
  );

  test('an Express workflow that cannot be started: waits', async () => {
    delete process.env['DISPATCHER_ARN'];
    process.env['WORKFLOW_ARN'] = ARN;
    const rejection = Object.assign(new Error('slow'), { name: 'ThrottlingException' });
    stepFunctions.on(StartSyncExecutionCommand).rejects(rejection);

    await handler(BATCH);

    expect(postponed()).toMatchObject([{ VisibilityTimeout: 60 }]);
  });

  test('a message that cannot be started: comes again when its queue says', async () => {
    const [record] = BATCH.Records;

    await handler({ Records: [{ ...record, body: 'order 7' } as (typeof BATCH.Records)[number]] });

    expect(postponed()).toEqual([]);
  });

  test('SQS does not postpone it: it comes again when its queue says, and the reason is logged', async () => {
    const rejection = Object.assign(new Error('secret'), { name: 'RequestThrottled' });
    sqs.on(ChangeMessageVisibilityCommand).rejects(rejection);
    stepFunctions
      .on(StartSyncExecutionCommand)
      .resolves({ status: 'FAILED', error: 'Idempotency.NotStarted' });

    expect(await handler(BATCH)).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
    expect(complaints.map(text => JSON.parse(text))).toEqual([
      { message: 'not started', messageId: 'm1', reason: 'Idempotency.NotStarted' },
      { message: 'not postponed', messageId: 'm1', reason: 'RequestThrottled' },
    ]);
  });
});
