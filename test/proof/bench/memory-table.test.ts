import type { JsonObject } from '../../../packages/local/json/json';
import { memoryTable } from '../../../proof/bench/memory-table';

/** One table, called as a Task state calls it. */
function tableOf() {
  const services = memoryTable('id');
  return async (operation: string, request: object) => {
    const service = services.get(`dynamodb:${operation}`);
    if (!service) throw new Error(`no ${operation}`);
    const call = {
      resource: `dynamodb:${operation}`,
      arguments: request as JsonObject,
      executionArn: '',
      stateName: '',
      retryCount: 0,
    };
    const result = await service.call(call, new AbortController().signal);
    return result.kind === 'failed' ? result.error : result.kind === 'succeeded' && result.output;
  };
}

const REFUSED = 'DynamoDB.ConditionalCheckFailedException';
const KEY = { id: { S: 'a' } };
const ITEM = { ...KEY, owner: { S: 'me' }, expiry: { N: '100' } };

describe('the table of the bench', () => {
  test.each<[string, string, object, boolean]>([
    ['attribute_not_exists of one that is there: refused', 'attribute_not_exists(id)', {}, false],
    ['attribute_not_exists of one that is not: taken', 'attribute_not_exists(other)', {}, true],
    ['equal: taken', '#owner = :v', { ':v': { S: 'me' } }, true],
    ['not equal: refused', '#owner = :v', { ':v': { S: 'you' } }, false],
    ['a number at the bound: taken', 'expiry <= :v', { ':v': { N: '100' } }, true],
    ['a number above the bound: refused', 'expiry <= :v', { ':v': { N: '99' } }, false],
    ['numbers are no texts: 100 is above 99', 'expiry <= :v', { ':v': { N: '1000' } }, true],
    ['a missing attribute under a bound: refused', 'other <= :v', { ':v': { N: '1' } }, false],
    ['AND binds closer than OR', 'id = :no AND id = :no OR #owner = :v', { ':v': { S: 'me' } }, true],
    ['parentheses', 'id = :no AND (id = :no OR #owner = :v)', { ':v': { S: 'me' } }, false],
  ])('%s', async (_title, condition, values, isTaken) => {
    const call = tableOf();
    await call('putItem', { Item: ITEM });

    const answer = await call('putItem', {
      Item: ITEM,
      ConditionExpression: condition,
      ExpressionAttributeNames: { '#owner': 'owner' },
      ExpressionAttributeValues: values,
    });

    expect(answer === REFUSED).toBe(!isTaken);
  });

  test('if_not_exists: sets what is not there, keeps what is', async () => {
    const call = tableOf();
    await call('putItem', { Item: ITEM });

    await call('updateItem', {
      Key: KEY,
      UpdateExpression: 'SET owner = if_not_exists(owner, :v), other = if_not_exists(other, :v)',
      ExpressionAttributeValues: { ':v': { S: 'new' } },
    });

    expect(await call('getItem', { Key: KEY })).toMatchObject({
      Item: { owner: { S: 'me' }, other: { S: 'new' } },
    });
  });

  test('an update: sets and removes, and the next get sees it', async () => {
    const call = tableOf();
    await call('putItem', { Item: ITEM });

    await call('updateItem', {
      Key: KEY,
      UpdateExpression: 'SET #done = :yes, owner = :you REMOVE expiry, other',
      ExpressionAttributeNames: { '#done': 'done' },
      ExpressionAttributeValues: { ':yes': { BOOL: true }, ':you': { S: 'you' } },
    });

    expect(await call('getItem', { Key: KEY })).toMatchObject({
      Item: { id: { S: 'a' }, done: { BOOL: true }, owner: { S: 'you' } },
    });
    expect(await call('getItem', { Key: { id: { S: 'b' } } })).not.toHaveProperty('Item');
  });

  test('a refused write: changes nothing', async () => {
    const call = tableOf();
    await call('putItem', { Item: ITEM });

    const update = { Key: KEY, UpdateExpression: 'SET owner = :you', ConditionExpression: 'owner = :you' };
    const answer = await call('updateItem', {
      ...update,
      ExpressionAttributeValues: { ':you': { S: 'you' } },
    });

    expect(answer).toBe(REFUSED);
    expect(await call('getItem', { Key: KEY })).toMatchObject({ Item: ITEM });
  });

  test.each([['size(id) > :v'], ['id <> :v'], ['id = :v )'], ['(id = :v']])(
    '%s: not known, and said so',
    async condition => {
      const call = tableOf();

      await expect(call('putItem', { Item: ITEM, ConditionExpression: condition })).rejects.toThrow(
        'does not know',
      );
    },
  );

  test('an update that is not known: said so', async () => {
    const update = {
      Key: KEY,
      UpdateExpression: 'ADD n :v',
      ExpressionAttributeValues: { ':v': { N: '1' } },
    };

    await expect(tableOf()('updateItem', update)).rejects.toThrow('does not know');
  });
});
