import fc from 'fast-check';
import { runs } from '../../../../../test/support/scale';
import { Usage } from '../../../language/jsonata/limits';
import { functionsOf, originalOf } from '../../../language/jsonata/originals';
import { registerTexts, toText } from '../../../language/jsonata/texts';

const OURS = functionsOf(['length', 'substring'], expression => registerTexts(expression, () => new Usage()));

function both(name: 'length' | 'substring', args: readonly unknown[]) {
  const ours = OURS.get(name);
  if (!ours) throw new Error(`no ${name}`);
  return [
    Reflect.apply(ours.implementation, {}, args),
    Reflect.apply(originalOf(name).implementation, {}, args),
  ];
}

const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
const place = fc.oneof(fc.integer({ min: -12, max: 12 }), fc.double({ min: -12, max: 12, noNaN: true }));

test('any text: $length and $substring are what the package makes of it', () => {
  fc.assert(
    fc.property(text, place, fc.option(place, { nil: undefined }), (given, start, length) => {
      const [ours, original] = both('substring', [given, start, length]);

      expect(ours).toBe(original);
      expect(both('length', [given])[0]).toBe(both('length', [given])[1]);
    }),
    { numRuns: runs(1000, 20_000) },
  );
});

test('any value: $string writes each number with 15 digits, and all else as it is', () => {
  const rounded = (_: string, part: unknown) =>
    typeof part === 'number' ? Number(part.toPrecision(15)) : part;

  fc.assert(
    fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.object({ maxDepth: 3 })), value => {
      const json = JSON.parse(JSON.stringify(value));

      expect(toText(json)).toBe(JSON.stringify(json, rounded));
    }),
    { numRuns: runs(1000, 20_000) },
  );
});

test('a text of 4,194,305 characters within a value: is more than there is memory for', () => {
  expect(() => toText(['x'.repeat(2 ** 22)])).toThrow('memory');
});
