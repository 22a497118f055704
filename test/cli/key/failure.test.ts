import { invalidKeyIn } from '../../../cli/key/failure';

describe('what the cause of an invalid event says of its key', () => {
  test.each([
    [{ keyType: 'null' }, ', which gave null'],
    [{ reason: 'T2009' }, '; reason: T2009'],
    [{ payloadExpression: '$states.input.amount' }, '; the payload is $states.input.amount'],
    [{ keyType: '\u001b[2J' }, ', which gave \\u001b[2J'],
    [{ keyType: 'number', reason: 'T2009' }, ', which gave number; reason: T2009'],
    [{}, ''],
  ])('%j', (facts, words) => {
    const cause = JSON.stringify({ message: 'it has none', keyExpression: '$states.input.id', ...facts });

    expect(invalidKeyIn(cause)).toBe(`the key is $states.input.id${words}`);
  });

  test('cut where it is long, and harmless for a terminal', () => {
    expect(invalidKeyIn(JSON.stringify({ keyExpression: `\u001b${'a'.repeat(300)}` }))).toMatch(
      /^the key is \\u001ba+…$/,
    );
  });

  test.each([undefined, '', 'no JSON', 'null', '{"message":"another"}'])('%s: nothing', cause => {
    expect(invalidKeyIn(cause)).toBeUndefined();
  });
});
