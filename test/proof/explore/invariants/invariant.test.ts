import { isUnevaluated, numberIn } from '../../../../proof/explore/invariants/invariant';
import { entryCalled } from '../../../../proof/explore/model/entries';
import type { Step } from '../../../../proof/explore/transition/step';

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

test.each([
  ['limit1', ['1']],
  ['limit1:request', ['1']],
  ['limit1b', ['1b']],
  ['limit10b', ['10b']],
])('after the step %s the claim of %j alone could not be evaluated', (name, expected) => {
  const of = ['1', '1b', '10', '10b'].filter(entry => isUnevaluated({ name } as Step, entryCalled(entry)));

  expect(of).toEqual(expected);
});
