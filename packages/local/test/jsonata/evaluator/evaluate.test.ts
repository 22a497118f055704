import fc from 'fast-check';
import { runs } from '../../../../../test/support/scale';
import { compile } from '../../../jsonata/compile';
import { plainJson } from '../../../jsonata/result';
import { scopeOf } from '../../asl/scope';
import { expressions, VARIABLES } from './expressions';

/** What our evaluator says, and what the interpreter says. */
async function both(source: string) {
  const compiled = compile(source);
  if (compiled.kind === 'invalid') return undefined;
  const scope = scopeOf({}, VARIABLES);
  const computed = compiled.compute(scope);
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
      { numRuns: runs(150, 1500) },
    );
    expect(JSON.stringify(VARIABLES)).toBe(before);
  });
});
