import type { Workflow } from '../../../../cli/aws/workflow';
import { type Key, type KeyArguments, keyOf } from '../../../../cli/key/input/key';
import { requireKeyOf } from '../../../../cli/key/input/resolve-key';

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
    [
      'one text',
      { parts: ['i1'] },
      /^the key of Bill has 2 parts, got 1\. .* --json-key '\["shop-1",4711\]'/,
    ],
    ['too many parts', { parts: ['a', 'b', 'c'] }, /has 2 parts, got 3/],
    ['JSON of a part', { json: '"i1"' }, /has 2 parts, got 1/],
  ])('%s: rejected with the way to write it', (_, given, message) => {
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

  test('several texts: rejected, as blanks may have been meant', () => {
    expect(() => requireKeyOf(ONE, key({ parts: ['order', '7'] }))).toThrow(
      /^the key of Bill has one part, got 2\. If the key contains blanks/,
    );
  });
});
