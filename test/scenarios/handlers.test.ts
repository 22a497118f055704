import { Recovery } from '../../infra/index';
import { stopping } from '../support/faults';
import type { Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const mapping = {
  stepInput: {
    body: '{% $string($states.input.detail) %}',
    key: '{% $idempotencyKey & "/" & $string($attempt) %}',
  },
  stepResult: '{% $states.result.body %}',
};
const MAPPED: Variant = { name: 'mapped', workflow: mapping };
const RECOVERED: Variant = {
  name: 'mapped, with recovery',
  workflow: { ...mapping, recovery: Recovery.automatic() },
};
/** An order without a currency has no input for the step. */
const demanding = { ...mapping, stepInput: '{% $uppercase($states.input.detail.currency) %}' };
const DEMANDING: Variant = { name: 'demanding', workflow: demanding };
const AT_MOST_ONCE: Variant = {
  name: 'demanding, at most once',
  workflow: { ...demanding, delivery: 'at-most-once' },
};
const answer = returns({ statusCode: 200, body: { charge: 'ch_1' } });

describe('a handler as it is', () => {
  let world: World;
  afterEach(() => world.close());

  test('its input is what was asked for; the result is picked, and is that of a duplicate', async () => {
    world = await openWorld(MAPPED);
    world.step = () => answer;
    const first = await world.delivered(ORDER);
    const duplicate = await world.delivered(ORDER);

    expect(world.runs).toEqual([{ body: JSON.stringify(ORDER), key: `${KEY}/1` }]);
    expect([first.output, duplicate.output]).toEqual(['{"charge":"ch_1"}', '{"charge":"ch_1"}']);
    expect(await world.record(KEY)).toMatchObject({ result: { S: '{"charge":"ch_1"}' } });
  });

  test('the answer has nothing to pick: the whole answer is the result, and nothing runs again', async () => {
    world = await openWorld(MAPPED);
    world.step = () => returns({ statusCode: 204 });
    const first = await world.delivered(ORDER);
    const duplicate = await world.delivered(ORDER);

    expect([first, duplicate]).toEqual([
      expect.objectContaining({ status: 'SUCCEEDED', output: '{"statusCode":204}' }),
      expect.objectContaining({ status: 'SUCCEEDED', output: '{"statusCode":204}' }),
    ]);
    expect(world.runs).toHaveLength(1);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' }, result: { S: 'ELSEWHERE' } });
  });

  test('a result that text cannot hold exactly: picked all the same, and read from the owner', async () => {
    world = await openWorld(MAPPED);
    world.step = () => returns({ body: 0.1234567890123456 });
    await world.delivered(ORDER);

    expect(await world.delivered(ORDER)).toMatchObject({ output: '0.1234567890123456' });
  });

  test('the owner is stopped before its record is finished: redriven, it picks the same', async () => {
    world = await openWorld(RECOVERED);
    world.step = () => answer;
    world.faults = stopping(world, 'Record the result', 'before');
    const owner = await world.delivered(ORDER);

    expect(owner).toMatchObject({ output: '{"charge":"ch_1"}', redriveCount: 1 });
    expect(world.runs).toHaveLength(1);
  });

  test('an input that cannot be made: the step has failed and not run; the next delivery tries again', async () => {
    world = await openWorld(DEMANDING);
    const { currency: _, ...wrong } = ORDER;
    world.step = () => answer;
    const ends = [
      await world.delivered({ ...wrong, currency: 7 }),
      await world.delivered({ ...wrong, currency: 7 }),
    ];

    expect(ends.map(({ error }) => error)).toEqual([
      'States.QueryEvaluationError',
      'States.QueryEvaluationError',
    ]);
    expect(world.runs).toEqual([]);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'FAILED' }, attempt: { N: '2' } });
  });

  test('the same at most once: held, because it cannot be told from an answer that could not be read', async () => {
    world = await openWorld(AT_MOST_ONCE);
    const end = await world.delivered({ ...ORDER, currency: 7 });

    expect(end).toMatchObject({ status: 'FAILED', error: 'Idempotency.InDoubt' });
    expect(world.runs).toEqual([]);
  });

  test('at most once, an answer that has nothing to pick: finished, and not in doubt', async () => {
    world = await openWorld(AT_MOST_ONCE);
    world.step = () => returns('charged');

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '"charged"' });
  });

  test('a step that fails: its own error, whatever would be picked', async () => {
    world = await openWorld(MAPPED);
    world.step = () => fails('CardDeclined', 'no money');

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'CardDeclined', cause: 'no money' });
  });
});
