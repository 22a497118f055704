import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readTextFile, textOf } from '../../assembly/text-file';

const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-text-'));
afterAll(() => rmSync(directory, { recursive: true }));

function fileWith(name: string, content: string | Buffer): string {
  const file = path.join(directory, name);
  writeFileSync(file, content);
  return file;
}

test('the text of a file is without its byte order mark', () => {
  const text = `${'é'.repeat(100_000)}\n`;

  expect(readTextFile(fileWith('marked', `\uFEFF${text}`))).toEqual({ text });
});

test.each<[string, string, string]>([
  ['that is not there', path.join(directory, 'none'), 'does not exist'],
  ['that is a directory', directory, 'is a directory, and must be a file'],
  ['of which a part is no file', path.join(__filename, 'x'), 'cannot be read (ENOTDIR)'],
  ['without an end', '/dev/zero', 'is longer than 1 MiB'],
])('a file %s has a fault', (_, file, fault) => {
  expect(readTextFile(file, 2 ** 20)).toEqual({ fault });
});

const isRoot = process.getuid?.() === 0;
(isRoot ? test.skip : test)('a file that must not be read has a fault', () => {
  const file = fileWith('secret', 'text');
  chmodSync(file, 0);

  expect(readTextFile(file)).toEqual({ fault: 'cannot be read (EACCES)' });
});

test.each([
  ['a byte that begins no character', [0x61, 0xff]],
  ['a character that is cut off', [0x61, 0xc3]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
])('bytes with %s are not replaced', (_, bytes) => {
  expect(textOf(Uint8Array.from(bytes))).toEqual({ fault: 'is not UTF-8; save it as UTF-8' });
});
