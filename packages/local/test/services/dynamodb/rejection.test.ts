import type { Json } from '../../../json/json';
import { dynamoDbIntegrations } from '../../../services/dynamodb/integrations';
import { rejectionOf } from '../../../services/dynamodb/rejection';
import { memoryTable } from '../../../services/dynamodb/table/memory-table';

const wrong = (type: string, wanted: string) => `The value for the field '${type}' must be a ${wanted}`;

test.each<[Json, string | undefined]>([
  [{ Item: { id: { S: 'a' }, n: { N: 5 } } }, wrong('N', 'STRING')],
  [{ Key: { id: { S: 1 } } }, wrong('S', 'STRING')],
  [{ ExpressionAttributeValues: { ':v': { BOOL: 'true' } } }, wrong('BOOL', 'BOOLEAN')],
  [{ ExclusiveStartKey: { id: { NULL: 1 } } }, wrong('NULL', 'BOOLEAN')],
  [{ Item: { m: { M: { a: { S: 'x' }, n: { N: 1 } } } } }, wrong('N', 'STRING')],
  [{ Item: { l: { L: [{ S: 'x' }, { L: [{ N: 1 }] }] } } }, wrong('N', 'STRING')],
  [{ Item: { id: { S: 'a' }, m: { M: { N: { N: '1' } } }, l: { L: [{ BOOL: true }] } } }, undefined],
  // What DynamoDB says itself.
  [{ Item: null }, undefined],
  [{ Item: { id: { S: null }, a: 'text', b: {}, c: { L: 'x' } } }, undefined],
  [{ Item: { a: { toString: 'x', constructor: 1 } } }, undefined],
  ['text', undefined],
])('%j: whether a call is made', (given, rejection) => {
  expect(rejectionOf(given)).toBe(rejection);
});

test('each integration of a table rejects them, before any call', () => {
  const ask = () => Promise.reject(new Error('asked'));
  const services = [...dynamoDbIntegrations(ask).values(), ...memoryTable('id').values()];

  expect(services.length).toBeGreaterThan(10);
  for (const service of services)
    expect(service.rejectionOf?.({ Key: { id: { S: 1 } } })).toBe(wrong('S', 'STRING'));
});
