import { compile } from '../../packages/local/language/jsonata/compile';
import { canonicalEvent } from '../../state-machine/dispatcher/dispatcher-states';
import { parseKeyExpressions } from '../../state-machine/expression/key-expressions';
import { keptPayloadExpression } from '../../state-machine/jsonata/kept-payload';
import { keyExpression } from '../../state-machine/jsonata/key';
import { payloadHashExpression } from '../../state-machine/jsonata/payload';
import { storedResult } from '../../state-machine/workflow/states/finalize';

// What every execution of the workflow evaluates: the interpreter would make each of them ten times as slow.

const KEY = parseKeyExpressions('{% $states.input.id %}');
const PARTS = parseKeyExpressions(['{% $states.input.id %}', '{% $states.input.n %}']);
const SCOPE = {
  states: { input: { id: 'order-7', n: 4711, 'detail-type': 'T', list: [1, { a: 'ü"' }] }, context: {} },
  variables: {},
  evaluationContext: { now: 0, random: () => 0.5, uuid: () => 'uuid' },
};

test.each([
  ['a key', keyExpression('Pay', KEY)],
  ['a composite key', keyExpression('Pay', PARTS)],
  ['a payload hash', payloadHashExpression('$states.input')],
  ['a kept payload', keptPayloadExpression('$states.input')],
  ['a stored result', storedResult()],
  ['a picked result', storedResult('$states.input.list')],
  ['a canonical event', canonicalEvent(['id', 'time'])],
])('%s: evaluated without the interpreter', (_, text) => {
  const expression = compile(text.slice(2, -2).trim());
  if (expression.kind === 'invalid') throw new Error(expression.problem);

  expect(expression.compute(SCOPE, 'shared')).toMatchObject({ kind: 'value', value: expect.anything() });
});
