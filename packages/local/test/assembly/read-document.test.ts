import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readDocument } from '../../assembly/read-document';

const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-document-'));
afterAll(() => rmSync(directory, { recursive: true }));

function read(content: string | Buffer, isStrict = false) {
  const file = path.join(directory, 'document.yaml');
  writeFileSync(file, content);
  return readDocument(file, { isStrict });
}

/** Each key has the one before it ten times. */
function bomb(list: (items: string) => string): string {
  const keys = 'abcdefghij'.split('');
  const lines = keys.map((key, index) => {
    return `${key}: &${key} ${list(
      Array(10)
        .fill(index === 0 ? 'x' : `*${keys[index - 1]}`)
        .join(', '),
    )}`;
  });
  return lines.join('\n');
}

describe('a document', () => {
  test.each([
    ['in JSON', '{"a": {"Ref": "B"}}'],
    ['in YAML', 'a: !Ref B'],
    ['in JSON with a byte order mark', '\uFEFF{"a": {"Ref": "B"}}'],
    ['in YAML with a byte order mark', '\uFEFFa: !Ref B'],
  ])('%s has its value', (_, content) => {
    expect(read(content)).toEqual({ a: { Ref: 'B' } });
  });

  test('follows an alias within a short form', () => {
    expect(read('list: &list [x, y]\nall: !Join ["", *list]')).toMatchObject({
      all: { 'Fn::Join': ['', ['x', 'y']] },
    });
  });

  test.each<[string, string | Buffer, RegExp]>([
    ['with a bomb of aliases', bomb(items => `[${items}]`), /^uses an alias too often/],
    ['with a bomb of aliases in short forms', bomb(items => `!Join [${items}]`), /^uses an alias too often/],
    ['with very many aliases', `a: &a 1\nb: [${'*a,'.repeat(2000)}]`, /^has more than 1000 aliases$/],
    ['with an alias of nothing', 'a: *b', /^has an alias without an anchor/],
    ['with an alias that leads to itself', 'a: &a [*a]', /^has an alias .* leads to itself$/],
    ['of very many levels', `a: ${'['.repeat(20_000)}`, /^nests deeper than 100 levels$/],
    ['of very many levels on one line', `${'- '.repeat(20_000)}a`, /^nests deeper than 100 levels$/],
    ['of very many levels in JSON', `{"a":${'['.repeat(2000)}${']'.repeat(2000)}}`, /^nests too deep$/],
    ['with keys that are lists', `a: { ${'? ['.repeat(40)}`, /^is neither JSON nor YAML from line 1 on$/],
    ['of 3 MiB in YAML', `a: |\n${' text\n'.repeat(600_000)}`, /^is longer than 2 MiB, the most in YAML/],
    ['of 3 MiB in JSON with an error', `{\n${'"a":1,\n'.repeat(500_000)}}`, /^is not JSON from line 500002/],
    ['of 17 MiB', Buffer.alloc(17 * 2 ** 20, ' '), /^is longer than 16 MiB$/],
    ['in Latin-1', Buffer.from('a: caf\xe9', 'latin1'), /^is not UTF-8; save it as UTF-8$/],
    ['in UTF-16', Buffer.from('\uFEFFa: 1', 'utf16le'), /^is UTF-16, and not UTF-8; save it as UTF-8$/],
    ['of several documents', 'a: 1\n---\nb: 2', /^has several documents/],
    ['that is a list', '[1]', /^must contain an object in JSON or YAML$/],
  ])('%s is rejected by name', (_, content, fault) => {
    expect(read(content)).toMatch(fault);
  });

  test.each([['{"a":{"b":1,"b":2}}'], ['a:\n  b: 1\n  b: 2']])('%j has its last member', content => {
    expect(read(content)).toEqual({ a: { b: 2 } });
  });

  test.each([
    ['{"a":{"b":1,"b":2}}', 'has the member a.b twice'],
    ['a:\n  b: 1\n  b: 2', 'is neither JSON nor YAML from line 3 on'],
  ])('%j is rejected where a member may be there once', (content, fault) => {
    expect(read(content, true)).toBe(fault);
  });
});
