import path from 'node:path';
import { ClassicLevel } from 'classic-level';
import { DurableStore } from '../../state/durable-store';
import { PersistentValues } from '../../state/persistent-values';
import { WriteBehind } from '../../state/write-behind';
import { WriteQueue } from '../../state/write-queue';
import { cleanUp, event, execution, machine, newPath, revisions } from './world';

afterEach(cleanUp);

/** A store whose next write the database refuses as often as `refuse` was called. */
async function refusing(directory: string) {
  const db = new ClassicLevel(path.join(directory, 'db'));
  const queue = new WriteQueue(db);
  await queue.missing();
  const store = new DurableStore(db, queue);
  await store.load(revisions());
  const batch = jest.spyOn(db, 'batch') as unknown as jest.SpyInstance<Promise<void>>;
  const close = async () => {
    await store.close();
    await db.close();
  };
  const values = new WriteBehind(new PersistentValues('message', db, queue));
  return { store, values, close, refuse: () => batch.mockRejectedValueOnce(new Error('full')) };
}

describe('a write that the database refuses', () => {
  const choice = { machine: machine() };

  test('of a new execution: refused, it was never there, and its name is free', async () => {
    const directory = newPath();
    const { store, close, refuse } = await refusing(directory);
    refuse();

    await expect(store.create(choice, execution('a'))).rejects.toThrow('full');

    expect(store.find(execution('a').arn)).toBeUndefined();
    await store.create(choice, execution('a'));
    await close();
    const again = await refusing(directory);
    expect(again.store.list(choice.machine.arn)).toHaveLength(1);
    await again.close();
  });

  test('of a state: refused, and the one before counts, also later', async () => {
    const directory = newPath();
    const { store, close, refuse } = await refusing(directory);
    await store.create(choice, execution('a'));
    refuse();

    await expect(store.save(execution('a', 1), [event(1)])).rejects.toThrow('full');

    expect(store.find(execution('a').arn)).toMatchObject({ execution: { lastEventId: 0 }, history: [] });
    await close();
    const again = await refusing(directory);
    expect(again.store.find(execution('a').arn)).toMatchObject({
      execution: { lastEventId: 0 },
      history: [],
    });
    await again.close();
  });
});

describe('a write of data in memory that the database refuses', () => {
  async function written(db: string): Promise<unknown> {
    const { values, close } = await refusing(db);
    await values.written();
    const again = new ClassicLevel(path.join(db, 'db'));
    await close();
    const stored = await again.values({ gt: 'message!', lt: 'message"' }).all();
    await again.close();
    return stored.map(value => JSON.parse(value.slice(17)));
  }

  test('refused, and made again by whoever waits next', async () => {
    const directory = newPath();
    const { values, close, refuse } = await refusing(directory);
    refuse();
    values.write([{ key: 'a', value: { n: 1 } }]);

    await expect(values.written()).rejects.toThrow('full');

    await expect(values.written()).resolves.toBeUndefined();
    await close();
    expect(await written(directory)).toEqual([{ n: 1 }]);
  });

  test('replaced meanwhile: the later value counts', async () => {
    const directory = newPath();
    const { values, close, refuse } = await refusing(directory);
    refuse();
    values.write([{ key: 'a', value: { n: 1 } }]);
    values.write([{ key: 'a', value: { n: 2 } }]);
    await values.written();
    values.write([{ key: 'b', value: { n: 3 } }]);
    await values.written();

    await close();
    expect(await written(directory)).toEqual([{ n: 2 }, { n: 3 }]);
  });
});

test('a write that begins when the store is closed: never ends, as if the process had', async () => {
  const { store } = await refusing(newPath());
  await store.create({ machine: machine() }, execution('a'));
  await store.close();
  const ends: unknown[] = [];
  const end = () => ends.push('ended');

  store.create({ machine: machine() }, execution('b')).then(end, end);
  store.save(execution('a', 1), [event(1)]).then(end, end);
  for (let turn = 0; turn < 10; turn += 1) await new Promise(resolve => setImmediate(resolve));

  expect(ends).toEqual([]);
  expect(store.find(execution('b').arn)).toBeUndefined();
});
