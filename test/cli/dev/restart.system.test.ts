import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { referenceAssembly } from '../../support/reference-app';
import { newDirectory } from '../../support/shared';
import { cleanUp, runToEnd, type Started, start } from './started';

let assembly: string;
beforeAll(async () => {
  assembly = await referenceAssembly();
}, 60_000);
afterAll(cleanUp);

const ROLE = 'arn:aws:iam::111111111111:role/r';
const STATES = {
  QueryLanguage: 'JSONata',
  StartAt: 'Rest',
  States: {
    Rest: {
      Type: 'Wait',
      Seconds: '{% $states.input.seconds %}',
      Assign: { kept: '{% $states.input %}' },
      Next: 'Tell',
    },
    Tell: { Type: 'Pass', Output: '{% $kept.word %}', End: true },
  },
};

async function untilEnded({ sfn }: Started, executionArn: string | undefined) {
  for (;;) {
    const description = await sfn.describeExecution({ executionArn });
    if (description.status !== 'RUNNING') return description;
  }
}

interface SqsAnswer {
  readonly QueueUrl?: string;
  readonly Messages?: readonly { readonly Body: string }[];
}

async function sqs({ summary }: Started, operation: string, body: object): Promise<SqsAnswer> {
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${operation}` };
  const response = await fetch(summary.endpoint, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as SqsAnswer;
}

describe('npm start --state', () => {
  test('kill -9 while executions run: the next one has all that was answered, and they go on', async () => {
    const state = newDirectory();
    const first = await start('--assembly', assembly, '--state', state);
    const definition = JSON.stringify(STATES);
    const request = {
      name: 'rests',
      definition,
      roleArn: ROLE,
      publish: true,
      tags: [{ key: 'k', value: 'v' }],
    };
    const { stateMachineArn = '', stateMachineVersionArn = '' } = await first.sfn.createStateMachine(request);
    const begin = (name: string, seconds: number) =>
      first.sfn.startExecution({
        stateMachineArn: stateMachineVersionArn,
        name,
        input: JSON.stringify({ seconds, word: name }),
      });
    const { executionArn: done } = await begin('done', 0);
    const ended = await untilEnded(first, done);
    const { executionArn: soon } = await begin('soon', 1);
    const { executionArn: late } = await begin('late', 100_000);
    const history = await first.sfn.getExecutionHistory({ executionArn: done });
    await first.end('SIGKILL');

    const second = await start('--assembly', assembly, '--state', state);

    const { stateMachines } = first.summary;
    expect(second.summary).toMatchObject({ state, resumed: 2, stateMachines });
    const { sfn } = second;
    expect(await sfn.describeExecution({ executionArn: done })).toEqual({
      ...ended,
      $metadata: expect.anything(),
    });
    expect((await sfn.getExecutionHistory({ executionArn: done })).events).toEqual(history.events);
    expect(await untilEnded(second, soon)).toMatchObject({
      status: 'SUCCEEDED',
      output: '"soon"',
      stateMachineVersionArn,
    });
    expect((await sfn.listExecutions({ stateMachineArn })).executions?.map(({ name }) => name)).toEqual([
      'late',
      'soon',
      'done',
    ]);
    await sfn.stopExecution({ executionArn: late });
    const events = (await sfn.getExecutionHistory({ executionArn: late })).events ?? [];
    expect(events.map(({ id, type }) => `${id} ${type}`)).toEqual([
      '1 ExecutionStarted',
      '2 WaitStateEntered',
      '3 ExecutionAborted',
    ]);
    expect((await sfn.listTagsForResource({ resourceArn: stateMachineArn })).tags).toEqual(request.tags);
    expect((await sfn.describeStateMachine({ stateMachineArn })).definition).toBe(definition);
    await second.end('SIGTERM');
  }, 60_000);

  test('kill -9 while a task waits for its token: the message is still in the queue, and the token still good', async () => {
    const state = newDirectory();
    const first = await start('--assembly', assembly, '--state', state);
    const { QueueUrl } = await sqs(first, 'CreateQueue', { QueueName: 'tasks' });
    const task = {
      Type: 'Task',
      Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken',
      Arguments: { QueueUrl, MessageBody: '{% $states.context.Task.Token %}' },
      End: true,
    };
    const definition = JSON.stringify({ QueryLanguage: 'JSONata', StartAt: 'T', States: { T: task } });
    const { stateMachineArn } = await first.sfn.createStateMachine({ name: 'm', definition, roleArn: ROLE });
    const { executionArn } = await first.sfn.startExecution({ stateMachineArn });
    const isSubmitted = async () => {
      const { events } = await first.sfn.getExecutionHistory({ executionArn });
      return events?.some(({ type }) => type === 'TaskSubmitted');
    };
    while (!(await isSubmitted()));
    await first.end('SIGKILL');

    const second = await start('--assembly', assembly, '--state', state);

    const { Messages } = await sqs(second, 'ReceiveMessage', { QueueUrl });
    await second.sfn.sendTaskSuccess({ taskToken: Messages?.[0]?.Body, output: '"done"' });
    expect(await untilEnded(second, executionArn)).toMatchObject({ status: 'SUCCEEDED', output: '"done"' });
    await second.end('SIGTERM');
  }, 60_000);

  test('an orderly end: tables keep their items, a redrive goes on with what the execution had', async () => {
    const state = newDirectory();
    const first = await start('--assembly', assembly, '--state', state);
    const TableName = first.summary.tables.find(name => name.includes('Records'));
    const table = ({ summary }: Started) =>
      new DynamoDBClient({
        endpoint: summary.endpoint,
        region: summary.region,
        credentials: { accessKeyId: 'x', secretAccessKey: 'y' },
      });
    const Key = { idempotencyKey: { S: 'o' } };
    await table(first).send(new PutItemCommand({ TableName, Item: { ...Key, n: { N: '1' } } }));
    const definition = JSON.stringify(STATES);
    const { stateMachineArn } = await first.sfn.createStateMachine({ name: 'm', definition, roleArn: ROLE });
    const input = '{"seconds":100000,"word":"kept"}';
    const { executionArn } = await first.sfn.startExecution({ stateMachineArn, name: 'x', input });
    await first.sfn.stopExecution({ executionArn });
    await first.end('SIGTERM');

    const second = await start('--assembly', assembly, '--state', state);

    const { Item } = await table(second).send(new GetItemCommand({ TableName, Key }));
    expect(Item).toEqual({ ...Key, n: { N: '1' } });
    await second.sfn.redriveExecution({ executionArn, clientToken: 'once' });
    expect(await second.sfn.describeExecution({ executionArn })).toMatchObject({
      status: 'RUNNING',
      redriveCount: 1,
    });
    await expect(
      second.sfn.startExecution({ stateMachineArn, name: 'x', input: '{}' }),
    ).rejects.toMatchObject({
      name: 'ExecutionAlreadyExists',
    });
    await second.end('SIGTERM');
  }, 60_000);

  test('a directory that another process has open: says so, exit code 2, and the other goes on', async () => {
    const state = newDirectory();
    const first = await start('--assembly', assembly, '--state', state);

    const ended = await runToEnd('--assembly', assembly, '--state', state, '--port', '0');

    expect(ended).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /is in use by another process; end that one, or choose another directory/,
      ),
    });
    expect((await first.sfn.listStateMachines({})).stateMachines).toHaveLength(5);
    await first.end('SIGTERM');
  }, 60_000);

  test('a directory with a file that was emptied: named, with the remedy, exit code 2', async () => {
    const state = newDirectory();
    const first = await start('--assembly', assembly, '--state', state);
    await first.end('SIGTERM');
    writeFileSync(path.join(state, 'log/CURRENT'), '');

    const { code, stderr } = await runToEnd('--assembly', assembly, '--state', state, '--port', '0');

    expect(code).toBe(2);
    expect(stderr).toBe(
      [
        'onceflow dev: the state directory cannot be used',
        `  ${state}/log cannot be read: Corruption: CURRENT file does not end with newline`,
        'See onceflow dev --help',
        '',
      ].join('\n'),
    );
  }, 60_000);

  test('a directory that is a file, or has other data: says so, exit code 2', async () => {
    const file = path.join(newDirectory(), 'file');
    writeFileSync(file, 'x');
    const other = newDirectory();
    writeFileSync(path.join(other, 'format'), 'something else');

    const rejections = await Promise.all(
      [file, other].map(state => runToEnd('--assembly', assembly, '--state', state, '--port', '0')),
    );

    expect(rejections.map(({ code }) => code)).toEqual([2, 2]);
    expect(rejections[0]?.stderr).toMatch(
      /^onceflow dev: the state directory cannot be used\n {2}\S+file is not a directory\n/,
    );
    expect(rejections[1]?.stderr).toMatch(/is of another version \("something else"\)/);
  }, 60_000);
});
