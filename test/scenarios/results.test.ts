import type { Json, ServiceResult } from '@onceflow/local';
import fc from 'fast-check';
import { at, failing, noFault } from '../support/faults';
import { runs } from '../support/scale';
import { fails, openWorld, returns, type World } from '../support/world';

describe('the result of a duplicate', () => {
  let world: World;
  let orders = 0;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  async function deliveredTwice(result: Json) {
    orders += 1;
    const order = { orderId: orders, amount: 1, currency: 'EUR' };
    world.step = () => returns(result);
    const first = await world.delivered(order);
    world.step = () => returns('a second run');
    return { order, first, duplicate: await world.delivered(order) };
  }

  const results: [string, Json][] = [
    ['null', null],
    ['false', false],
    ['zero', 0],
    ['the empty text', ''],
    ['a text', 'ok'],
    ['an empty list', []],
    ['an empty list in a list', [[]]],
    ['a list of one', [5]],
    ['a list of one list of one', [['a']]],
    ['an empty object', {}],
    ['null in an object', { a: null, b: [null] }],
    ['a fraction of 17 digits', { amount: 0.12345678901234566 }],
    ['a number of 16 digits', [1234567890123456]],
    ['very small and very large numbers', [5e-324, 1e21, 1.7976931348623157e308]],
    ['a name that objects have', { constructor: 1, toString: 'x', length: 0 }],
    ['text that looks like an expression', '{% $states.input %}'],
    ['100,000 characters, more than the record keeps', 'x'.repeat(100_000)],
  ];
  test.each(results)('%s: equal to the first', async (_, result) => {
    const { first, duplicate } = await deliveredTwice(result);

    expect([first.status, duplicate.status]).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(JSON.parse(first.output ?? '')).toEqual(result);
    expect(JSON.parse(duplicate.output ?? '')).toEqual(result);
    expect(world.stack.runtime.billedTransitions(duplicate.executionArn)).toBe(4);
  });

  test('a function that answers nothing: null', async () => {
    orders += 1;
    const order = { orderId: orders, amount: 1, currency: 'EUR' };
    world.step = () => ({ kind: 'succeeded', output: { ExecutedVersion: '$LATEST', StatusCode: 200 } });

    expect(await world.delivered(order)).toMatchObject({ status: 'SUCCEEDED', output: 'null' });
    expect(await world.delivered(order)).toMatchObject({ status: 'SUCCEEDED', output: 'null' });
  });

  test('any JSON: equal to the first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async value => {
        const result = JSON.parse(JSON.stringify(value)) as Json;
        const { first, duplicate } = await deliveredTwice(result);
        expect(JSON.parse(first.output ?? '')).toEqual(result);
        expect(duplicate.output).toBe(first.output);
      }),
      { numRuns: runs(15, 60) },
    );
  }, 60_000);

  test.each([-1.7976931348623151e308, Number.MAX_VALUE])(
    'the number %d, which $string would write as null: equal to the first',
    async value => {
      const { first, duplicate } = await deliveredTwice(value);

      expect(duplicate.output).toBe(first.output);
    },
  );

  test.each<[string, (answer: ServiceResult) => ServiceResult]>([
    [
      'whose output cannot be seen yet',
      answer => {
        if (answer.kind === 'failed') return answer;
        const { Output: _, ...unfinished } = answer.output as Record<string, Json>;
        return { kind: 'succeeded', output: { ...unfinished, Status: 'RUNNING' } };
      },
    ],
    ['which cannot be seen yet', () => fails('Sfn.ExecutionDoesNotExistException')],
  ])('kept in the owner, %s: waits for it', async (_, behind) => {
    let looks = 0;
    world.faults = at("Return the owner's result", async (_call, next) => {
      looks += 1;
      return looks > 2 ? next() : behind(await next());
    });

    const { duplicate } = await deliveredTwice(0.12345678901234566);

    world.faults = noFault;
    expect(duplicate.output).toBe('0.12345678901234566');
    expect(looks).toBe(3);
  });

  test('kept in the owner, whose output is too long to be read: says so at once', async () => {
    let looks = 0;
    world.faults = at("Return the owner's result", async () => {
      looks += 1;
      return fails('States.DataLimitExceeded');
    });

    const { duplicate } = await deliveredTwice(0.12345678901234566);

    world.faults = noFault;
    expect(duplicate).toMatchObject({ status: 'FAILED', error: 'Idempotency.ResultUnavailable' });
    expect(looks).toBe(1);
  });

  test('kept in the owner, who is gone: fails by name and says where it was', async () => {
    world.faults = failing("Return the owner's result", 'Sfn.ExecutionDoesNotExistException');

    const { first, duplicate } = await deliveredTwice(0.12345678901234566);

    world.faults = noFault;
    expect(duplicate).toMatchObject({ status: 'FAILED', error: 'Idempotency.ResultUnavailable' });
    expect(JSON.parse(duplicate.cause ?? '')).toMatchObject({
      owner: first.executionArn,
      status: 'COMPLETED',
    });
  });
});
