import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ClassicLevel } from 'classic-level';
import { openStateDirectory } from '../../state/directory';
import { tablesIn } from '../../state/manifest';
import { brokenTables } from '../../state/table-files';
import { cleanUp, newPath } from './world';

afterEach(cleanUp);

/** A directory with so many tables: each start makes one of the earlier writes. */
async function withTables(count: number): Promise<string> {
  const directory = newPath();
  for (let n = 0; n <= count; n += 1) {
    const opened = await openStateDirectory(directory);
    if (opened.kind === 'rejected') throw new Error(opened.reason);
    await opened.directory.write([{ kind: 'message', key: `${n}`, value: { text: 'x'.repeat(200), n } }]);
    await opened.directory.close();
  }
  return directory;
}

function tableFiles(directory: string): string[] {
  const folder = path.join(directory, 'log');
  const names = readdirSync(folder).filter(name => name.endsWith('.ldb'));
  return names.sort().map(name => path.join(folder, name));
}

function damage(file: string): void {
  const bytes = readFileSync(file);
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

describe('the tables of a database', () => {
  test('named in its manifest: those that are there', async () => {
    const directory = await withTables(3);
    const numbers = tableFiles(directory).map(file => Number.parseInt(path.basename(file), 10));

    expect(numbers).toHaveLength(3);
    expect([...tablesIn(path.join(directory, 'log'))].sort((a, b) => a - b)).toEqual(numbers);
    expect(brokenTables(path.join(directory, 'log'))).toEqual([]);
  });

  test('one is damaged, and opening makes a new one of all: rejected all the same', async () => {
    const directory = await withTables(3);
    const [file = ''] = tableFiles(directory);
    damage(file);
    const open = ClassicLevel.prototype.open;
    const spy = jest.spyOn(ClassicLevel.prototype, 'open');
    spy.mockImplementation(async function compacting(
      this: ClassicLevel,
      ...options: Parameters<typeof open>
    ) {
      await open.apply(this, options);
      await this.compactRange('', '~');
    });

    const opening = openStateDirectory(directory);

    await expect(opening).rejects.toMatchObject({
      name: 'DamagedState',
      message: `${file} is not what was written`,
    });
    spy.mockRestore();
  });

  test('one that a crash has left half written: nothing to the database, which opens', async () => {
    const directory = await withTables(1);
    writeFileSync(path.join(directory, 'log', '000099.ldb'), 'half of a table');

    const opened = await openStateDirectory(directory);

    expect(opened.kind).toBe('open');
    if (opened.kind === 'open') await opened.directory.close();
  });
});
