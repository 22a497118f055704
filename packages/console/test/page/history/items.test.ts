import { itemsIn } from '../../../page/history/items';
import type { HistoryEvent } from '../../../views';

/** Calls of DynamoDB, each with what it asks for and gets: three events each. */
function history(...calls: readonly (readonly [resource: string, request: object, output?: object])[]) {
  return calls.flatMap(([resource, parameters, output], index): HistoryEvent[] => {
    const [id, timestamp] = [index * 3 + 1, 0];
    const details = { resourceType: 'dynamodb', resource };
    const asked = { ...details, parameters: JSON.stringify({ TableName: 'records', ...parameters }) };
    return [
      { id, type: 'TaskScheduled', timestamp, taskScheduledEventDetails: asked },
      { id: id + 1, previousEventId: id, type: 'TaskStarted', timestamp, taskStartedEventDetails: details },
      {
        id: id + 2,
        previousEventId: id + 1,
        type: output === undefined ? 'TaskFailed' : 'TaskSucceeded',
        timestamp,
        taskSucceededEventDetails: { ...details, output: JSON.stringify(output ?? {}) },
      },
    ];
  });
}

const KEY = { idempotencyKey: { S: 'orders#7' } };
const CLAIM = [
  'putItem',
  { Item: { ...KEY, status: { S: 'IN_PROGRESS' }, attempt: { N: '1' } } },
  {},
] as const;
const FINISH = [
  'updateItem',
  {
    Key: KEY,
    UpdateExpression:
      'SET #status = :status, #at = if_not_exists(#at, :at), #expiry = if_not_exists(#expiry, :expiry) REMOVE #error',
    ExpressionAttributeNames: {
      '#status': 'status',
      '#at': 'finishedAt',
      '#expiry': 'expiry',
      '#error': 'error',
    },
    ExpressionAttributeValues: { ':status': { S: 'COMPLETED' }, ':at': { S: 'noon' }, ':expiry': { N: '9' } },
  },
  {},
] as const;

describe('the items of DynamoDB at each event', () => {
  const at = (events: readonly HistoryEvent[], count: number) =>
    (itemsIn(events).at(count) ?? []).map(({ attributes, last, isWhole }) => ({ attributes, last, isWhole }));

  test('a record that was claimed and completed: as it was, forwards and backwards', () => {
    const events = history(CLAIM, FINISH, FINISH);
    const claimed = { idempotencyKey: 'orders#7', status: 'IN_PROGRESS', attempt: '1' };
    const completed = { ...claimed, status: 'COMPLETED', finishedAt: 'noon', expiry: '9' };

    expect(at(events, 2)).toEqual([]);
    expect(at(events, 6)).toEqual([
      { attributes: completed, last: { kind: 'updated', id: 6 }, isWhole: true },
    ]);
    expect(at(events, 5)).toEqual([{ attributes: claimed, last: { kind: 'put', id: 3 }, isWhole: true }]);
    expect(at(events, 9)[0]?.attributes).toEqual(completed);
  });

  test('a write that was rejected: nothing has changed', () => {
    const events = history(CLAIM, ['updateItem', FINISH[1]]);

    expect(at(events, 6)).toEqual(at(events, 3));
  });

  test('what another execution has written: as it was read, and changed from there', () => {
    const read = { Item: { ...KEY, status: { S: 'FAILED' }, error: { S: 'Declined' } } };
    const events = history(['getItem', { Key: KEY }, read], FINISH);

    expect(at(events, 3)).toEqual([
      {
        attributes: { idempotencyKey: 'orders#7', status: 'FAILED', error: 'Declined' },
        last: { kind: 'read', id: 3 },
        isWhole: true,
      },
    ]);
    expect(at(events, 6)[0]?.attributes).not.toHaveProperty('error');
  });

  test.each<[string, object]>([
    ['it was never read', FINISH[1]],
    ['an expression that is not followed', { Key: KEY, UpdateExpression: 'ADD #n :one' }],
  ])('%s: known in part', (_, request) => {
    expect(at(history(['updateItem', request, {}]), 3)[0]?.isWhole).toBe(false);
  });

  test('two keys, deleted and not there: each for itself', () => {
    const other = { idempotencyKey: { S: 'orders#8' } };
    const events = history(
      CLAIM,
      ['deleteItem', { Key: KEY }, {}],
      ['getItem', { Key: other }, {}],
      ['getItem', { Key: KEY }, { Item: KEY }],
    );

    expect(at(events, 6).map(({ attributes }) => attributes)).toEqual([{}]);
    expect(at(events, 12).map(({ last }) => last)).toEqual([
      { kind: 'read', id: 12 },
      { kind: 'read', id: 9 },
    ]);
  });

  test('other calls, and requests that are none: nothing', () => {
    const details = { resourceType: 'dynamodb', resource: 'putItem', parameters: '[1' };
    const events = history(['query', { Key: KEY }, {}]);

    expect(at(events, 3)).toEqual([]);
    expect(
      at([{ id: 1, type: 'TaskScheduled', timestamp: 0, taskScheduledEventDetails: details }], 1),
    ).toEqual([]);
  });
});
