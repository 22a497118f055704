import fc from 'fast-check';
import { runs } from '../../../../../test/support/scale';
import type { Json, JsonObject } from '../../../json/json';
import { compile } from '../../../language/jsonata/compile';
import { plainJson } from '../../../language/jsonata/result';
import { scopeOf } from '../asl/scope';

const NAMES = [
  'a',
  'b',
  'length',
  'sequence',
  'constructor',
  '__proto__',
  '_jsonata_function',
  'cons',
  'toString',
];

const { value } = fc.letrec<{ value: Json; object: JsonObject }>(tie => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom<Json>(null, true, 0, -0, 1.5, '', 'x'),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), tie('value')), {
      maxLength: 4,
      selector: ([name]) => name,
    })
    .map(entries => Object.fromEntries(entries)),
}));

const INPUT = { order: { id: 1 }, list: [{ x: 1 }], odd: { _jsonata_function: true, a: 1 } };

const path = fc
  .tuple(
    fc.constantFrom('states.input', 'v', 'nobody', 'sum'),
    fc.array(fc.constantFrom(...NAMES), { maxLength: 4 }),
  )
  .map(([root, names]) => `$${[root, ...names].join('.')}`);

describe('a plain path without the interpreter', () => {
  test('any path into any data: exactly what the interpreter finds', async () => {
    await fc.assert(
      fc.asyncProperty(path, value, value, async (source, input, variable) => {
        const scope = scopeOf(input, { v: variable });
        const expression = compile(source);
        if (expression.kind === 'invalid') throw new Error(expression.problem);

        const found = expression.readPath(scope);
        if (found.kind === 'unknown') return;
        const interpreted = await expression.interpret(scope);

        const expected = interpreted === undefined ? 'absent' : JSON.stringify(plainJson(interpreted));
        expect(found.kind === 'absent' ? 'absent' : JSON.stringify(found.value)).toBe(expected);
      }),
      { numRuns: runs(200, 2000) },
    );
  });

  test.each([
    ['$states.input', 'value'],
    ['$states.input.order.id', 'value'],
    ['$states.input.order.none', 'absent'],
    ['$states.input.`order`."id"', 'value'],
    ['$v', 'value'],
    ['$states.input.list', 'value'],
    ['$states.input.list.x', 'unknown'],
    ['$states.input.odd', 'value'],
    ['$states.input.odd.a', 'unknown'],
    ['$states.input.list[0]', 'unknown'],
    ['$states.input.list[]', 'unknown'],
    ['$states.input{"a": 1}', 'unknown'],
    ['$states.input^(a)', 'unknown'],
    ['$sum', 'unknown'],
    ['$states.input.*', 'unknown'],
    ['"text"', 'unknown'],
  ])('%s: %s', (source, kind) => {
    const scope = scopeOf(INPUT, { v: 1 });
    const expression = compile(source);

    expect(expression.kind === 'expression' && expression.readPath(scope).kind).toBe(kind);
  });
});
