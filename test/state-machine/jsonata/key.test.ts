import fc from 'fast-check';
import { keyText, recordKey } from '../../../state-machine/contract/idempotency-key';
import { keyExpression } from '../../../state-machine/jsonata/key';
import { evaluate206 } from '../../support/evaluate';
import { runs } from '../../support/scale';

const SINGLE = keyExpression('Pay', { kind: 'single', jsonata: '$states.input.id' });
const COMPOSITE = keyExpression('Pay', {
  kind: 'composite',
  parts: ['$states.input.shop', '$states.input.id'],
});

async function evaluated(expression: string, input: unknown): Promise<unknown> {
  const evaluation = await evaluate206(expression, { states: { input } });
  return 'value' in evaluation ? evaluation.value : 'missing';
}

function expected(key: unknown): string {
  const text = keyText(key);
  return text.kind === 'key' ? recordKey('Pay', text.text) : 'missing';
}

describe('keyExpression', () => {
  test('any key: what the contract says', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 500 });
    const part = fc.oneof(
      text,
      fc.maxSafeInteger(),
      fc.double(),
      fc.constantFrom(null, true, '', '[', 'number:1', {}),
    );
    const key = fc.oneof(part, fc.array(part, { maxLength: 3 }), fc.array(fc.array(part, { maxLength: 2 })));
    await fc.assert(
      fc.asyncProperty(key, async key => {
        const id = JSON.parse(JSON.stringify(key)) as unknown;
        expect(await evaluated(SINGLE, { id })).toBe(expected(id));
      }),
      { numRuns: runs(20, 500) },
    );
  });

  test('a list of one text: not the text', async () => {
    expect(await evaluated(SINGLE, { id: ['a'] })).toBe('Pay#["a"]');
  });

  test('nothing at the path: fails', async () => {
    expect(await evaluated(SINGLE, {})).toBe('missing');
  });

  test('half a surrogate pair: fails', async () => {
    expect(await evaluated(SINGLE, { id: '\ud800' })).toBe('missing');
  });

  test.each([
    ['both parts', { shop: 'x', id: 1 }, 'Pay#["x",1]'],
    ['the first missing', { id: 1 }, 'missing'],
    ['the second missing', { shop: 'x' }, 'missing'],
    ['a part that is a list', { shop: ['x'], id: 1 }, 'missing'],
    ['a part that is null', { shop: 'x', id: null }, 'missing'],
  ])('composite key, %s', async (_, input, key) => {
    expect(await evaluated(COMPOSITE, input)).toBe(key);
  });

  test('a scope with a quote: taken as it is', async () => {
    const expression = keyExpression('it\'s \\ "x"', { kind: 'single', jsonata: '$states.input.id' });
    expect(await evaluated(expression, { id: 'a' })).toBe('it\'s \\ "x"#a');
  });
});
