import fc from 'fast-check';
import { RESULT_TEXT_MAX } from '../../../../state-machine/contract/record';
import { storedResult } from '../../../../state-machine/workflow/states/finalize';
import { RESULT_OF_RECORD } from '../../../../state-machine/workflow/states/stored-record';
import { evaluate206 } from '../../../support/evaluate';
import { runs } from '../../../support/scale';

async function evaluated(expression: string, variables: Record<string, unknown>): Promise<unknown> {
  const evaluation = await evaluate206(expression, variables);
  if ('thrown' in evaluation) throw new Error(evaluation.thrown);
  return evaluation.value;
}

const stored = (result: unknown) => evaluated(storedResult(), { states: { input: result } });

describe('the stored result', () => {
  test('any document: exactly itself when read again, or not stored', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async value => {
        const result = JSON.parse(JSON.stringify(value)) as unknown;
        const attribute = await stored(result);
        if (JSON.stringify(attribute) === '{"S":"ELSEWHERE"}') return;
        expect(await evaluated(RESULT_OF_RECORD, { record: { result: attribute } })).toEqual(result);
      }),
      { numRuns: runs(50, 500) },
    );
  });

  test.each([[null], [''], ['text'], [0], [false], [[]], [[[]]], [[5]], [{}], [{ a: [null] }], [0.1]])(
    '%j: stored as its JSON text',
    async result => {
      expect(await stored(result)).toEqual({ S: JSON.stringify(result) });
    },
  );

  test.each([[1234567890123456], [{ a: [0.12345678901234566] }]])(
    '%j, which 15 digits cannot say: not stored',
    async result => {
      expect(await stored(result)).toEqual({ S: 'ELSEWHERE' });
    },
  );

  test.each([
    ['the longest text', 'x'.repeat(RESULT_TEXT_MAX - 4), true],
    ['one character more', 'x'.repeat(RESULT_TEXT_MAX - 3), false],
    ['quotes count as they are escaped', '"'.repeat(RESULT_TEXT_MAX / 3), false],
  ])('%s', async (_, result, fits) => {
    expect(await stored(result)).toEqual({ S: fits ? JSON.stringify(result) : 'ELSEWHERE' });
  });
});
