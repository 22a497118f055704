import {
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { paginateGetExecutionHistory, paginateListExecutions, SFN } from '@aws-sdk/client-sfn';
import { advanceBy } from '../../runtime/drive';
import { type ApiWorld, openApi, ROLE, START, textOf } from './test-endpoint';

const CREDENTIALS = { accessKeyId: 'x', secretAccessKey: 'y' };
const REGION = 'us-east-1';

let world: ApiWorld;
let sfn: SFN;

beforeAll(async () => {
  world = await openApi();
  sfn = new SFN({ endpoint: world.api.endpoint, region: REGION, credentials: CREDENTIALS });
});

afterAll(async () => {
  sfn.destroy();
  await world.close();
});

const STATES = {
  Rest: { Type: 'Wait', Seconds: 60, Next: 'Answer' },
  Answer: { Type: 'Pass', Output: { doubled: '{% $states.input.n * 2 %}' }, End: true },
};

async function machine(name: string, states: Parameters<typeof textOf>[0] = STATES): Promise<string> {
  const request = { name, definition: textOf(states), roleArn: ROLE };
  const { stateMachineArn = '' } = await sfn.createStateMachine(request);
  return stateMachineArn;
}

describe('the Step Functions client of the AWS SDK, with nothing but an endpoint', () => {
  test('create, start, describe: dates with milliseconds, texts as they were', async () => {
    const stateMachineArn = await machine('life');

    const started = await sfn.startExecution({ stateMachineArn, name: 'one', input: '{"n":  2}' });
    const executionArn = 'arn:aws:states:us-east-1:111111111111:execution:life:one';
    expect(started).toMatchObject({ executionArn, startDate: new Date(START) });
    expect(started.$metadata.requestId).toMatch(/^[0-9a-f-]{36}$/);
    await advanceBy(world.runtime, world.clock, 60_000);
    const { $metadata: _, ...described } = await sfn.describeExecution({ executionArn });

    expect(described).toEqual({
      executionArn,
      stateMachineArn,
      name: 'one',
      status: 'SUCCEEDED',
      startDate: new Date(START),
      stopDate: new Date(START + 60_000),
      input: '{"n":  2}',
      inputDetails: { included: true },
      output: '{"doubled":4}',
      outputDetails: { included: true },
      redriveCount: 0,
      redriveStatus: 'NOT_REDRIVABLE',
      redriveStatusReason: 'Execution is SUCCEEDED and cannot be redriven',
    });
  });

  test('the history page by page: every event once, in either direction', async () => {
    const stateMachineArn = await machine('pages');
    const { executionArn } = await sfn.startExecution({ stateMachineArn, input: '{"n":1}' });
    await advanceBy(world.runtime, world.clock, 60_000);
    const read = async (reverseOrder: boolean) => {
      const ids: (number | undefined)[][] = [];
      const pages = paginateGetExecutionHistory({ client: sfn, pageSize: 2 }, { executionArn, reverseOrder });
      for await (const page of pages) ids.push((page.events ?? []).map(({ id }) => id));
      return ids;
    };

    expect(await read(false)).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    expect(await read(true)).toEqual([
      [6, 5],
      [4, 3],
      [2, 1],
    ]);
  });

  test('executions page by page while more are started: those of the first page on, newest first', async () => {
    const stateMachineArn = await machine('many');
    const start = (name: string) => sfn.startExecution({ stateMachineArn, name });
    for (const name of ['a', 'b', 'c', 'd']) await start(name);
    const names: (string | undefined)[] = [];

    for await (const page of paginateListExecutions({ client: sfn, pageSize: 2 }, { stateMachineArn })) {
      names.push(...(page.executions ?? []).map(({ name }) => name));
      await start(`e${names.length}`);
    }

    expect(names).toEqual(['d', 'c', 'b', 'a']);
    expect((await sfn.listExecutions({ stateMachineArn, statusFilter: 'SUCCEEDED' })).executions).toEqual([]);
  });

  test('stop: the reason stays, and a second one changes nothing', async () => {
    const stateMachineArn = await machine('stopped');
    const { executionArn } = await sfn.startExecution({ stateMachineArn });

    const { stopDate } = await sfn.stopExecution({ executionArn, error: 'Tired', cause: 'of waiting' });
    await sfn.stopExecution({ executionArn, error: 'Other' });

    expect(await sfn.describeExecution({ executionArn })).toMatchObject({
      status: 'ABORTED',
      stopDate,
      error: 'Tired',
      cause: 'of waiting',
      redriveStatus: 'REDRIVABLE',
    });
  });

  test('redrive: once for a client token, and it goes on where it was', async () => {
    const stateMachineArn = await machine('redriven');
    const { executionArn } = await sfn.startExecution({ stateMachineArn, input: '{"n":1}' });
    await sfn.startExecution({ stateMachineArn, name: 'other' });
    await sfn.stopExecution({ executionArn });

    const { redriveDate } = await sfn.redriveExecution({ executionArn, clientToken: 'once' });
    expect(await sfn.redriveExecution({ executionArn, clientToken: 'once' })).toMatchObject({ redriveDate });
    await advanceBy(world.runtime, world.clock, 60_000);

    expect(await sfn.describeExecution({ executionArn })).toMatchObject({
      status: 'SUCCEEDED',
      output: '{"doubled":2}',
      redriveCount: 1,
      redriveDate,
    });
    const listed = async (redriveFilter: 'REDRIVEN' | 'NOT_REDRIVEN') => {
      const { executions } = await sfn.listExecutions({ stateMachineArn, redriveFilter });
      return executions?.map(execution => execution.executionArn === executionArn);
    };
    expect(await listed('REDRIVEN')).toEqual([true]);
    expect(await listed('NOT_REDRIVEN')).toEqual([false]);
    await expect(sfn.redriveExecution({ executionArn })).rejects.toMatchObject({
      name: 'ExecutionNotRedrivable',
    });
  });

  test('an Express machine, without the host prefix: answered when it has ended', async () => {
    const client = new SFN({
      endpoint: world.api.endpoint,
      region: REGION,
      credentials: CREDENTIALS,
      disableHostPrefix: true,
    });
    const definition = textOf({ P: { Type: 'Pass', Output: '{% $states.input.n + 1 %}', End: true } });
    const { stateMachineArn } = await sfn.createStateMachine({
      name: 'express',
      definition,
      roleArn: ROLE,
      type: 'EXPRESS',
    });

    expect(await client.startSyncExecution({ stateMachineArn, name: 'e', input: '{"n":1}' })).toMatchObject({
      executionArn: expect.stringMatching(/:express:express:e:[0-9a-f-]{36}$/),
      status: 'SUCCEEDED',
      output: '2',
      startDate: expect.any(Date),
      billingDetails: { billedDurationInMilliseconds: expect.any(Number) },
    });
    await expect(sfn.listExecutions({ stateMachineArn })).rejects.toMatchObject({
      name: 'StateMachineTypeNotSupported',
    });
    client.destroy();
  });

  test('an update while an execution runs: that one keeps its definition', async () => {
    const stateMachineArn = await machine('updated');
    const { executionArn } = await sfn.startExecution({ stateMachineArn, input: '{"n":1}' });
    const definition = textOf({ Other: { Type: 'Succeed' } });

    const { revisionId } = await sfn.updateStateMachine({ stateMachineArn, definition });
    await advanceBy(world.runtime, world.clock, 60_000);

    expect(await sfn.describeExecution({ executionArn })).toMatchObject({ output: '{"doubled":2}' });
    expect((await sfn.describeStateMachineForExecution({ executionArn })).definition).toBe(textOf(STATES));
    expect(await sfn.describeStateMachine({ stateMachineArn })).toMatchObject({ definition, revisionId });
  });

  test.each([
    [
      'StateMachineDoesNotExist',
      { stateMachineArn: 'arn:aws:states:us-east-1:111111111111:stateMachine:none' },
    ],
    ['InvalidArn', { stateMachineArn: 'none' }],
    ['ValidationException', { stateMachineArn: 'none', name: 'x'.repeat(81) }],
  ])('%s: the class of that name', async (name, request) => {
    await expect(sfn.startExecution(request)).rejects.toMatchObject({
      name,
      message: expect.stringMatching(/./),
      $metadata: { httpStatusCode: 400, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
  });
});

describe('the DynamoDB client of the AWS SDK on the same endpoint', () => {
  test('a table, an item, and a condition that fails: as from the embedded DynamoDB itself', async () => {
    const client = new DynamoDBClient({
      endpoint: world.api.endpoint,
      region: REGION,
      credentials: CREDENTIALS,
    });
    const Item = { pk: { S: 'a' }, n: { N: '1' } };
    await client.send(
      new CreateTableCommand({
        TableName: 'things',
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      }),
    );

    await client.send(new PutItemCommand({ TableName: 'things', Item }));

    expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual(['things']);
    expect(
      (await client.send(new GetItemCommand({ TableName: 'things', Key: { pk: { S: 'a' } } }))).Item,
    ).toEqual(Item);
    const again = { TableName: 'things', Item, ConditionExpression: 'attribute_not_exists(pk)' };
    await expect(client.send(new PutItemCommand(again))).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: 'The conditional request failed',
    });
    client.destroy();
  });
});
