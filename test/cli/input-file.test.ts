import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jsonIn, textOfFile, textOfStdin } from '../../cli/input-file';

const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-input-'));
afterAll(() => rmSync(directory, { recursive: true }));

function fileWith(name: string, content: string | Buffer): string {
  const file = path.join(directory, name);
  writeFileSync(file, content);
  return file;
}

fileWith('latin-1.json', Buffer.from('{"name":"caf\xe9"}', 'latin1'));

describe('the text of an input', () => {
  test('is without a byte order mark', () => {
    expect(textOfFile(fileWith('marked.json', '\uFEFF{}'), '--input')).toBe('{}');
    expect(textOfStdin(Buffer.from('\uFEFF{}'))).toBe('{}');
  });

  test.each([
    ['none.json', 'does not exist'],
    ['.', 'is a directory, and must be a file'],
    ['latin-1.json', 'is not UTF-8; save it as UTF-8'],
  ])('of %s is rejected, with the option and the file', (name, fault) => {
    const file = path.join(directory, name);

    expect(() => textOfFile(file, '--input')).toThrow(`--input: ${file} ${fault}`);
  });

  test('of stdin is rejected if it is not UTF-8', () => {
    expect(() => textOfStdin(Buffer.from([0xff]))).toThrow('stdin is not UTF-8; save it as UTF-8');
  });
});

describe('the JSON value of an input', () => {
  test.each(['{"a":[1,2.5,-3e20,"12345678901234567890"]}', 'null', '9007199254740991'])(
    '%s is accepted',
    text => {
      expect(jsonIn(text, '--input')).toEqual(JSON.parse(text));
    },
  );

  test.each([
    ['', /empty/],
    ['{"secret": 1,}', /^--input is not a valid JSON document; check line 1$/],
    ['{"id": 12345678901234567}', /would be rounded/],
    ['{"detail": {"id": 123456, "id": 123457}}', /^--input has the member detail\.id twice/],
  ])('%s is rejected, and its content is not in the message', (text, message) => {
    expect(() => jsonIn(text, '--input')).toThrow(message);
    expect(() => jsonIn(text, '--input')).not.toThrow(/secret|123456/);
  });
});
