import { resolveReferences, resolveText } from '../../../proof/conformance/cases/references';

const REFERENCES = new Map([
  ['RoleArn', 'arn:aws:iam::1:role/r'],
  ['LambdaName:echo', 'fn'],
  ['c3.executionArn', 'arn:e'],
  ['Now', '2026-01-31T23:00:00'],
]);

describe('references', () => {
  test.each([
    ['inside a text', 'x${LambdaName:echo}y', 'xfny'],
    ['several in one text', '${RoleArn} ${c3.executionArn}', 'arn:aws:iam::1:role/r arn:e'],
    ['the time', '${Now}Z', '2026-01-31T23:00:00Z'],
    ['days after the time', '${Now+2d}Z', '2026-02-02T23:00:00Z'],
    ['one that is not known: stays', '${QueueUrl:q}', '${QueueUrl:q}'],
    ['what only looks like one: stays', '${a b}', '${a b}'],
  ])('%s', (_title, text, resolved) => {
    expect(resolveText(text, REFERENCES)).toBe(resolved);
  });

  test('in a value: in texts and names, everywhere', () => {
    const value = { '${LambdaName:echo}': [{ a: '${RoleArn}' }, 1, null, true] };

    expect(resolveReferences(value, REFERENCES)).toEqual({
      fn: [{ a: 'arn:aws:iam::1:role/r' }, 1, null, true],
    });
  });
});
