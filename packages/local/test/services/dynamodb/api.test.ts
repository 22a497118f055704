import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import {
  CreateBackupCommand,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ExecuteStatementCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { openDatabase } from '../../../services/dynamodb/service';
import { type ApiWorld, openApi } from '../../api/test-endpoint';

const ENVIRONMENT = { region: 'eu-west-1', account: '222222222222' };
const TABLE = {
  TableName: 'things',
  BillingMode: 'PAY_PER_REQUEST' as const,
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' as const }],
};

let world: ApiWorld;
let client: DynamoDBClient;

beforeAll(async () => {
  const database = await openDatabase([TABLE], { ...ENVIRONMENT, now: Date.now });
  world = await openApi({ dynamoDb: database });
  const credentials = { accessKeyId: 'x', secretAccessKey: 'y' };
  client = new DynamoDBClient({ endpoint: world.api.endpoint, region: ENVIRONMENT.region, credentials });
});

afterAll(async () => {
  client.destroy();
  await world.close();
});

/** The names of the headers of an answer as they came, each as often as it came. */
function headersOf(operation: string): Promise<string[]> {
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `DynamoDB_20120810.${operation}`,
    'x-amz-date': '20260101T000000Z',
    authorization: 'AWS4-HMAC-SHA256 Credential=x, SignedHeaders=host, Signature=x',
  };
  return new Promise((resolve, reject) => {
    const sent = request(world.api.endpoint, { method: 'POST', headers }, response => {
      response.resume();
      const names = response.rawHeaders.filter((_, index) => index % 2 === 0);
      response.on('end', () => resolve(names.map(name => name.toLowerCase())));
    });
    sent.on('error', reject);
    sent.end('{}');
  });
}

describe('DynamoDB on the endpoint', () => {
  test.each(['ListTables', 'TransactWriteItems', 'Nope'])('%s: one request id', async operation => {
    const names = await headersOf(operation);

    expect(names.filter(name => name === 'x-amzn-requestid')).toHaveLength(1);
  });

  test('the ARN of a table: of the region and account of the stack', async () => {
    const TableArn = (name: string) => `arn:aws:dynamodb:eu-west-1:222222222222:table/${name}`;
    const made = await client.send(new CreateTableCommand({ ...TABLE, TableName: 'more' }));

    expect(made.TableDescription?.TableArn).toBe(TableArn('more'));
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'things' }));
    expect(Table?.TableArn).toBe(TableArn('things'));
    expect(process.env['AWS_ACCOUNT_ID']).toBeUndefined();
  });

  test('a member that nothing reads, nested too deep to be written again: rejected, and no table is made', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { TableName, ...others } = { ...TABLE, TableName: 'deep' };
    const body = `{"SSESpecification":${deep},"TableName":"${TableName}",${JSON.stringify(others).slice(1)}`;
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.CreateTable',
      authorization: 'AWS4-HMAC-SHA256 Credential=x, SignedHeaders=host, Signature=x',
    };

    const response = await fetch(world.api.endpoint, { method: 'POST', headers, body });

    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('SerializationException'),
    ]);
    await expect(client.send(new DescribeTableCommand({ TableName }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });

  test('bytes that are no UTF-8: rejected, and not kept as something else', async () => {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.PutItem',
      authorization: 'AWS4-HMAC-SHA256 Credential=x, SignedHeaders=host, Signature=x',
    };
    const [before, after] = ['{"TableName":"things","Item":{"pk":{"S":"', '"}}}'];
    const body = Buffer.from([...Buffer.from(before), 0xff, ...Buffer.from(after)]);

    const response = await fetch(world.api.endpoint, { method: 'POST', headers, body });

    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('SerializationException'),
    ]);
    const { Count } = await client.send(new ScanCommand({ TableName: 'things' }));
    expect(Count).toBe(0);
  });

  test.each([
    ['ExecuteStatement', () => client.send(new ExecuteStatementCommand({ Statement: 'select' }))],
    ['CreateBackup', () => client.send(new CreateBackupCommand({ TableName: 'things', BackupName: 'b' }))],
  ])('%s, which is not there: rejected by name', async (operation, send) => {
    await expect(send()).rejects.toMatchObject({
      name: 'UnsupportedOperationException',
      message: `${operation} is not supported by the local DynamoDB`,
      $metadata: { httpStatusCode: 400 },
    });
  });
});

describe('a compressed request', () => {
  const item = { pk: { S: 'compressed' }, text: { S: 'x'.repeat(10_000) } };
  const payload = JSON.stringify({ TableName: 'things', Item: item });
  const whole = gzipSync(payload);
  const halves = Buffer.concat([gzipSync(payload.slice(0, 10)), gzipSync(payload.slice(10))]);

  async function statusOf(body: Uint8Array, encoding: string): Promise<number> {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.PutItem',
      authorization: 'AWS4-HMAC-SHA256 Credential=x',
      'content-encoding': encoding,
    };
    return (await fetch(world.api.endpoint, { method: 'POST', headers, body })).status;
  }

  test.each([
    ['whole', whole, 200],
    ['in two parts', halves, 200],
    ['without its last byte', whole.subarray(0, -1), 500],
    ['empty', Buffer.alloc(0), 500],
    ['that is not compressed', Buffer.from(payload), 500],
  ])('%s: status %3$i', async (_case, body, status) => {
    expect(await statusOf(body, 'gzip')).toBe(status);
  });

  test('in an encoding that is not there: not carried out', async () => {
    expect(await statusOf(whole, 'garbage')).toBe(500);
  });
});
