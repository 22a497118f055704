import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openStateDirectory } from '../../state/directory';
import { cleanUp, closeAll, event, execution, machine, newPath, open, reopen } from './world';

afterEach(cleanUp);

/** Why a directory is rejected; the test fails where it is not. */
async function rejectionOf(directory: string): Promise<string> {
  const result = await openStateDirectory(directory);
  if (result.kind === 'rejected') return result.reason;
  await result.directory.close();
  throw new Error(`${directory} was opened`);
}

/** A directory that a process has left behind, with one execution in it. */
async function used(): Promise<string> {
  const directory = newPath();
  const { store } = await open(directory);
  await store.create({ machine: machine() }, execution('a'));
  await store.save(execution('a', 1), [event(1)]);
  await closeAll();
  return directory;
}

describe('the state directory', () => {
  test('open already: rejected, and free again when it was closed', async () => {
    const directory = newPath();
    await open(directory);

    expect(await rejectionOf(directory)).toBe(
      `${directory} is in use by another process; end that one, or choose another directory`,
    );
    await closeAll();
    await open(directory);
  });

  test('a missing one, with those above it: made', async () => {
    const directory = path.join(newPath(), 'a/b');
    await open(directory);

    expect(readdirSync(directory).toSorted()).toEqual(['format', 'log', 'mark']);
  });

  test('a file, or a directory below one: says so', async () => {
    const file = path.join(newPath(), 'file');
    writeFileSync(file, 'x');

    expect(await rejectionOf(file)).toBe(`${file} is not a directory`);
    expect(await rejectionOf(path.join(file, 'below'))).toBe(`${file} is not a directory`);
  });

  test('data of another version: rejected', async () => {
    const directory = newPath();
    writeFileSync(path.join(directory, 'format'), 'onceflow local state 2\n');

    expect(await rejectionOf(directory)).toContain('is of another version ("onceflow local state 2")');
  });
});

describe('a directory that is not ours', () => {
  test('a project: rejected with what was found, and nothing is written', async () => {
    const directory = newPath();
    const names = ['a', 'b', 'c', 'package.json', 'src', 'test', 'tsconfig.json'];
    for (const name of names) writeFileSync(path.join(directory, name), '');

    const reason = await rejectionOf(directory);

    expect(reason).toContain(`${directory} is not empty`);
    expect(reason).toContain(': a, b, c, package.json, src and 2 more;');
    expect(readdirSync(directory).toSorted()).toEqual(names);
  });

  test.each(['log', 'catalogue.json', 'format.new.txt'])(
    'only %s, and no mark of ours: rejected',
    async name => {
      const directory = newPath();
      writeFileSync(path.join(directory, name), '');

      await rejectionOf(directory);

      expect(readdirSync(directory)).toEqual([name]);
    },
  );

  test('our mark of a beginning beside something else: rejected', async () => {
    const directory = newPath();
    for (const name of ['format.new', 'notes.txt']) writeFileSync(path.join(directory, name), '');

    expect(await rejectionOf(directory)).toContain('format.new, notes.txt');
  });
});

describe('a part that is missing', () => {
  test.each([['log', 'lacks log/CURRENT;']])(
    '%s: rejected by name, and not made anew',
    async (part, words) => {
      const directory = await used();
      rmSync(path.join(directory, part), { recursive: true });

      expect(await rejectionOf(directory)).toContain(words);
      expect(existsSync(path.join(directory, part))).toBe(false);
    },
  );

  test('several damaged parts: reported in one message', async () => {
    const directory = await used();
    for (const part of readdirSync(directory)) {
      if (part !== 'format') rmSync(path.join(directory, part), { recursive: true });
    }

    expect(await rejectionOf(directory)).toContain('lacks log/CURRENT, mark;');
  });

  test('what a database consists of: rejected', async () => {
    const directory = await used();
    const executions = path.join(directory, 'log');
    for (const file of readdirSync(executions)) {
      if (file !== 'CURRENT') rmSync(path.join(executions, file));
    }

    expect(await rejectionOf(directory)).toMatch(/log cannot be read: /);
  });
});

describe('a first start that was cut off', () => {
  test.each([[['format.new']], [['format.new', 'log']]])('after %s: begun again', async made => {
    const directory = newPath();
    for (const name of made) {
      if (name === 'log') mkdirSync(path.join(directory, name));
      else writeFileSync(path.join(directory, name), '');
    }

    await open(directory);

    const state = await reopen(directory);
    expect([...state.store.all()]).toEqual([]);
    expect(readdirSync(directory)).toContain('format');
    expect(readdirSync(directory)).not.toContain('format.new');
  });
});
