import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTimeToLiveCommand,
  GetItemCommand,
  ListTablesCommand,
  ListTagsOfResourceCommand,
  PutItemCommand,
  ScanCommand,
  TagResourceCommand,
  TransactWriteItemsCommand,
  UntagResourceCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { changesIn, journalIn } from '../../../services/dynamodb/journal';
import { cleanUp, closeAll, newPath, open, rejectNextWrite } from '../../state/world';
import { openDatabase } from './database/sdk';

afterEach(cleanUp);

const TABLE = {
  TableName: 'things',
  BillingMode: 'PAY_PER_REQUEST' as const,
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' as const }],
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' as const }],
};
const { TableName } = TABLE;

async function opened(path: string, now = Date.now) {
  const directory = await open(path);
  const made = openDatabase({ journal: journalIn(directory), now });
  made.database.restore(await changesIn(directory));
  return made.client;
}

describe('tables in a state directory', () => {
  test.each(['plain', 'with!mark', '"quoted"', '\ud83d', '\udc00', 'Zürich 🚀', 'a\nb'])(
    'the key %j: there again in the next process',
    async id => {
      const path = newPath();
      const client = await opened(path);
      await client.send(new CreateTableCommand(TABLE));
      await client.send(new PutItemCommand({ TableName, Item: { id: { S: id }, n: { N: '1' } } }));
      await closeAll();

      const again = await opened(path);
      expect((await again.send(new ScanCommand({ TableName }))).Items).toEqual([
        { id: { S: id }, n: { N: '1' } },
      ]);
    },
  );

  test('deleted and made again at once: empty, and readable', async () => {
    const path = newPath();
    const client = await opened(path);
    await client.send(new CreateTableCommand(TABLE));
    await client.send(new PutItemCommand({ TableName, Item: { id: { S: 'old' } } }));
    const deleting = client.send(new DeleteTableCommand({ TableName }));
    const making = client.send(new CreateTableCommand(TABLE));
    await Promise.all([deleting, making]);
    await client.send(new PutItemCommand({ TableName, Item: { id: { S: 'new' } } }));
    await closeAll();

    const again = await opened(path);
    expect((await again.send(new ScanCommand({ TableName }))).Items).toEqual([{ id: { S: 'new' } }]);
  });
});

describe('what is remembered of tables beside their items', () => {
  const ResourceArn = 'arn:aws:dynamodb:us-east-1:111111111111:table/things';

  test('tags and the attribute for expiry: there again in the next process, with the items', async () => {
    const path = newPath();
    const client = await opened(path);
    await client.send(new CreateTableCommand({ ...TABLE, Tags: [{ Key: 'made', Value: 'with it' }] }));
    await client.send(new PutItemCommand({ TableName, Item: { id: { S: 'a' } } }));
    const Tags = ['gone', '__proto__', 'late'].map(Key => ({ Key, Value: '1' }));
    await client.send(new TagResourceCommand({ ResourceArn, Tags }));
    await client.send(new UntagResourceCommand({ ResourceArn, TagKeys: ['gone'] }));
    const TimeToLiveSpecification = { Enabled: true, AttributeName: 'expiry' };
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
    await closeAll();

    const again = await opened(path);
    expect((await again.send(new ListTagsOfResourceCommand({ ResourceArn }))).Tags).toEqual([
      { Key: 'made', Value: 'with it' },
      { Key: '__proto__', Value: '1' },
      { Key: 'late', Value: '1' },
    ]);
    const { TimeToLiveDescription } = await again.send(new DescribeTimeToLiveCommand({ TableName }));
    expect(TimeToLiveDescription).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'expiry' });
    expect((await again.send(new ScanCommand({ TableName }))).Count).toBe(1);
  });

  test('a change of tags that the disk rejects: taken back', async () => {
    const client = await opened(newPath());
    await client.send(new CreateTableCommand(TABLE));
    rejectNextWrite();

    const tag = new TagResourceCommand({ ResourceArn, Tags: [{ Key: 'k', Value: 'v' }] });
    await expect(client.send(tag)).rejects.toThrow();

    expect((await client.send(new ListTagsOfResourceCommand({ ResourceArn }))).Tags).toEqual([]);
  });

  test("a transaction's client token: known to the next process, for ten minutes", async () => {
    const path = newPath();
    let now = 1_000;
    const client = await opened(path, () => now);
    await client.send(new CreateTableCommand(TABLE));
    const increment = () =>
      new TransactWriteItemsCommand({
        ClientRequestToken: 'once',
        TransactItems: [
          {
            Update: {
              TableName,
              Key: { id: { S: 'a' } },
              UpdateExpression: 'ADD n :one',
              ExpressionAttributeValues: { ':one': { N: '1' } },
            },
          },
        ],
      });
    const count = async (from: typeof client) => {
      const { Item } = await from.send(new GetItemCommand({ TableName, Key: { id: { S: 'a' } } }));
      return Item?.['n'];
    };
    await client.send(increment());
    await closeAll();

    const again = await opened(path, () => now);
    now += 9 * 60 * 1000;
    await again.send(increment());
    expect(await count(again)).toEqual({ N: '1' });
    now += 60 * 1000;
    await again.send(increment());
    expect(await count(again)).toEqual({ N: '2' });
  });
});

describe('a write that the disk rejects', () => {
  /** How both have ended, when the disk rejects the write of the first. */
  async function together(requests: readonly Promise<object>[]): Promise<string[]> {
    const ends = await Promise.allSettled(requests);
    return ends.map(({ status }) => status);
  }

  test('a table, with an item on its way behind it: neither is there, and the directory can be read', async () => {
    const path = newPath();
    const client = await opened(path);
    // The client loads what it needs at its first request.
    await client.send(new ListTablesCommand({}));
    rejectNextWrite();

    const put = new PutItemCommand({ TableName, Item: { id: { S: 'a' } } });
    expect(await together([client.send(new CreateTableCommand(TABLE)), client.send(put)])).toEqual([
      'rejected',
      'rejected',
    ]);

    expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual([]);
    await closeAll();
    const again = await opened(path);
    expect((await again.send(new ListTablesCommand({}))).TableNames).toEqual([]);
  });

  test('two changes of an item: the value before both counts', async () => {
    const path = newPath();
    const client = await opened(path);
    await client.send(new CreateTableCommand(TABLE));
    const put = (n: string) => new PutItemCommand({ TableName, Item: { id: { S: 'a' }, n: { N: n } } });
    await client.send(put('1'));
    rejectNextWrite();

    expect(await together([client.send(put('2')), client.send(put('3'))])).toEqual(['rejected', 'rejected']);

    const before = [{ id: { S: 'a' }, n: { N: '1' } }];
    expect((await client.send(new ScanCommand({ TableName }))).Items).toEqual(before);
    await closeAll();
    const again = await opened(path);
    expect((await again.send(new ScanCommand({ TableName }))).Items).toEqual(before);
  });

  test('a table that is deleted, and made anew behind it: the old one is there with its items', async () => {
    const path = newPath();
    const client = await opened(path);
    await client.send(new CreateTableCommand(TABLE));
    await client.send(new PutItemCommand({ TableName, Item: { id: { S: 'old' } } }));
    rejectNextWrite();

    const requests = [
      client.send(new DeleteTableCommand({ TableName })),
      client.send(new CreateTableCommand(TABLE)),
    ];
    expect(await together(requests)).toEqual(['rejected', 'rejected']);

    await closeAll();
    const again = await opened(path);
    expect((await again.send(new ScanCommand({ TableName }))).Items).toEqual([{ id: { S: 'old' } }]);
  });
});
