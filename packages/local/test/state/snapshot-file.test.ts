import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SnapshotFile } from '../../state/snapshot-file';

const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-snapshot-'));
const file = path.join(directory, 'queues.json');
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('a snapshot', () => {
  test('saved again: in another file that replaces the first, so that a crash leaves the old or the new', () => {
    const snapshot = new SnapshotFile(file);
    const before = path.join(directory, 'before');
    snapshot.save([]);
    linkSync(file, before);

    snapshot.save([{ name: 'q' }]);

    expect(snapshot.load()).toEqual([{ name: 'q' }]);
    expect(readFileSync(before, 'utf8')).toBe('[]');
    expect(readdirSync(directory).toSorted()).toEqual(['before', 'queues.json']);
  });

  test.each([
    ['{"machines":', 'is no JSON: '],
    ['', 'is no JSON: it is empty'],
  ])('%j: named by its file', (content, words) => {
    writeFileSync(file, content);

    expect(() => new SnapshotFile(file).load()).toThrow(`${file} ${words}`);
  });
});
