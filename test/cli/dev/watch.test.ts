import { mkdirSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { changesBetween, snapshotOf, untilChanged } from '../../../cli/dev/watch';

const EVERYTHING = { include: ['**'], exclude: [] };
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'onceflow-watch-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(name: string, text = ''): void {
  mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
  writeFileSync(path.join(directory, name), text);
}

describe('the files of an app', () => {
  test.each<[include: string[], exclude: string[], found: string[]]>([
    [['**'], [], ['app.ts', 'lib/deep/a.ts', 'lib/deep/b.d.ts', 'test/a.test.ts']],
    [['lib/**'], [], ['lib/deep/a.ts', 'lib/deep/b.d.ts']],
    [['lib'], [], ['lib/deep/a.ts', 'lib/deep/b.d.ts']],
    [['*.ts'], [], ['app.ts']],
    [['**/a.ts', './app.ts'], [], ['app.ts', 'lib/deep/a.ts']],
    [['**'], ['**/*.d.ts', 'test'], ['app.ts', 'lib/deep/a.ts']],
    [['**'], ['lib/**', '{test,none}/**'], ['app.ts']],
    [['a?p.ts', 'l*b/deep/a.ts'], [], ['app.ts', 'lib/deep/a.ts']],
  ])('include %j, exclude %j', (include, exclude, found) => {
    for (const name of ['app.ts', 'lib/deep/a.ts', 'lib/deep/b.d.ts', 'test/a.test.ts']) write(name);
    for (const name of [
      'node_modules/x/index.js',
      'lib/node_modules/y.js',
      '.git/config',
      '.env',
      'lib/dev.log',
    ])
      write(name);

    expect([...snapshotOf(directory, { include, exclude }).keys()].sort()).toEqual(found);
  });

  test('a file added, one changed, one removed: these are the changes', () => {
    for (const name of ['changed.ts', 'removed.ts', 'same.ts']) write(name);
    const before = snapshotOf(directory, EVERYTHING);

    write('changed.ts', 'longer');
    unlinkSync(path.join(directory, 'removed.ts'));
    write('lib/added.ts');

    const changes = changesBetween(before, snapshotOf(directory, EVERYTHING));
    expect(changes).toEqual(['changed.ts', 'lib/added.ts', 'removed.ts']);
  });
});

describe('waiting for a change', () => {
  const { signal } = new AbortController();

  test('changed since the snapshot, before any wait: resolves to it', async () => {
    const before = snapshotOf(directory, EVERYTHING);
    write('app.ts');

    expect(await untilChanged(directory, EVERYTHING, before, signal)).toEqual(['app.ts']);
  });

  test('changed while waiting: resolves when no more changes come', async () => {
    const waiting = untilChanged(directory, EVERYTHING, snapshotOf(directory, EVERYTHING), signal);
    write('a.ts');
    setTimeout(() => write('b.ts'), 100);

    expect(await waiting).toEqual(['a.ts', 'b.ts']);
  });

  test('aborted: resolves to none', async () => {
    const ended = new AbortController();
    const waiting = untilChanged(directory, EVERYTHING, snapshotOf(directory, EVERYTHING), ended.signal);
    ended.abort();

    expect(await waiting).toEqual([]);
  });
});
