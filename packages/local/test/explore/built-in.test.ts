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
      /^locks: no execution runs, and the item .* of the table Locks is left, unlike after a run without a fault$/,
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

    expect(violation).toMatchObject({ message: 'ends: an execution runs for ever from here on' });
    expect(violation?.trace).toMatch(/execution 1: FAILED.*\n.*execution 2: RUNNING$/);
  });

  const KINDS = ['lost', 'unreached'] as const;

  test('a retry alone does not help: the owner waits for itself', () => {
    const { violation } = search(lock({ Retry: AGAIN }), { kinds: KINDS, deliveries: 1 });

    expect(violation).toMatchObject({ message: 'ends: an execution runs for ever from here on' });
  });

  test('a retry of the owner: its release, made again, gives back the lock of another', () => {
    const { violation } = search(lock({ Retry: AGAIN, isOwned: true }), { kinds: KINDS });

    expect(violation?.message).toMatch(
      /^puts: "Release" of execution 1 overwrites the item, which another execution has written/,
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

  const READ = task(
    'dynamodb:getItem',
    { ...Locks, Key },
    { Assign: { n: '{% $number($states.result.Item.n.N) %}' }, Next: 'Write' },
  );
  const NEXT_N = { N: '{% $string($n + 1) %}' };
  const SET_N = { UpdateExpression: 'SET n = :next', ExpressionAttributeValues: { ':next': NEXT_N } };
  const PUT_N = { Item: { ...Key, n: NEXT_N, phase: { S: 'new' } } };

  /** Reads the item, and then makes these requests of it. */
  function readThen(...requests: readonly object[]) {
    const states = requests.map((request, index) => {
      const isPut = 'Item' in request;
      const name = index === 0 ? 'Write' : `Write ${index + 1}`;
      const next = index === requests.length - 1 ? { End: true } : { Next: `Write ${index + 2}` };
      const given = { ...Locks, ...(isPut ? {} : { Key }), ...request };
      const Catch = [{ ErrorEquals: ['DynamoDB.ConditionalCheckFailedException'], Next: 'Write' }];
      const more = 'ConditionExpression' in request ? { Catch } : {};
      return [name, task(isPut ? 'dynamodb:putItem' : 'dynamodb:updateItem', given, { ...more, ...next })];
    });
    const items = [{ ...Key, n: { N: '0' }, version: { N: '0' }, most: { N: '9' }, phase: { S: 'new' } }];
    return search(machine({ Read: READ, ...Object.fromEntries(states) }), {
      tables: { Locks: { partitionKey: 'name', items } },
      always: ['puts'],
      faults: 0,
    });
  }

  const value = (name: string, given: object) => ({ ExpressionAttributeValues: { [name]: given } });
  const IF_N = { ConditionExpression: 'n = :n' };
  const N = { N: '{% $string($n) %}' };

  test.each<[string, readonly object[]]>([
    ['as a whole, by two that write the same', [PUT_N]],
    ['in one attribute, by two that write the same', [SET_N]],
    [
      'in one attribute, beside one that goes by the item',
      [{ ...SET_N, UpdateExpression: 'SET n = :next ADD v :next' }],
    ],
    ['from another attribute', [{ UpdateExpression: 'SET n = most' }]],
    [
      'in two requests, of which the first writes something else',
      [{ UpdateExpression: 'REMOVE phase' }, SET_N],
    ],
    ['if it is there', [{ ...SET_N, ConditionExpression: 'attribute_exists(version)' }]],
    [
      'if something is so that nobody has changed',
      [{ ...PUT_N, ConditionExpression: 'attribute_exists(phase)' }],
    ],
    [
      'by a name with a minus',
      [{ ...SET_N, UpdateExpression: 'SET #n = :next', ExpressionAttributeNames: { '#n': 'n-1' } }],
    ],
  ])('an item that is read and written back %s: the write of another execution is lost', (_how, requests) => {
    const { violation } = readThen(...requests);

    expect(violation?.message).toMatch(
      /^puts: "Write( 2)?" of execution \d overwrites .* of the item, which another execution has written since/,
    );
  });

  test.each<[string, readonly object[]]>([
    ['if its value is the one that was read', [{ ...PUT_N, ...IF_N, ...value(':n', N) }]],
    [
      'if its version is the one that was read',
      [
        {
          UpdateExpression: 'SET version = version + :one, n = :next',
          ConditionExpression: 'version = :n',
          ExpressionAttributeValues: { ':one': { N: '1' }, ':next': NEXT_N, ':n': N },
        },
      ],
    ],
    ['by what it has', [{ UpdateExpression: 'SET n = n + :one', ...value(':one', { N: '1' }) }]],
    ['by an addition', [{ UpdateExpression: 'ADD n :one', ...value(':one', { N: '1' }) }]],
    [
      'by a first value',
      [{ UpdateExpression: 'SET a = if_not_exists(a, :one)', ...value(':one', { N: '1' }) }],
    ],
  ])('an item that is read and written %s: no write is lost', (_how, requests) => {
    expect(readThen(...requests)).toMatchObject({ isComplete: true });
  });

  test('a lock that is taken and given back twice: a free one that another had between is taken without a loss', () => {
    const Take = {
      ...Locks,
      Item: { ...Key, owner: OWNER },
      ConditionExpression: 'attribute_not_exists(#name)',
      ExpressionAttributeNames: NAMES,
    };
    const give = (next: object) => task('dynamodb:deleteItem', { ...Locks, Key }, next);
    const twice = machine({
      Take: task('dynamodb:putItem', Take, { Catch: BUSY, Next: 'Give' }),
      Give: give({ Next: 'Take again' }),
      'Take again': task('dynamodb:putItem', Take, { Catch: BUSY, Next: 'Give again' }),
      'Give again': give({ End: true }),
      Wait: { Type: 'Fail' },
    });

    expect(search(twice, { always: ['puts'], faults: 0 })).toMatchObject({ isComplete: true });
  });

  test('a lease that is over: who takes it over by its end loses no write, and the late owner is found', () => {
    const lease = (UpdateExpression: string, ConditionExpression?: string) => ({
      ...Locks,
      Key,
      UpdateExpression,
      ...(ConditionExpression !== undefined && { ConditionExpression }),
      ExpressionAttributeNames: { '#owner': 'owner' },
    });
    const taken = {
      ...lease('SET #owner = :me, ends = :ends', 'attribute_not_exists(ends) OR ends < :now'),
      ExpressionAttributeValues: {
        ':me': OWNER,
        ':now': { N: '{% $string($millis()) %}' },
        ':ends': { N: '{% $string($millis() + 5000) %}' },
      },
    };
    const leased = (Release: object) =>
      machine({
        Take: task('dynamodb:updateItem', taken, { Catch: BUSY, Next: 'Work' }),
        Work: { Type: 'Wait', Seconds: 9, Next: 'Release' },
        Release: task('dynamodb:updateItem', Release, {
          Catch: [{ ErrorEquals: ['DynamoDB.ConditionalCheckFailedException'], Next: 'Done' }],
          Next: 'Done',
        }),
        Wait: { Type: 'Wait', Seconds: 6, Next: 'Take' },
        Done: { Type: 'Succeed' },
      });
    const options: Partial<ExploreOptions> = { always: ['puts'], faults: 0 };
    const owned = {
      ...lease('REMOVE #owner, ends', '#owner = :me'),
      ExpressionAttributeValues: { ':me': OWNER },
    };

    expect(search(leased(owned), options)).toMatchObject({ isComplete: true });
    expect(search(leased(lease('REMOVE #owner, ends')), options).violation?.message).toMatch(
      /^puts: "Release" of execution \d overwrites .* of the item/,
    );
  });

  test('members of one map that different executions write: no write is lost', () => {
    const set = (name: string) => ({
      UpdateExpression: 'SET parts.#part = :done',
      ExpressionAttributeNames: { '#part': name },
      ...value(':done', { S: 'done' }),
    });
    const parts = (name: string) =>
      machine({
        Read: task('dynamodb:getItem', { ...Locks, Key }, { Output: '{% $states.input %}', Next: 'Write' }),
        Write: task('dynamodb:updateItem', { ...Locks, Key, ...set(name) }, { End: true }),
      });
    const items = [{ ...Key, parts: { M: {} } }];
    const options: Partial<ExploreOptions> = {
      inputs: [{ part: 'a' }, { part: 'b' }],
      tables: { Locks: { partitionKey: 'name', items } },
      always: ['puts'],
      deliveries: 1,
      faults: 0,
    };

    expect(search(parts('{% $states.input.part %}'), options)).toMatchObject({ isComplete: true });
    expect(search(parts('all'), options).violation?.message).toContain('overwrites parts.all of the item');
  });

  test('an attribute that was not read: the last write of it wins', () => {
    const phase = machine({
      Read: task('dynamodb:getItem', { ...Locks, Key, ProjectionExpression: 'n' }, { Next: 'Write' }),
      Write: task(
        'dynamodb:updateItem',
        { ...Locks, Key, UpdateExpression: 'SET phase = :new', ...value(':new', { S: 'new' }) },
        { End: true },
      ),
    });
    const tables = { Locks: { partitionKey: 'name' } };

    expect(search(phase, { tables, always: ['puts'], faults: 0 })).toMatchObject({ isComplete: true });
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
