import fc from 'fast-check';
import {
  type ExecutionNames,
  executionName,
  retryName,
} from '../../../state-machine/contract/execution-name';
import { keyText } from '../../../state-machine/contract/idempotency-key';
import { nameExpression, retryNameExpression } from '../../../state-machine/jsonata/key';
import { keySource } from '../../../state-machine/key-source';
import { evaluate206 } from '../../support/evaluate';
import { runs } from '../../support/scale';

const KEY = keySource('{% $states.input.id %}');
const NAMINGS = ['readable', 'hash'] as const;
const NAME = nameExpression(KEY, 'readable');
const SUFFIX = '0123456789abcdef';
const RETRY = retryNameExpression(`'${SUFFIX}'`);

async function evaluated(expression: string, id: unknown): Promise<unknown> {
  const evaluation = await evaluate206(expression, { states: { input: { id } } });
  return 'value' in evaluation && evaluation.value !== undefined ? evaluation.value : 'missing';
}

function expected(key: unknown, names: ExecutionNames = 'readable'): string {
  const text = keyText(key);
  return text.kind === 'key' ? executionName(text.text, names) : 'missing';
}

describe('nameExpression', () => {
  test.each(NAMINGS)(
    'any key, %s: the name that the contract says, which Step Functions takes',
    async names => {
      const naming = nameExpression(KEY, names);
      const retrying = retryNameExpression(`'${SUFFIX}'`, { key: KEY, executionNames: names });
      const text = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 500 }),
        fc.stringMatching(/^[0-9A-Za-z_-]{1,90}$/),
        fc.stringMatching(/^[0-9A-Za-z_\-/ \n]{1,90}$/),
      );
      const part = fc.oneof(text, fc.maxSafeInteger(), fc.constantFrom(null, true, ''));
      await fc.assert(
        fc.asyncProperty(fc.oneof(part, fc.array(part, { maxLength: 3 })), async key => {
          const id = JSON.parse(JSON.stringify(key)) as unknown;
          const name = await evaluated(naming, id);
          expect(name).toBe(expected(id, names));
          const retried = name === 'missing' ? name : retryName(String(name), SUFFIX);
          expect(await evaluated(retrying, id)).toBe(retried);
          if (name === 'missing') return;
          expect(name).toMatch(/^[0-9A-Za-z_-]{1,80}$/);
          const { value } = (await evaluate206(RETRY, { name })) as { readonly value: unknown };
          expect(value).toBe(retried);
        }),
        { numRuns: runs(20, 100_000) },
      );
    },
  );

  test.each([
    ['80 characters: the key itself', 'x'.repeat(80), 'x'.repeat(80)],
    ['a line break at the end: not the key without it', 'a\n', expected('a\n')],
    ['nothing', undefined, 'missing'],
  ])('%s', async (_, id, name) => {
    expect(await evaluated(NAME, id)).toBe(name);
  });
});
