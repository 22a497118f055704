import { ON_PAGE } from '../../../../cli/console/actions/start-words';
import type { KeyProblem } from '../../../../cli/key/input/key-problem';

const AT = { name: 'Bill', keyPaths: [['detail', 'orderId']] };

describe('why the page starts nothing: in words of its form', () => {
  test.each<[KeyProblem, string]>([
    [
      { kind: 'unclear', name: 'Bill', why: 'its key depends on more than the input' },
      'nothing was started, because onceflow cannot compute the key of the input for Bill: its key depends on more ' +
        'than the input. If you know that it is this key, run `onceflow start` with --force',
    ],
    [
      { kind: 'missing', ...AT, input: { detail: { orderId: 12.5 } } },
      'nothing was started, because the input has no usable key where Bill reads it, at $states.input.detail.orderId: ' +
        'there is a fraction. A key is a text that is not empty, a whole number up to 2^53 - 1, or a list of these: ' +
        'correct the input',
    ],
    [
      { kind: 'missing', name: 'Bill', keyPaths: undefined, input: {} },
      'nothing was started, because the input has no usable key: the idempotencyKey of Bill is not a valid key for it. ' +
        'A key is a text that is not empty, a whole number up to 2^53 - 1, or a list of these: correct the input',
    ],
    [
      { kind: 'another', ...AT, taken: '#4', text: '4' },
      'nothing was started, because the input belongs to #4, not to 4: Bill reads its key there, at $states.input.detail.orderId. ' +
        'Enter 4 as a whole number, or the input of 4',
    ],
    [
      { kind: 'parts', name: 'Bill', expected: 2, given: 1 },
      'nothing was started, because the key of Bill has 2 parts, got 1. Enter all of them as JSON, such as ["shop-1",4711]',
    ],
    [
      { kind: 'parts', name: 'Bill', expected: 'one', given: 2 },
      'nothing was started, because the key of Bill has one part, got 2',
    ],
  ])('%j', (problem, sentence) => {
    expect(ON_PAGE.problem(problem)).toBe(sentence);
  });

  test.each([
    ['order-1', 'order-1 as a text'],
    ['~#4', '#4 as a text'],
    ['a,#1', '["a",1] as JSON'],
    ['a'.repeat(464), 'the whole key of this input'],
  ])('the input of %s: what to enter', (taken, entered) => {
    expect(ON_PAGE.problem({ kind: 'another', ...AT, taken, text: 'b' })).toContain(`Enter ${entered}, or`);
  });
});
