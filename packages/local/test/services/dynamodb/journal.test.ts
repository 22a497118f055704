import {
  CreateTableCommand,
  DeleteTableCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { changesIn, journalIn } from '../../../services/dynamodb/journal';
import { cleanUp, closeAll, newPath, open } from '../../state/world';
import { openDatabase } from './database/sdk';

afterEach(cleanUp);

const TABLE = {
  TableName: 'things',
  BillingMode: 'PAY_PER_REQUEST' as const,
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' as const }],
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' as const }],
};
const { TableName } = TABLE;

async function opened(path: string) {
  const directory = await open(path);
  const made = openDatabase({ journal: journalIn(directory) });
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
