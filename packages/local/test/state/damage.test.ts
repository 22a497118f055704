import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ClassicLevel } from 'classic-level';
import { runs } from '../../../../test/support/scale';
import { cleanUp, closeAll, event, execution, machine, newPath, open, reopen } from './world';

afterEach(cleanUp);

const EXECUTIONS = 40;
const EVENTS = 12;

/** A directory with executions whose writes are mixed, as those of a stack are. */
async function busy(): Promise<string> {
  const directory = newPath();
  const { store } = await open(directory);
  const choice = { machine: machine() };
  const names = Array.from({ length: EXECUTIONS }, (_, index) => `e${index}`);
  for (const name of names) await store.create(choice, execution(name));
  for (let id = 1; id <= EVENTS; id += 1) {
    await Promise.all(
      names.map((name, index) => index % 3 === 0 && store.save(execution(name, id), [event(id)])),
    );
    for (const [index, name] of names.entries())
      if (index % 3 !== 0) await store.save(execution(name, id), [event(id)]);
  }
  return directory;
}

/** What a store lists of all executions. */
async function listed(directory: string): Promise<unknown[]> {
  const { store } = await reopen(directory);
  return [...store.all()].map(({ execution: { name, lastEventId }, history }) => {
    return { name, lastEventId, ids: history.map(({ id }) => id) };
  });
}

const whole = Array.from({ length: EXECUTIONS }, (_, index) => ({
  name: `e${index}`,
  lastEventId: EVENTS,
  ids: Array.from({ length: EVENTS }, (_id, at) => at + 1),
}));

/** The files of the database of executions that have one of these endings. */
function filesOf(directory: string, ...endings: readonly string[]): string[] {
  const folder = path.join(directory, 'log');
  return readdirSync(folder)
    .filter(file => endings.includes(path.extname(file)))
    .map(file => path.join(folder, file));
}

/** How opening a copy of the directory ends, with one byte of a file changed. */
async function withByteChanged(directory: string, file: string, at: number): Promise<unknown> {
  const copy = newPath();
  cpSync(directory, copy, { recursive: true });
  const changed = path.join(copy, path.relative(directory, file));
  const bytes = readFileSync(changed);
  bytes[at] = (bytes[at] ?? 0) ^ 0x15;
  writeFileSync(changed, bytes);
  try {
    return await listed(copy);
  } catch (error) {
    return (error as { readonly name?: string }).name;
  }
}

describe('one byte of the executions that has changed', () => {
  test('in the log: rejected', async () => {
    const directory = await busy();
    await closeAll();
    const [log = ''] = filesOf(directory, '.log');
    const size = readFileSync(log).length;

    for (let at = 10; at < size; at += Math.floor(size / runs(4, 12))) {
      const ended = await withByteChanged(directory, log, at);
      expect([at, ended]).toEqual([at, 'DamagedState']);
    }
  }, 60_000);

  test('in a table: never read as it is now', async () => {
    const directory = await busy();
    await reopen(directory);
    await closeAll();
    const [table = ''] = filesOf(directory, '.ldb');
    const size = readFileSync(table).length;

    let rejected = 0;
    const changes = runs(8, 25);
    for (let at = 10; at < size; at += Math.floor(size / changes)) {
      const ended = await withByteChanged(directory, table, at);
      if (Array.isArray(ended)) expect(ended).toEqual(whole);
      else rejected += 1;
    }
    expect(rejected).toBeGreaterThan(runs(3, 12));
  }, 60_000);

  test('in none: all there', async () => {
    expect(await listed(await busy())).toEqual(whole);
  });
});

describe('a record that is lost', () => {
  /** Takes records out of the database of a directory that is not open. */
  async function without(directory: string, ...keys: readonly string[]): Promise<string> {
    await closeAll();
    const db = new ClassicLevel(path.join(directory, 'log'));
    for (const key of keys) await db.del(key);
    await db.close();
    return reopen(directory).then(
      () => 'nothing is missed',
      (error: Error) => error.message,
    );
  }

  async function three(): Promise<string> {
    const directory = newPath();
    const { store } = await open(directory);
    for (const name of ['a', 'b']) {
      await store.create({ machine: machine() }, execution(name));
      for (const id of [1, 2, 3]) await store.save(execution(name, id), [event(id)]);
    }
    return directory;
  }

  const number = (n: number) => String(n).padStart(12, '0');
  const lost = (name: string) => `some data of execution ${name} is lost`;
  const A = lost(execution('a').arn);
  const BOTH = `some data of executions ${execution('a').arn}, ${execution('b').arn} is lost`;

  test.each<[string, string[], string]>([
    ['an event in the middle', [`event!${number(1)}!${number(2)}`], A],
    ['the first event', [`event!${number(1)}!${number(1)}`], A],
    ['the last event', [`event!${number(1)}!${number(3)}`], A],
    ['an execution whose events are there', [`execution!${number(1)}`], lost('number 1')],
    ['a write', [`write!${number(3)}`], '1 write is lost'],
    ['two writes', [`write!${number(1)}`, `write!${number(2)}`], '2 writes are lost'],
  ])('%s: named', async (_case, keys, words) => {
    expect(await without(await three(), ...keys)).toBe(words);
  });

  test('two events that have changed places: both executions are named', async () => {
    const directory = await three();
    await closeAll();
    const db = new ClassicLevel(path.join(directory, 'log'));
    const [one, other] = [`event!${number(1)}!${number(2)}`, `event!${number(2)}!${number(2)}`];
    const [first = '', second = ''] = await db.getMany([one, other]);
    await db.put(one, second);
    await db.put(other, first);
    await db.close();

    expect(await without(directory)).toBe(BOTH);
  });

  test('the machine of two executions: both are named', async () => {
    const directory = await three();
    await closeAll();
    const db = new ClassicLevel(path.join(directory, 'log'));
    const [key = ''] = await db.keys({ gt: 'machine!' }).all();
    await db.close();

    expect(await without(directory, key)).toBe(BOTH);
  });

  test('of twelve executions: ten are named, and how many more', async () => {
    const directory = newPath();
    const { store } = await open(directory);
    for (let n = 1; n <= 12; n += 1) {
      await store.create({ machine: machine() }, execution(`e${n}`));
      await store.save(execution(`e${n}`, 1), [event(1)]);
    }
    const events = Array.from({ length: 12 }, (_, index) => `event!${number(index + 1)}!${number(1)}`);

    expect(await without(directory, ...events)).toMatch(/:e10 and 2 more is lost$/);
  });
});
