import fc from 'fast-check';
import { payloadHash } from '../../../state-machine/contract/payload-hash';
import { payloadHashExpression, rejectLargeNumbers } from '../../../state-machine/jsonata/payload';
import { evaluate206 } from '../../support/evaluate';
import { runs } from '../../support/scale';

const HASH = payloadHashExpression('$states.input.payload');
const LARGE = `{% ${rejectLargeNumbers('$states.input.payload', "'none'")} %}`;

async function hashed(payload: unknown): Promise<unknown> {
  const evaluation = await evaluate206(HASH, { states: { input: { payload } } });
  return 'value' in evaluation ? evaluation.value : { thrown: evaluation.thrown };
}

/** The hash, or the message of the error. */
async function hashOrMessage(payload: unknown, expression = HASH): Promise<unknown> {
  const evaluation = await evaluate206(expression, { states: { input: { payload } } });
  return 'value' in evaluation ? evaluation.value : evaluation.message;
}

function hashOrMessageOfContract(payload: unknown): string {
  try {
    return payloadHash(payload);
  } catch (error) {
    return (error as Error).message;
  }
}

function nested(depth: number): unknown {
  return depth === 0 ? 'leaf' : depth % 2 === 0 ? [nested(depth - 1)] : { inner: nested(depth - 1) };
}

describe('payloadHashExpression', () => {
  test('any document: the hash of the contract', async () => {
    const numbers = fc.double({ min: -(2 ** 53 - 1), max: 2 ** 53 - 1, noNaN: true });
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
      { numRuns: runs(30, 100_000) },
    );
  });

  test.each([0.1, -0.5, 1 / 3, 5e-324, -1e-300, 1e-7, 1000000000000000.2, 2 ** 53 - 1, 1e15])(
    'the number %d: as the contract',
    async payload => {
      expect(await hashed(payload)).toBe(payloadHash(payload));
    },
  );

  test('any document with numbers of any size: the hash of the contract, or rejected as by the contract', async () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -3, max: 3 }).map(n => 2 ** 53 + n),
      fc.integer({ min: -3, max: 3 }).map(n => -(2 ** 53) + n),
    );
    const names = fc.dictionary(fc.string(), fc.array(number, { maxLength: 2 }), { maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(names, async numbers => {
        const payload = { list: [numbers], n: 1 };
        const places = Object.entries(numbers).flatMap(([name, list]) => {
          const step = name.replaceAll('~', '~0').replaceAll('/', '~1');
          return list.flatMap((n, i) => (Math.abs(n) < 2 ** 53 ? [] : [`#/list/0/${step}/${i}`]));
        });
        const rejections = places.map(at => `a whole number beyond 2^53 - 1 at ${at}; send it as text`);
        const isHashed = places.length === 0;

        expect(isHashed ? ['none'] : rejections).toContain(await hashOrMessage(payload, LARGE));
        expect(isHashed ? [payloadHash(payload)] : rejections).toContain(hashOrMessageOfContract(payload));
        expect(await hashOrMessage(payload)).toBe(
          isHashed ? payloadHash(payload) : 'a whole number beyond 2^53 - 1; send it as text',
        );
      }),
      { numRuns: runs(60, 5000) },
    );
  });

  test.each([
    [2 ** 53, '#'],
    [{ customer: { id: -(2 ** 53) } }, '#/customer/id'],
    [{ 'a/b': { 'c~d': { é: 2 ** 53 } } }, '#/a~1b/c~0d/é'],
    [{ items: [{ id: 1 }, { id: 1e300 }] }, '#/items/1/id'],
    [{ value: { at: [[[2 ** 53]]] } }, '#/value/at/0/0/0'],
  ])('%j: rejected, with the place %s', async (payload, at) => {
    const message = `a whole number beyond 2^53 - 1 at ${at}; send it as text`;

    expect(await hashOrMessage(payload, LARGE)).toBe(message);
    expect(hashOrMessageOfContract(payload)).toBe(message);
  });

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

  test('no payload: gives nothing, which Step Functions takes for a failure', async () => {
    expect(await hashed(undefined)).toBeUndefined();
  });

  test('half a surrogate pair: fails', async () => {
    expect(await hashed('\ud800')).toEqual({ thrown: expect.stringMatching(/^D3/) });
  });
});
