import { type Key, type KeyArguments, keyOf, requireKeyIn, requireKeyOf } from '../../../cli/key/key';
import type { Workflow } from '../../../cli/workflow';

const PLAIN: KeyArguments = { parts: [], isNumber: false, isRecorded: false, json: undefined };
const key = (given: Partial<KeyArguments>): Key => keyOf({ ...PLAIN, ...given });
/** Only what a key is compared with. */
const workflowWith = (keyParts: Workflow['keyParts']) => ({ name: 'Bill', keyParts }) as Workflow;

describe('a key of a workflow with a composite key', () => {
  const TWO = workflowWith(2);

  test.each([
    ['its parts', { parts: ['t1', 'i1'] }],
    ['JSON with numbers', { json: '["t1",4711]' }],
    ['as the record has it', { parts: ['["t1","i1"]'], isRecorded: true }],
  ])('%s: taken', (_, given) => {
    expect(() => requireKeyOf(TWO, key(given))).not.toThrow();
  });

  test.each([
    ['one text', { parts: ['i1'] }, /^the key of Bill has 2 parts, got 1; .* --json-key '\["shop-1",4711\]'/],
    ['too many parts', { parts: ['a', 'b', 'c'] }, /has 2 parts, got 3/],
    ['JSON of a part', { json: '"i1"' }, /has 2 parts, got 1/],
  ])('%s: refused with the way to write it', (_, given, message) => {
    expect(() => requireKeyOf(TWO, key(given))).toThrow(message);
    expect(() => requireKeyOf(TWO, key(given))).toThrow(expect.objectContaining({ code: 2 }));
  });
});

describe('a key of a workflow with one expression', () => {
  const ONE = workflowWith('one');

  test('a text, and a list as JSON, which the expression may give: taken', () => {
    expect(() => requireKeyOf(ONE, key({ parts: ['order-7'] }))).not.toThrow();
    expect(() => requireKeyOf(ONE, key({ json: '["shop-1",4711]' }))).not.toThrow();
  });

  test('several texts: refused, as blanks may have been meant', () => {
    expect(() => requireKeyOf(ONE, key({ parts: ['order', '7'] }))).toThrow(
      /^Bill has one key, got 2; quote a key with blanks/,
    );
  });
});

test('a definition that does not say what keys there are: any key is taken', () => {
  expect(() => requireKeyOf(workflowWith(undefined), key({ parts: ['a', 'b'] }))).not.toThrow();
  expect(() => requireKeyOf(workflowWith(undefined), key({ parts: ['a'] }))).not.toThrow();
});

describe('the key that a workflow takes from an input', () => {
  const AT = [['detail', 'orderId']];
  const ONE = { name: 'Bill', keyParts: 'one', keyPaths: AT } as const;
  const TWO = { name: 'Bill', keyParts: 2, keyPaths: [['shop'], ['id']] } as const;
  const order = (orderId: unknown) => ({ detail: { orderId } });

  test.each([
    ['the same', ONE, { parts: ['order-4'] }, order('order-4')],
    ['the same number', ONE, { parts: ['4'], isNumber: true }, order(4)],
    ['the same parts', TWO, { json: '["s",4]' }, { shop: 's', id: 4 }],
    ['a list, which an expression may take apart', ONE, { parts: ['order-4'] }, order(['order-5'])],
    ['a key that is computed', { ...ONE, keyPaths: undefined }, { parts: ['order-4'] }, order('order-5')],
  ])('%s: taken', (_case, workflow, given, input) => {
    expect(() => requireKeyIn(input, workflow, key(given))).not.toThrow();
  });

  test.each([
    [
      'another',
      ONE,
      { parts: ['order-4'] },
      order('order-1'),
      'KEY is order-4, and of --input Bill takes order-1, at $states.input.detail.orderId; nothing was started: ' +
        'pass the key of the input, with --number for a number',
    ],
    ['a number for a text', ONE, { parts: ['4'] }, order(4), /KEY is 4, and of --input Bill takes number:4,/],
    [
      'another part',
      TWO,
      { json: '["s",4]' },
      { shop: 's', id: 5 },
      /\["s",4\], .* \["s",5\], at .*shop and .*id;/,
    ],
    [
      'none',
      ONE,
      { parts: ['order-4'] },
      { detail: {} },
      /^--input has no key where Bill reads it, at \$states/,
    ],
    ['a fraction', ONE, { parts: ['4'] }, order(4.5), /^--input has no key/],
  ])('%s: refused, and both are named', (_case, workflow, given, input, message) => {
    expect(() => requireKeyIn(input, workflow, key(given))).toThrow(message);
    expect(() => requireKeyIn(input, workflow, key(given))).toThrow(expect.objectContaining({ code: 2 }));
  });
});
