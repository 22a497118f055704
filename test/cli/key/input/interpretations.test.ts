import { interpretationsOf } from '../../../../cli/key/input/interpretations';
import { sha256 } from '../../../../state-machine/contract/sha256';

/** A key of 401 characters in its record. */
const SHORTENED = `${'x'.repeat(400)}${sha256('x'.repeat(401))}`;

describe('the interpretations of a typed key', () => {
  test.each<[string, readonly string[], string]>([
    ['a number', ['4711'], '#4711'],
    ['a list that was pasted', ['["acme",17]'], 'acme,#17'],
    ['a list with the escapes of a message', ['[\\"acme\\",17]'], 'acme,#17'],
    ['the parts of a list', ['acme', '17'], 'acme,#17'],
    ['what a request by HTTP has sent', ['k-1'], 'anonymous,k-1'],
    ['with its scope, as records and errors have it', ['Pay#order-7'], 'order-7'],
    ['with the quotes of JSON', ['"order-7"'], 'order-7'],
    ['an address of the page', ['http://127.0.0.1:8084/workflows/Pay/keys/acme%2C%2317?x=1'], 'acme,#17'],
    ['an escape of a character that is not seen', ['a\\u200bb'], 'a\u200bb'],
    ['parts with a blank between them', ['acme 17'], 'acme,#17'],
    ['parts with a comma between them', ['acme, 17'], 'acme,#17'],
    ['parts as the record has them', ['Pay#acme,#17'], 'acme,#17'],
    ['a part as the record has it', ['acme', '#17'], 'acme,#17'],
    ['the quotes of a shell', ["'order-7'"], 'order-7'],
    ['as the record has it', ['acme,#17'], 'acme,#17'],
    ['a long key as the record has it', [SHORTENED], SHORTENED],
    ['a long key with its scope', [`Pay#${SHORTENED}`], SHORTENED],
  ])('%s', (_, parts, text) => {
    expect(interpretationsOf(parts, 'Pay').map(key => key.text)).toContain(text);
  });

  test('each once, and as it was typed first', () => {
    const texts = interpretationsOf(['17'], 'Pay').map(key => key.text);

    expect(texts[0]).toBe('17');
    expect(new Set(texts).size).toBe(texts.length);
  });
});
