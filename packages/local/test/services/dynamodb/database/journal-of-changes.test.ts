import {
  BatchGetItemCommand,
  DeleteTableCommand,
  PutItemCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Change } from '../../../../services/dynamodb/database/change';
import type { Journal } from '../../../../services/dynamodb/database/database';
import { openDatabase } from './sdk';
import { get, put, TableName, withTable } from './things';

describe('a journal', () => {
  test('an answer comes when its write is kept; a read waits for what it has seen', async () => {
    const order: string[] = [];
    const writes: (() => void)[] = [];
    const journal = () => new Promise<void>(resolve => writes.push(resolve));
    const { client } = openDatabase({ journal });
    const made = withTable(client);
    await until(() => writes.length === 1);
    writes[0]?.();
    await made;

    const writing = client.send(put('a')).then(() => order.push('written'));
    await until(() => writes.length === 2);
    const reading = client.send(get('a')).then(({ Item }) => order.push(Item ? 'read' : 'not there'));
    await turn();
    expect(order).toEqual([]);
    writes[1]?.();
    await Promise.all([writing, reading]);

    expect(order.sort()).toEqual(['read', 'written']);
  });

  test('one that fails: the write is taken back and the answer is an error of the server', async () => {
    let fails = false;
    const journal: Journal = async (_changes, takeBack) => {
      if (!fails) return;
      takeBack?.();
      throw new Error('no space left on device');
    };
    const client = await withTable(openDatabase({ journal }).client);
    await client.send(put('a', { n: { N: '1' } }));
    fails = true;
    const update = {
      TableName,
      Key: { id: { S: 'a' } },
      UpdateExpression: 'SET n = :n',
      ExpressionAttributeValues: { ':n': { N: '2' } },
    };

    await expect(client.send(new UpdateItemCommand(update))).rejects.toMatchObject({
      name: 'InternalServerError',
    });
    fails = false;
    expect((await client.send(get('a'))).Item).toEqual({ id: { S: 'a' }, n: { N: '1' } });
  });

  test('a rejection waits for the write that it tells of, and shares its failure', async () => {
    const writes: { keep: () => void; fail: (error: Error) => void }[] = [];
    const journal: Journal = (_changes, takeBack) =>
      new Promise((keep, reject) => {
        const fail = (error: Error) => {
          takeBack?.();
          reject(error);
        };
        writes.push({ keep, fail });
      });
    const { client } = openDatabase({ journal });
    const made = withTable(client);
    await until(() => writes.length === 1);
    writes[0]?.keep();
    await made;
    const claim = () =>
      client.send(
        new PutItemCommand({
          TableName,
          Item: { id: { S: 'a' } },
          ConditionExpression: 'attribute_not_exists(id)',
        }),
      );
    const ends: string[] = [];
    const outcome = (claimed: Promise<object>) =>
      claimed.then(
        () => ends.push('claimed'),
        (error: Error) => ends.push(error.name),
      );

    const both = [outcome(claim()), outcome(claim())];
    await until(() => writes.length === 2);
    await turn();
    expect(ends).toEqual([]);
    writes[1]?.fail(new Error('no space left on device'));
    await Promise.all(both);

    expect(ends).toEqual(['InternalServerError', 'InternalServerError']);
    const again = outcome(claim());
    await until(() => writes.length === 3);
    writes[2]?.keep();
    await again;
    expect(ends.at(-1)).toBe('claimed');
  });

  test('a table that is taken back when another has its name: the other one stays', async () => {
    const takeBacks: (() => void)[] = [];
    const journal: Journal = async (_changes, takeBack) => {
      if (takeBack) takeBacks.push(takeBack);
    };
    const client = await withTable(openDatabase({ journal }).client);
    await client.send(new DeleteTableCommand({ TableName }));
    await withTable(client);
    await client.send(put('new'));

    // Neither making nor deleting the first one.
    for (const takeBack of takeBacks.slice(0, 2)) takeBack();

    expect((await client.send(new ScanCommand({ TableName }))).Items).toEqual([{ id: { S: 'new' } }]);
  });

  test('a table that is deleted: its items are, too, before it', async () => {
    const kept: Change[] = [];
    const journal = async (changes: readonly Change[]) => {
      kept.push(...changes);
    };
    const client = await withTable(openDatabase({ journal }).client);
    await client.send(put('a'));
    kept.length = 0;

    await client.send(new DeleteTableCommand({ TableName }));

    expect(kept).toEqual([
      { kind: 'item', table: TableName, key: 'a', item: undefined },
      { kind: 'noTable', table: TableName },
    ]);
  });

  test('what was kept: the same database again', async () => {
    const kept: Change[] = [];
    const journal = async (changes: readonly Change[]) => {
      kept.push(...changes);
    };
    const first = await withTable(openDatabase({ journal }).client);
    await first.send(put('a'));
    await first.send(put('b'));
    await first.send(
      new TransactWriteItemsCommand({ TransactItems: [{ Delete: { TableName, Key: { id: { S: 'a' } } } }] }),
    );

    const { database, client } = openDatabase();
    database.restore(JSON.parse(JSON.stringify(kept)));

    expect((await client.send(new ScanCommand({ TableName }))).Items).toEqual([{ id: { S: 'b' } }]);
    const Keys = [{ id: { S: 'b' } }, { id: { S: 'a' } }];
    const { Responses } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys } } }),
    );
    expect(Responses?.[TableName]).toEqual([{ id: { S: 'b' } }]);
  });
});

function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}

/** Waits until something has come about: the first call of a client loads what it needs. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}
