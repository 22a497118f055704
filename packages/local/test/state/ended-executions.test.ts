import path from 'node:path';
import { ClassicLevel } from 'classic-level';
import {
  cleanUp,
  closeAll,
  ENDED,
  event,
  execution,
  machine,
  newPath,
  open,
  reopen,
  whenCompressed,
} from './world';

afterEach(cleanUp);

const choice = { machine: machine(), versionArn: 'v' };
const { arn } = execution('a');
const events = (count: number) => Array.from({ length: count }, (_, index) => event(index + 1));

/** A directory with executions that have ended, each with three events in two groups. */
async function ended(...names: readonly string[]): Promise<string> {
  const directory = newPath();
  const { store } = await open(directory);
  for (const name of names) {
    await store.create(choice, execution(name));
    await store.save(execution(name, 2), events(2));
    await store.save(execution(name, 3, ENDED), [event(3)]);
  }
  await whenCompressed();
  await closeAll();
  return directory;
}

/** The keys of a directory that is not open, without those of its writes. */
async function keysOf(directory: string): Promise<string[]> {
  const db = new ClassicLevel(path.join(directory, 'log'));
  const keys = await db.keys().all();
  await db.close();
  return keys.map(key => key.replace(/!0*/, '!')).filter(key => !/^(write|machine|dictionary)/.test(key));
}

describe('an execution that has ended', () => {
  test('some moments later: one value on disk, from which the next process has all of it', async () => {
    const directory = await ended('a', 'b');

    expect(await keysOf(directory)).toEqual(['ended!1', 'ended!2']);
    const { store } = await reopen(directory);
    expect(store.find(arn)).toEqual({ choice, execution: execution('a', 3, ENDED), history: events(3) });
    expect(store.list(choice.machine.arn).map(({ execution: { name } }) => name)).toEqual(['a', 'b']);
    expect(store.running()).toEqual([]);
  });

  test('a process that ends before that: the next one makes up for it', async () => {
    const directory = newPath();
    const { store } = await open(directory);
    await store.create(choice, execution('a'));
    await store.save(execution('a', 1, ENDED), [event(1)]);
    await closeAll();
    expect(await keysOf(directory)).toEqual(['event!1!000000000001', 'execution!1']);

    await reopen(directory);
    await whenCompressed();
    await closeAll();

    expect(await keysOf(directory)).toEqual(['ended!1']);
  });

  test('that goes on in the next process: its history with it, also in the one after that', async () => {
    const directory = await ended('a', 'b');
    const { store } = await reopen(directory);

    await store.save(execution('a', 4), [event(4)]);

    const running = (await reopen(directory)).store;
    expect(running.find(arn)).toEqual({ choice, execution: execution('a', 4), history: events(4) });
    expect(running.running()).toHaveLength(1);
    await running.save(execution('a', 5, ENDED), [event(5)]);
    await whenCompressed();
    expect((await reopen(directory)).store.find(arn)?.history).toEqual(events(5));
    await closeAll();
    expect(await keysOf(directory)).toEqual(['ended!1', 'ended!2']);
  });

  test('that goes on while it is being compressed: no value of its end is left', async () => {
    const directory = newPath();
    const { store } = await open(directory);
    await store.create(choice, execution('a'));
    await store.save(execution('a', 1, ENDED), [event(1)]);
    const saving = store.save(execution('a', 2), [event(2)]);
    await whenCompressed();
    await saving;

    expect((await reopen(directory)).store.find(arn)?.history).toEqual(events(2));
    await closeAll();
    expect((await keysOf(directory)).filter(key => key.startsWith('ended'))).toEqual([]);
  });

  test('its name used again: nothing of it is left', async () => {
    const directory = await ended('a');
    const { store } = await reopen(directory);

    await store.create(choice, execution('a'));
    await closeAll();

    expect(await keysOf(directory)).toEqual(['execution!2']);
  });

  test('more of them than the next process keeps: the first are forgotten, on disk as well', async () => {
    const directory = await ended('a', 'b', 'c');
    const { store } = await reopen(directory, 2);
    await whenCompressed();

    expect([...store.all()].map(({ execution: { name } }) => name)).toEqual(['b', 'c']);
    await closeAll();
    expect(await keysOf(directory)).toEqual(['ended!2', 'ended!3']);
  });
});

describe('a disk that rejects the compressed value', () => {
  test('continues, has its name used again, or is read by the next process: as if the attempt had not happened', async () => {
    const directory = newPath();
    const { store } = await open(directory);
    for (const name of ['a', 'b', 'c']) {
      await store.create(choice, execution(name));
      await store.save(execution(name, 2), events(2));
      await store.save(execution(name, 3, ENDED), [event(3)]);
    }
    const batch = jest.spyOn(ClassicLevel.prototype, 'batch') as unknown as jest.SpyInstance<Promise<void>>;
    batch.mockRejectedValueOnce(new Error('full')).mockRejectedValueOnce(new Error('full'));
    while (batch.mock.calls.length < 2) await whenCompressed();
    batch.mockRestore();

    await store.save(execution('b', 4), [event(4)]);
    await store.create(choice, execution('c'));

    const again = (await reopen(directory)).store;
    const listed = [...again.all()].map(({ execution: { name }, history }) => [name, history]);
    expect(listed).toEqual([
      ['a', events(3)],
      ['b', events(4)],
      ['c', []],
    ]);
  });
});

describe('damage', () => {
  /** What the next process says after a change of the database. */
  async function after(change: (db: ClassicLevel) => Promise<void>): Promise<string> {
    const directory = await ended('a', 'b');
    const db = new ClassicLevel(path.join(directory, 'log'));
    await change(db);
    await db.close();
    return reopen(directory).then(
      () => 'nothing is missed',
      (error: Error) => error.message,
    );
  }
  const key = (n: number) => `ended!${String(n).padStart(12, '0')}`;
  const lost = (name: string) => `some data of execution ${name} is lost`;

  test('of one value: named by its number', async () => {
    const message = await after(async db => db.put(key(2), (await db.get(key(2)))?.replace('a', 'b') ?? ''));
    expect(message).toBe(lost('number 2'));
  });

  test.each(['dictionary', 'machine'])('the %s of two executions lost: both are named', async kind => {
    const message = await after(db => db.clear({ gt: `${kind}!`, lt: `${kind}"` }));
    expect(message).toBe(`some data of executions ${arn}, ${execution('b').arn} is lost`);
  });
});
