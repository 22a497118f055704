import fc from 'fast-check';
import { payloadHash } from '../../../state-machine/contract/payload-hash';
import { payloadHashExpression } from '../../../state-machine/jsonata/payload';
import { evaluate206 } from '../../support/evaluate';
import { runs } from '../../support/scale';

const HASH = payloadHashExpression('$states.input.payload');

async function hashed(payload: unknown): Promise<unknown> {
  const evaluation = await evaluate206(HASH, { states: { input: { payload } } });
  return 'value' in evaluation ? evaluation.value : evaluation;
}

function nested(depth: number): unknown {
  return depth === 0 ? 'leaf' : depth % 2 === 0 ? [nested(depth - 1)] : { inner: nested(depth - 1) };
}

describe('payloadHashExpression', () => {
  test('any document: the hash of the contract', async () => {
    const numbers = fc.double({ noDefaultInfinity: true, noNaN: true });
    const { tree } = fc.letrec(tie => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        numbers,
        fc.maxSafeInteger(),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('tree'), { maxLength: 4 }),
      object: fc.dictionary(fc.string(), tie('tree'), { maxKeys: 4 }),
    }));
    await fc.assert(
      fc.asyncProperty(tree, async tree => {
        const payload = JSON.parse(JSON.stringify(tree)) as unknown;
        expect(await hashed(payload)).toBe(payloadHash(payload));
      }),
      { numRuns: runs(30, 300) },
    );
  });

  test.each([0.1, -0.5, 1 / 3, 5e-324, 1e-7, 1000000000000000.2, 2 ** 53, 1e15, 1e21, Number.MAX_VALUE])(
    'the number %d: as the contract',
    async payload => {
      expect(await hashed(payload)).toBe(payloadHash(payload));
    },
  );

  test.each([[[]], [[[]]], [[[1]]], [['a']], [{}], [[{}]], [null], [[null]], [0], ['']])(
    '%j: as the contract',
    async payload => {
      expect(await hashed(payload)).toBe(payloadHash(payload));
    },
  );

  test('more levels than AWS allows an evaluation to nest: as the contract', async () => {
    const payload = nested(runs(110, 200));

    expect(await hashed(payload)).toBe(payloadHash(payload));
  });

  test('no payload: fails', async () => {
    expect(await hashed(undefined)).toEqual({ thrown: 'D3137' });
  });

  test('half a surrogate pair: fails', async () => {
    expect(await hashed('\ud800')).toEqual({ thrown: expect.stringMatching(/^D3/) });
  });
});
