import type { Json, JsonObject } from '../../../json/json';
import { sqsIntegrations } from '../../../services/sqs/integrations';
import { Queues } from '../../../services/sqs/queues';

function serviceOf() {
  const queues = new Queues({ region: 'eu-west-1', account: '1', now: () => 0, newId: () => MESSAGE_ID });
  const service = sqsIntegrations(queues, { newRequestId: () => 'r', now: () => 0 }).get('sqs:sendMessage');
  if (!service) throw new Error('no sqs:sendMessage');
  return { queues, service };
}

function send(given: Json) {
  const { queues, service } = serviceOf();
  const { url } = queues.create('q');
  const args = JSON.parse(JSON.stringify(given).replace('QUEUE', url));
  const call = {
    resource: 'sqs:sendMessage',
    arguments: args,
    executionArn: 'e',
    stateName: 's',
    retryCount: 0,
  };
  return { queues, answer: service.call(call, new AbortController().signal) };
}

const NO_TEXT = 'The value for the field';
const MESSAGE_ID = '5fea7756-0ea4-451a-a703-a558b933e274';

describe('sqs:sendMessage', () => {
  test('a text: sent as it is, with the answer of the HTTP call around', async () => {
    const { queues, answer } = send({ QueueUrl: 'QUEUE', MessageBody: 'text' });

    expect(await answer).toEqual({
      kind: 'succeeded',
      output: {
        MD5OfMessageBody: '1cb251ec0d568de6a929b520c4aed8d1',
        MessageId: MESSAGE_ID,
        SdkHttpMetadata: {
          AllHttpHeaders: {
            'x-amzn-RequestId': ['r'],
            connection: ['keep-alive'],
            'Content-Length': ['106'],
            Date: ['Thu, 01 Jan 1970 00:00:00 GMT'],
            'Content-Type': ['application/x-amz-json-1.0'],
          },
          HttpHeaders: {
            connection: 'keep-alive',
            'Content-Length': '106',
            'Content-Type': 'application/x-amz-json-1.0',
            Date: 'Thu, 01 Jan 1970 00:00:00 GMT',
            'x-amzn-RequestId': 'r',
          },
          HttpStatusCode: 200,
        },
        SdkResponseMetadata: { RequestId: 'r' },
      },
    });
    expect(queues.receive('q')).toMatchObject([{ body: 'text' }]);
  });

  test('anything else: sent as JSON text', async () => {
    const { queues, answer } = send({ QueueUrl: 'QUEUE', MessageBody: { a: [1] } });

    expect((await answer).kind).toBe('succeeded');
    expect(queues.receive('q')).toMatchObject([{ body: '{"a":[1]}' }]);
  });

  test('a delay: the message is not in sight yet', async () => {
    const { queues, answer } = send({ QueueUrl: 'QUEUE', MessageBody: 'a', DelaySeconds: 5 });

    expect((await answer).kind).toBe('succeeded');
    expect(queues.counts('q')).toEqual({ visible: 0, notVisible: 0, delayed: 1 });
  });

  test('attributes: sent with the message, and their digest answered', async () => {
    const MessageAttributes = { kind: { DataType: 'String', StringValue: 'x' } };
    const { queues, answer } = send({ QueueUrl: 'QUEUE', MessageBody: 'a', MessageAttributes });

    expect(await answer).toMatchObject({
      output: { MD5OfMessageAttributes: '57dd03eb020678b56fd5c31e88f4cff1' },
    });
    expect(queues.receive('q')).toMatchObject([{ messageAttributes: MessageAttributes }]);
  });

  test.each<[string, JsonObject, string, string]>([
    [
      'an attribute without a value',
      { QueueUrl: 'QUEUE', MessageBody: 'a', MessageAttributes: { kind: { DataType: 'String' } } },
      'SQS.AmazonSQSException',
      "Message (user) attribute 'kind' must contain a non-empty value of type 'String'. " +
        '(Service: AmazonSQS; Status Code: 400; Error Code: InvalidParameterValue; Request ID: r; Proxy: null)',
    ],
    [
      'no body',
      { QueueUrl: 'QUEUE', MessageBody: null },
      'SQS.AmazonSQSException',
      'The request must contain the parameter MessageBody. (Service: AmazonSQS; Status Code: 400; ' +
        'Error Code: MissingParameter; Request ID: r; Proxy: null)',
    ],
    [
      'a host that is not there',
      { QueueUrl: 'http://nowhere/1/p', MessageBody: 'a' },
      'SQS.SdkClientException',
      'Unable to execute HTTP request: nowhere: Name or service not known',
    ],
    [
      'a queue that is not there',
      { QueueUrl: 'https://sqs.eu-west-1.amazonaws.com/1/p', MessageBody: 'a' },
      'SQS.QueueDoesNotExistException',
      'The specified queue does not exist. (Service: AmazonSQS; Status Code: 400; ' +
        'Error Code: AWS.SimpleQueueService.NonExistentQueue; Request ID: r; Proxy: null)',
    ],
  ])('%s: as the service', async (_case, given, error, cause) => {
    expect(await send(given).answer).toEqual({ kind: 'failed', error, cause });
  });

  test.each<[string, JsonObject, string | undefined]>([
    ['no queue', { MessageBody: 'a' }, "The field 'QueueUrl' is required but was missing"],
    ['a queue that is no text', { QueueUrl: {} }, `${NO_TEXT} 'QueueUrl' must be a STRING`],
    [
      'a body that is a number',
      { QueueUrl: 'q', MessageBody: 1 },
      `${NO_TEXT} 'MessageBody' must be a STRING`,
    ],
    [
      'a body that is true',
      { QueueUrl: 'q', MessageBody: true },
      `${NO_TEXT} 'MessageBody' must be a STRING`,
    ],
    ['a list', { QueueUrl: 'q', MessageBody: [1] }, undefined],
  ])('%s: whether a call is made', (_case, given, rejection) => {
    expect(serviceOf().service.rejectionOf?.(given)).toBe(rejection);
  });
});
