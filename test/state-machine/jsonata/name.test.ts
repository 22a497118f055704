import fc from 'fast-check';
import { executionName, retryName } from '../../../state-machine/contract/execution-name';
import { keyText } from '../../../state-machine/contract/idempotency-key';
import { nameExpression, retryNameExpression } from '../../../state-machine/jsonata/key';
import { evaluate206 } from '../../support/evaluate';
import { runs } from '../../support/scale';

const NAMINGS = ['readable', 'hash'] as const;
const NAME = nameExpression('$states.input.key', 'readable');
const SUFFIX = '0123456789abcdef';
const RETRY = retryNameExpression(`'${SUFFIX}'`);

async function nameOf(expression: string, key: string): Promise<unknown> {
  const { value } = (await evaluate206(expression, { states: { input: { key } } })) as {
    readonly value: unknown;
  };
  return value;
}

function textOf(key: unknown): string {
  const text = keyText(key);
  return text.kind === 'key' ? text.text : '-';
}

describe('nameExpression', () => {
  test.each(NAMINGS)(
    'any key, %s: the name that the contract says, which Step Functions takes',
    async names => {
      const naming = nameExpression('$states.input.key', names);
      const text = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 500 }),
        fc.stringMatching(/^[0-9A-Za-z_-]{1,90}$/),
        fc.stringMatching(/^[0-9A-Za-z_\-/ \n]{1,90}$/),
        fc.stringMatching(/^[a-z]{0,70}-(redelivery|recovery)-[0-9a]{0,3}[a-z-]{0,9}$/),
      );
      const part = fc.oneof(text, fc.maxSafeInteger(), fc.constantFrom(null, true, ''));
      await fc.assert(
        fc.asyncProperty(fc.oneof(part, fc.array(part, { maxLength: 3 })), async key => {
          const text = textOf(JSON.parse(JSON.stringify(key)));
          const name = await nameOf(naming, text);
          expect(name).toBe(executionName(text, names));
          expect(name).toMatch(/^[0-9A-Za-z_-]{1,80}$/);
          const { value } = (await evaluate206(RETRY, { name })) as { readonly value: unknown };
          expect(value).toBe(retryName(String(name), SUFFIX));
        }),
        { numRuns: runs(20, 100_000) },
      );
    },
  );

  test.each([
    ['80 characters: the key itself', 'x'.repeat(80), 'x'.repeat(80)],
    ['a line break at the end: not the key without it', 'a\n', executionName('a\n')],
  ])('%s', async (_, key, name) => {
    expect(await nameOf(NAME, key)).toBe(name);
  });
});
