import { type BuiltInInvariant, type ExploreOptions, explore, replay } from '../../explore/explore';
import type { JsonObject } from '../../json/json';

const ALWAYS: readonly BuiltInInvariant[] = ['ends', 'locks', 'puts'];
const task = (call: string, Arguments: object, more: object) => ({
  Type: 'Task',
  Resource: `arn:aws:states:::${call}`,
  Arguments,
  ...more,
});
const machine = (states: object) =>
  ({ QueryLanguage: 'JSONata', StartAt: Object.keys(states)[0], States: states }) as JsonObject;

const Locks = { TableName: 'Locks' };
const Key = { name: { S: 'import' } };
const WORK = task('lambda:invoke', { FunctionName: 'import' }, { Next: 'Release' });
const AGAIN = [{ ErrorEquals: ['DynamoDB.SdkClientException', 'Lambda.SdkClientException'] }];
const BUSY = [{ ErrorEquals: ['DynamoDB.ConditionalCheckFailedException'], Next: 'Wait' }];

const OWNER = { S: '{% $states.context.Execution.Id %}' };
const NAMES = { '#name': 'name' };
const BY_OWNER = {
  ExpressionAttributeNames: { ...NAMES, '#owner': 'owner' },
  ExpressionAttributeValues: { ':me': OWNER },
};

/** A lock as published examples have it: taken by a conditional write, waited for, given back at the end. */
function lock({
  Retry = [] as readonly object[],
  isOwned = false,
  isOwnedToTheEnd = false,
} = {}): JsonObject {
  const free = 'attribute_not_exists(#name)';
  const put = {
    ...Locks,
    Item: { ...Key, owner: OWNER },
    ConditionExpression: isOwned ? `${free} OR #owner = :me` : free,
    ...(isOwned ? BY_OWNER : { ExpressionAttributeNames: NAMES }),
  };
  const own = {
    ConditionExpression: '#owner = :me',
    ExpressionAttributeNames: { '#owner': 'owner' },
    ExpressionAttributeValues: { ':me': OWNER },
  };
  const Catch = [{ ErrorEquals: ['DynamoDB.ConditionalCheckFailedException'], Next: 'Done' }];
  return machine({
    Acquire: task('dynamodb:putItem', put, { Retry, Catch: BUSY, Next: 'Work' }),
    Wait: { Type: 'Wait', Seconds: 5, Next: 'Acquire' },
    Work: { ...WORK, Retry },
    Release: isOwnedToTheEnd
      ? task('dynamodb:deleteItem', { ...Locks, Key, ...own }, { Retry, Catch, Next: 'Done' })
      : task('dynamodb:deleteItem', { ...Locks, Key }, { Retry, Next: 'Done' }),
    Done: { Type: 'Succeed' },
  });
}

function search(definition: JsonObject, more: Partial<ExploreOptions> = {}) {
  const tables = { Locks: { partitionKey: 'name' } };
  return explore({ definition, inputs: [{}], tables, always: ALWAYS, ...more });
}

describe('what must hold of any workflow', () => {
  test('a lock: one lost answer leaves it, found in four states', () => {
    const { states, violation } = search(lock(), { deliveries: 1 });

    expect(states).toBe(4);
    expect(violation?.interleaving).toEqual([
      'the input is delivered: execution 1',
      'execution 1: "Acquire" is called, its answer is lost',
    ]);
    expect(violation?.message).toMatch(
      /^no execution runs, and the item .* of the table Locks is left, unlike after a run without a fault$/,
    );
    const options = {
      definition: lock(),
      inputs: [{}],
      tables: { Locks: { partitionKey: 'name' } },
      always: ALWAYS,
    };
    expect(replay(options, violation?.interleaving ?? []).violation?.message).toBe(violation?.message);
  });

  test('a lock that is left: who waits for it runs for ever', () => {
    const { violation } = search(lock(), { always: ['ends'] });

    expect(violation).toMatchObject({ message: 'an execution runs for ever from here on' });
    expect(violation?.trace).toMatch(/execution 1: FAILED.*\n.*execution 2: RUNNING$/);
  });

  const KINDS = ['lost', 'unreached'] as const;

  test('a retry alone does not help: the owner waits for itself', () => {
    const { violation } = search(lock({ Retry: AGAIN }), { kinds: KINDS, deliveries: 1 });

    expect(violation).toMatchObject({ message: 'an execution runs for ever from here on' });
  });

  test('a retry of the owner: its release, made again, gives back the lock of another', () => {
    const { violation } = search(lock({ Retry: AGAIN, isOwned: true }), { kinds: KINDS });

    expect(violation?.message).toMatch(
      /^"Release" of execution 1 overwrites what another execution has written/,
    );
  });

  test('an owner to the end: all holds if answers and requests are lost, and not if the owner is stopped', () => {
    const owned = lock({ Retry: AGAIN, isOwned: true, isOwnedToTheEnd: true });

    const found = search(owned, { kinds: KINDS });
    expect(found.violation?.trace).toBeUndefined();
    expect(found).toMatchObject({ isComplete: true, neverEntered: [] });
    expect(search(owned, { kinds: ['stopped'] }).violation?.message).toContain('is left');
  });

  test('without a fault all holds', () => {
    expect(search(lock(), { faults: 0 })).toMatchObject({ isComplete: true, neverEntered: [] });
  });

  test('a semaphore that counts: what an execution has not given back is found by its value', () => {
    const add = (by: string) => ({
      ...Locks,
      Key,
      UpdateExpression: 'ADD held :by',
      ExpressionAttributeValues: { ':by': { N: by } },
    });
    const semaphore = machine({
      Acquire: task('dynamodb:updateItem', add('1'), { Next: 'Work' }),
      Work: WORK,
      Release: task('dynamodb:updateItem', add('-1'), { End: true }),
    });
    const items = [{ ...Key, held: { N: '0' } }];
    const tables = { Locks: { partitionKey: 'name', items } };

    const { violation } = search(semaphore, { tables });
    expect(violation?.message).toContain('has held as {"N":"1"} instead of {"N":"0"}');
  });

  test('an item that is read and written back: the write of another execution is lost', () => {
    const read = task(
      'dynamodb:getItem',
      { ...Locks, Key },
      { Assign: { n: '{% $number($states.result.Item.n.N) %}' }, Next: 'Write' },
    );
    const put = { ...Locks, Item: { ...Key, n: { N: '{% $string($n + 1) %}' } } };
    const write = (more: object) => task('dynamodb:putItem', { ...put, ...more }, { End: true });
    const items = [{ ...Key, n: { N: '0' } }];
    const options: Partial<ExploreOptions> = {
      tables: { Locks: { partitionKey: 'name', items } },
      always: ['puts'],
      deliveries: 3,
      faults: 0,
    };

    const { violation } = search(machine({ Read: read, Write: write({}) }), options);
    expect(violation?.message).toMatch(
      /^"Write" of execution \d overwrites what another execution has written/,
    );

    const conditional = write({
      ConditionExpression: 'n = :n',
      ExpressionAttributeValues: { ':n': { N: '{% $string($n) %}' } },
    });
    expect(search(machine({ Read: read, Write: conditional }), options)).toMatchObject({ isComplete: true });
  });

  test('a workflow that looks at the clock: two moments are not taken for one', () => {
    const lease = machine({
      Wait: { Type: 'Wait', Seconds: 60, Next: 'Over?' },
      'Over?': {
        Type: 'Choice',
        Choices: [{ Condition: "{% $millis() > $toMillis('2026-01-01T00:05:00Z') %}", Next: 'Done' }],
        Default: 'Wait',
      },
      Done: { Type: 'Succeed' },
    });

    expect(search(lease, { always: ['ends'], faults: 0, deliveries: 1 })).toMatchObject({ isComplete: true });
    expect(search(lease, { always: ['ends'], faults: 0, deliveries: 1 }).violation).toBeUndefined();
  });

  test.each([
    [{ always: ['lock'] }, '`always` is a list of ends, locks, puts'],
    [{ always: [] }, '`invariant` is a function of what there is'],
    [{ kinds: ['late'] }, '`kinds` is a list of lost, unreached, stopped, slow'],
  ])('%j is rejected', (more, message) => {
    expect(() => search(lock(), more as never)).toThrow(message);
  });
});
