import path from 'node:path';
import { ClassicLevel } from 'classic-level';
import { DurableStore } from '../../state/durable-store';
import { loadValues, type ValueChange } from '../../state/persistent-values';
import { WriteBehind } from '../../state/write-behind';
import { WriteQueue } from '../../state/write-queue';
import { cleanUp, event, execution, machine, newPath, revisions } from './world';

afterEach(cleanUp);

/** A store on a disk that fails on demand. */
async function rejecting(directory: string) {
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
  return {
    db,
    queue,
    store,
    values: new WriteBehind(queue),
    close,
    /** The next write as often as this is called. */
    reject: () => batch.mockRejectedValueOnce(new Error('full')),
    /** The next write cannot be waited for: it fails, and is there when the database is opened again. */
    rejectLate() {
      const open = db.open.bind(db);
      batch.mockImplementationOnce(async (...written: readonly unknown[]) => {
        jest.spyOn(db, 'open').mockImplementationOnce(async () => {
          await open();
          await (db.batch as (...args: readonly unknown[]) => Promise<void>)(...written);
        });
        throw new Error('not synced');
      });
    },
  };
}

function message(key: string, n: number): ValueChange {
  return { kind: 'message', key, value: { n } };
}

/** What the next process finds of messages. */
async function stored(directory: string): Promise<unknown[]> {
  const db = new ClassicLevel(path.join(directory, 'db'));
  const values = await loadValues(db, 'message');
  await db.close();
  return values.map(([, value]) => value);
}

describe('a write that the database rejects', () => {
  const choice = { machine: machine() };

  test('of a new execution: rejected, it was never there, and its name is free', async () => {
    const directory = newPath();
    const { store, close, reject } = await rejecting(directory);
    reject();

    await expect(store.create(choice, execution('a'))).rejects.toThrow('full');

    expect(store.find(execution('a').arn)).toBeUndefined();
    await store.create(choice, execution('a'));
    await close();
    const again = await rejecting(directory);
    expect(again.store.list(choice.machine.arn)).toHaveLength(1);
    await again.close();
  });

  test('of a state: rejected, and the one before counts, also later', async () => {
    const directory = newPath();
    const { store, close, reject } = await rejecting(directory);
    await store.create(choice, execution('a'));
    reject();

    await expect(store.save(execution('a', 1), [event(1)])).rejects.toThrow('full');

    expect(store.find(execution('a').arn)).toMatchObject({ execution: { lastEventId: 0 }, history: [] });
    await close();
    const again = await rejecting(directory);
    expect(again.store.find(execution('a').arn)).toMatchObject({
      execution: { lastEventId: 0 },
      history: [],
    });
    await again.close();
  });

  test('whole in the file, but not on the disk: taken back before the next write, so that its name is taken once', async () => {
    const directory = newPath();
    const { store, close, rejectLate } = await rejecting(directory);
    await store.create(choice, execution('before'));
    rejectLate();

    await expect(store.create(choice, execution('a'))).rejects.toThrow('not synced');

    await store.create(choice, execution('a'));
    await store.create(choice, execution('b'));
    await close();
    const again = await rejecting(directory);
    const names = [...again.store.all()].map(({ execution: { name } }) => name);
    expect(names).toEqual(['before', 'a', 'b']);
    await again.close();
  });

  test('whole in the file: a value that it had replaced is as before', async () => {
    const directory = newPath();
    const { store, values, close, rejectLate } = await rejecting(directory);
    await store.create(choice, execution('a'));
    rejectLate();
    await expect(store.save(execution('a', 1), [event(1)])).rejects.toThrow('not synced');
    values.write([message('m', 1)]);
    await values.written();

    await close();
    const again = await rejecting(directory);
    expect(again.store.find(execution('a').arn)?.execution.lastEventId).toBe(0);
    await again.close();
  });

  test('others behind it: rejected, too, and taken back the last first before any caller gets its answer', async () => {
    const { queue, close, reject } = await rejecting(newPath());
    const order: string[] = [];
    const write = (name: string) =>
      queue
        .write([{ type: 'put', key: name, value: '' }], () => order.push(`${name} is taken back`))
        .catch(() => order.push(`${name} is rejected`));
    reject();

    await Promise.all(['a', 'b', 'c'].map(write));

    expect(order.slice(0, 3)).toEqual(['c is taken back', 'b is taken back', 'a is taken back']);
    expect(order.slice(3).sort()).toEqual(['a is rejected', 'b is rejected', 'c is rejected']);
    await close();
  });
});

describe('a write of data in memory that the database rejects', () => {
  test('rejected, and made again by the next that waits', async () => {
    const directory = newPath();
    const { values, close, reject } = await rejecting(directory);
    reject();
    values.write([message('a', 1)]);

    await expect(values.written()).rejects.toThrow('full');

    await expect(values.written()).resolves.toBeUndefined();
    await close();
    expect(await stored(directory)).toEqual([{ n: 1 }]);
  });

  test('replaced meanwhile: the later value counts', async () => {
    const directory = newPath();
    const { values, close, reject } = await rejecting(directory);
    reject();
    values.write([message('a', 1)]);
    values.write([message('a', 2)]);
    await expect(values.written()).rejects.toThrow('full');
    values.write([message('b', 3)]);
    await values.written();

    await close();
    expect(await stored(directory)).toEqual([{ n: 2 }, { n: 3 }]);
  });

  test('of one kind, and another is written next: both or none', async () => {
    const { db, values, close, reject } = await rejecting(newPath());
    reject();
    values.write([{ kind: 'queue', key: 'q', value: {} }]);
    await expect(values.written()).rejects.toThrow('full');
    reject();
    values.write([message('q!1', 1)]);
    await expect(values.written()).rejects.toThrow('full');

    values.write([message('q!2', 2)]);
    await values.written();

    const keys = await db.keys().all();
    expect(keys.filter(key => !key.startsWith('write!'))).toEqual(['message!q!1', 'message!q!2', 'queue!q']);
    expect(keys.filter(key => key.startsWith('write!'))).toHaveLength(1);
    await close();
  });
});

describe('a write when everything is closed', () => {
  test('of executions: never ends, as if the process had', async () => {
    const { store } = await rejecting(newPath());
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

  test('of values, after one that failed: rejected by name, and the database stays closed', async () => {
    const { db, values, close, reject } = await rejecting(newPath());
    reject();
    values.write([message('a', 1)]);
    await expect(values.written()).rejects.toThrow('full');
    await close();

    values.write([message('b', 2)]);

    await expect(values.written()).rejects.toMatchObject({
      name: 'StateDirectoryClosed',
      message: 'the state directory is closed: nothing is written to it any more',
    });
    expect(db.status).toBe('closed');
  });
});

describe('the numbers of writes', () => {
  async function written(directory: string, count: number): Promise<void> {
    const { values, close } = await rejecting(directory);
    for (let n = 0; n < count; n += 1) {
      values.write([message(`${n}`, n)]);
      await values.written();
    }
    await close();
  }

  async function numbersIn(directory: string): Promise<string[]> {
    const db = new ClassicLevel(path.join(directory, 'db'));
    const keys = await db.keys({ gt: 'write!', lt: 'write"' }).all();
    await db.close();
    return keys.filter(key => key !== 'write!counted');
  }

  test('of an earlier process: one number in their place, and what is lost later is missed', async () => {
    const directory = newPath();
    await written(directory, 20);
    expect(await numbersIn(directory)).toHaveLength(20);
    await written(directory, 3);
    const numbers = await numbersIn(directory);
    expect(numbers).toEqual(['write!000000000021', 'write!000000000022', 'write!000000000023']);

    const db = new ClassicLevel(path.join(directory, 'db'));
    await db.del(numbers[1] ?? '');
    expect(await new WriteQueue(db).missing()).toBe(1);
    await db.put('write!counted', 'nothing that was written');
    await expect(new WriteQueue(db).missing()).rejects.toThrow('the count of writes is not what was written');
    await db.close();
  });
});
