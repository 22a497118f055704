import { numberIn } from '../../../../proof/explore/invariants/invariant';

const STATE = { Condition: '{% $deliveries >= 8 %}' };

test('a number in a state: the first group of the pattern', () => {
  expect(numberIn(STATE, /\$deliveries >= (\d+)/)).toBe(8);
});

test.each([
  ['a state that says it otherwise', STATE],
  ['no such state', undefined],
])('%s: an error, because a check against NaN would hold of everything', (_, state) => {
  expect(() => numberIn(state, /\$tries >= (\d+)/)).toThrow(/^the definition has no number that fits .*: /);
});
