import fc from 'fast-check';
import { runs } from '../../../../../../test/support/scale';
import { compile } from '../../../../language/jsonata/compile';
import { plainJson } from '../../../../language/jsonata/result';
import { scopeOf } from '../../asl/scope';
import { expressions, VARIABLES } from './expressions';

/** What our evaluator says, and what the interpreter says. */
async function both(source: string, variables = VARIABLES) {
  const compiled = compile(source);
  if (compiled.kind === 'invalid') return undefined;
  const scope = scopeOf({}, variables);
  const computed = compiled.compute(scope, 'own');
  const interpreted = await compiled.interpret(scope).then(shown, error => `! ${error.code ?? error}`);
  return { computed: computed.kind === 'value' ? shown(computed.value) : 'unknown', interpreted };
}

function shown(result: unknown): string {
  if (result === undefined) return 'undefined';
  const json = plainJson(result);
  return json === undefined ? 'function' : JSON.stringify(json);
}

describe('our evaluator against the interpreter', () => {
  test('generated expressions: the same result, or none', async () => {
    const before = JSON.stringify(VARIABLES);
    await fc.assert(
      fc.asyncProperty(expressions, async source => {
        const results = await both(source);
        if (results && results.computed !== 'unknown') expect(results.computed).toBe(results.interpreted);
      }),
      { numRuns: Number(process.env['ONCEFLOW_EXPRESSIONS'] ?? runs(150, 1500)) },
    );
    expect(JSON.stringify(VARIABLES)).toBe(before);
  }, 600_000);

  // Each of these is answered by our evaluator, or left to the interpreter for the reason that stands beside it.
  test.each([
    ['$map([1, 2], function($v){ $filter([7], function($w){ true }) })', '[[7],[7]]'],
    ['$map([1, 2], function($v){ $filter([7], function($w){ false }) })', '[[],[]]'],
    ['$map([{"a": 1}, {"b": 2}], function($i){ $keys($i) })', '[["a"],["b"]]'],
    ['$map([5], function($v){ $v > 3 ? $filter([7], function($w){ true }) : $v })', '[7]'],
    ['($f := function($n){ $n = 0 ? "done" : $f($n - 1) }; $f(2000))', '"done"'],
    ['$filter([1], function($v){ $not() })', '1'],
    ['($x := $map(0, $keys); $string($x) & $x)', '""'],
    ['($f := function($x){ [$x] }; $f($map(0, $keys)))', '[]'],
    ['$map(["a", "b"], function($v, $i){ $i })', '[0,1]'],
    ['$map(["a", "b"], function($v, $i, $all){ $count($all) })', '[2,2]'],
    ['$filter(["a", "b"], function($v, $i){ $i = 1 })', '"b"'],
    ['$each({"k": 1}, function($v, $name){ $name })', '"k"'],
    ['$sift({"k": 1, "l": 2}, function($v, $name){ $name = "l" })', '{"l":2}'],
    ['$join(["a", "b"])', '"ab"'],
    ['$join(["a", 1])', '! T0412'],
    ['$sum([1, "2"])', '! T0412'],
    ['$string({"f": $sum, "g": [function($x){ $x }]})', '"{\\"f\\":\\"\\",\\"g\\":[\\"\\"]}"'],
  ])('%s: %s', async (source, result) => {
    const { computed, interpreted } = (await both(source)) ?? {};

    expect(interpreted).toBe(result);
    expect([result, 'unknown']).toContain(computed);
  });

  test.each([
    ['$length', '3'],
    ['$length + $count([1])', '4'],
    ['$map([1], $sum)', '! T0410'],
    ['($length := 4; $length)', '4'],
    ['$length("ab")', '! T1006'],
  ])('%s where variables have the names of functions: %s', async (source, result) => {
    const { computed, interpreted } = (await both(source, { length: 3, sum: 'x' })) ?? {};

    expect(interpreted).toBe(result);
    expect([result, 'unknown']).toContain(computed);
  });

  test.each(['frame', 'input', 'body.frame', 'target', 'source', 'run'])(
    'a function has no member %s',
    async member => {
      const results = await both(`(function($x){ $x }).${member}`);

      expect(results?.computed).toBe('unknown');
    },
  );

  test.each(['$spread', '$keys', '$string', '$each', '$merge'])(
    '%s of a function: nothing of the evaluator is seen',
    async name => {
      const { computed, interpreted } = (await both(`${name}(function($x){ $x * $x })`)) ?? {};

      expect([interpreted, 'unknown']).toContain(computed);
    },
  );
});
