import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { handler } from './split-records';

const sqs = mockClient(SQSClient);
beforeEach(() => sqs.reset());

const notification = (...keys: readonly string[]) => ({
  body: JSON.stringify({ Records: keys.map(key => ({ s3: { object: { key } } })) }),
});
const sent = () => sqs.commandCalls(SendMessageBatchCommand).map(({ args }) => args[0].input.Entries ?? []);

test('each record becomes a message, at most ten at once; the test message becomes none', async () => {
  sqs.on(SendMessageBatchCommand).resolves({});
  const keys = Array.from({ length: 12 }, (_, index) => `photo-${index}`);

  await handler({
    Records: [{ body: '{"Event":"s3:TestEvent"}' }, notification(...keys), notification('last')],
  });

  expect(sent().map(({ length }) => length)).toEqual([10, 3]);
  expect(
    sent().flatMap(all => all.map(({ MessageBody = '' }) => JSON.parse(MessageBody).s3.object.key)),
  ).toEqual([...keys, 'last']);
});

test('a record that SQS does not take: the batch fails, so that Lambda delivers it again', async () => {
  const Failed = [{ Id: '0', SenderFault: false, Code: 'InternalError' }];
  sqs.on(SendMessageBatchCommand).resolves({ Failed });

  await expect(handler({ Records: [notification('a')] })).rejects.toThrow('1 records were not sent');
});
