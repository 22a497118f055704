import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { claimsIn, keptInQueue, settingsOfMachine } from '../../../cli/definition/claims';
import { settingsOf, stepTimeoutOf, whyUnread } from '../../../cli/definition/workflow-settings';
import { evaluate206 } from '../../support/evaluate';
import { runs } from '../../support/scale';

const FOLDER = path.join(__dirname, '../../golden');
const DEFINITIONS = readdirSync(FOLDER).map(name => readFileSync(path.join(FOLDER, name), 'utf8'));
const EXPRESSION = /^\{%[\s\S]*%\}$/;

/** An expression in which each local variable has another name. */
function renamed(expression: string, suffix: string): string {
  const bound = [...expression.matchAll(/\$(\w+)\s*:=/g)].map(([, name = '']) => name);
  const given = [...expression.matchAll(/function\(([^)]*)\)/g)].flatMap(([, names = '']) =>
    [...names.matchAll(/\$(\w+)/g)].map(([, name = '']) => name),
  );
  const locals = new Set([...bound, ...given]);
  return expression.replace(/\$(\w+)/g, (all, name) => (locals.has(name) ? `${all}${suffix}` : all));
}

/** The same with its sums and conditions in another order; its value may be another one. */
function reordered(expression: string): string {
  const swap = (text: string, sign: string) => text.split(sign).reverse().join(sign);
  return `{%${[' + ', ' and ', ' or '].reduce(swap, expression.slice(2, -2))}%}`;
}

/** A definition with each expression changed. */
function withExpressions(definition: string, change: (expression: string) => string): string {
  const parsed = JSON.parse(definition, (_name, value) =>
    typeof value === 'string' && EXPRESSION.test(value) ? change(value) : value,
  );
  return JSON.stringify(parsed);
}

/** What the commands read of a definition, except the text of the key, which they evaluate. */
function readFrom(definition: string) {
  const claims = claimsIn(definition).map(claim => {
    const { keyExpression: _, states: _states, ...read } = claim;
    const settings = claim.settings.kind === 'settings' ? claim.settings.settings : undefined;
    const isOfWorkflow = settings?.machine === 'workflow' || settings?.machine === 'fragment';
    const own = isOfWorkflow ? settingsOf(claim, settings) : undefined;
    const { keyExpression, ...others } = own ?? { keyExpression: undefined };
    const step = stepTimeoutOf(claim);
    return { read, others, isKnown: keyExpression !== undefined, step, why: whyUnread(claim.settings) };
  });
  return { claims, settings: settingsOfMachine(definition), queue: keptInQueue(definition) };
}

const suffix = fc.stringMatching(/^_[a-z]{1,8}$/);

describe('a definition whose expressions are written in another way', () => {
  test('each golden definition, its variables renamed, its sums and conditions reordered: read as before', () => {
    let changedCount = 0;
    const any = fc.tuple(fc.constantFrom(...DEFINITIONS), suffix, fc.infiniteStream(fc.boolean()));
    fc.assert(
      fc.property(any, ([definition, ending, isReordered]) => {
        const changed = withExpressions(definition, expression => {
          const text = renamed(expression, ending);
          return isReordered.next().value ? reordered(text) : text;
        });

        if (changed !== withExpressions(definition, expression => expression)) changedCount += 1;
        expect(readFrom(changed)).toEqual(readFrom(definition));
      }),
      { numRuns: runs(60, 600) },
    );
    // A definition without local variables stays the same if nothing in it is reordered.
    expect(changedCount).toBeGreaterThan(30);
  });

  test('the key with its variables renamed: the same text of the same event', async () => {
    const claims = DEFINITIONS.flatMap(claimsIn);
    const input = { detail: { orderId: 'order-7', shop: 'a,b', amount: 12.5 }, id: 'i', orderId: 'order-7' };
    const context = { Execution: { Input: input, Name: 'n' } };
    const keys: unknown[] = [];
    for (const { keyExpression } of claims) {
      const other = renamed(keyExpression, '_x');
      const values = [keyExpression, other].map(text =>
        evaluate206(`{%${text}%}`, { states: { input, context } }),
      );
      const [before, after] = await Promise.all(values);

      expect(other).not.toBe(keyExpression);
      expect(after).toEqual(before);
      if (before && 'value' in before) keys.push(before.value);
    }
    expect(keys.length).toBeGreaterThan(10);
  });
});
