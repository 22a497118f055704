import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { ClassicLevel } from 'classic-level';
import { type LocalStack, startLocal } from '../../index';
import { machine, newDirectory, synthesize } from './world';

const REQUESTS = {
  StartExecution: { service: 'states', target: 'AWSStepFunctions', version: '1.0' },
  PutItem: { service: 'dynamodb', target: 'DynamoDB_20120810', version: '1.0' },
  Scan: { service: 'dynamodb', target: 'DynamoDB_20120810', version: '1.0' },
  SendMessage: { service: 'sqs', target: 'AmazonSQS', version: '1.0' },
  PutEvents: { service: 'events', target: 'AWSEvents', version: '1.1' },
} as const;

/** A request as SDKs send it, once. */
async function request(stack: LocalStack, operation: keyof typeof REQUESTS, body: object) {
  const { service, target, version } = REQUESTS[operation];
  const headers = {
    'content-type': `application/x-amz-json-${version}`,
    'x-amz-target': `${target}.${operation}`,
    authorization: `AWS4-HMAC-SHA256 Credential=local/20261120/us-east-1/${service}/aws4_request, Signature=0`,
  };
  const answer = await fetch(stack.endpoint, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, answer: (await answer.json()) as Record<string, unknown> };
}

const assembly = () =>
  synthesize(stack => {
    machine(stack, 'ends', { P: { Type: 'Pass', End: true } });
    new Table(stack, 'T', { tableName: 'things', partitionKey: { name: 'id', type: AttributeType.STRING } });
    const queue = new Queue(stack, 'Q', { queueName: 'work' });
    new Rule(stack, 'R', { eventPattern: { source: ['shop'] }, targets: [new SqsQueue(queue)] });
  });

const stateMachineArn = 'arn:aws:states:us-east-1:111111111111:stateMachine:ends';

/** Each kind of request that is kept, with a name of its own. */
function requestsNamed(name: string): readonly (readonly [keyof typeof REQUESTS, object])[] {
  const QueueUrl = 'https://sqs.us-east-1.amazonaws.com/111111111111/work';
  return [
    ['StartExecution', { stateMachineArn, name }],
    ['PutItem', { TableName: 'things', Item: { id: { S: name } } }],
    ['SendMessage', { QueueUrl, MessageBody: name }],
    ['PutEvents', { Entries: [{ Source: 'shop', DetailType: 'd', Detail: JSON.stringify({ name }) }] }],
  ];
}

test('a full disk: each request is rejected by a modelled error, and everything goes on with room again', async () => {
  const options = { assembly: assembly(), state: newDirectory(), port: 0 };
  const stack = await startLocal(options);
  const batch = jest.spyOn(ClassicLevel.prototype, 'batch');
  batch.mockImplementation((async () => {
    throw new Error('IO error: No space left on device');
  }) as never);

  const warning = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  for (const [operation, body] of requestsNamed('rejected')) {
    const { status, answer } = await request(stack, operation, body);
    expect({ operation, status }).toEqual({ operation, status: 500 });
    expect(answer['__type']).toMatch(
      /InternalServerError|InternalFailure|InternalException|ServiceUnavailable/,
    );
    expect(JSON.stringify(answer)).not.toMatch(/\bat .*:\d+:\d+/);
    expect(JSON.stringify(answer)).toContain('the state directory cannot be written');
  }
  expect(warning.mock.calls.map(([line]) => String(line))).toEqual([
    expect.stringContaining('cannot be written (IO error: No space left on device)'),
  ]);
  warning.mockRestore();
  batch.mockRestore();
  for (const [operation, body] of requestsNamed('taken')) {
    expect({ operation, ...(await request(stack, operation, body)) }).toMatchObject({
      operation,
      status: 200,
    });
  }
  await stack.close();

  const again = await startLocal(options);
  const { executions } = await again.runtime.listExecutions({ stateMachineArn });
  expect(executions.map(({ name }) => name)).toEqual(['taken']);
  const { answer } = await request(again, 'Scan', { TableName: 'things' });
  expect(answer['Items']).toEqual([{ id: { S: 'taken' } }]);
  const messages = (again.queues.peek('work') ?? []).map(({ body }) => body);
  expect(messages).toContain('taken');
  // The sender retries a rejected request: it is not there.
  expect(messages.filter(body => body.includes('rejected'))).toEqual([]);
  expect(messages.filter(body => body.includes('"name":"taken"'))).toHaveLength(1);
  await again.close();
});
