import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StartOnceResult } from '../../client/index';
import { startOnceIn } from '../../client/start-once';
import { REAL_TIME } from '../../client/time';
import { FailureDestination } from '../../infra/index';
import { executionName } from '../../state-machine/contract/execution-name';
import type { EpochMs } from '../../state-machine/contract/time';
import { runs } from '../support/scale';
import { gate, openWorld, returns, until, type World } from './world';

const WAIT = { waitUpTo: 30_000 };
const DECLINED = { kind: 'failed', error: 'CardDeclined', cause: 'no money' } as const;

const order = (orderId: string, more: object = {}) => ({
  detail: { orderId, amount: 12.5, currency: 'EUR' },
  ...more,
});
const resultOf = (answer: StartOnceResult) => ('result' in answer ? answer.result : answer);

describe('startOnce', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.close());

  test('a new key: started, with the result when it is waited for', async () => {
    const answer = await world.startOnce('order-1', WAIT);

    expect(answer).toEqual({
      outcome: 'started',
      executionArn: expect.stringMatching(/:execution:.+:order-1$/),
      result: { charge: 1 },
    });
    expect(await world.record('order-1')).toMatchObject({ owner: { S: answer.executionArn } });
  });

  test('without waiting: started as soon as it is, without a result', async () => {
    const { passed, open } = gate();
    world.step = async () => {
      await passed;
      return returns('paid');
    };

    const answer = await world.startOnce('order-1');

    expect(answer).toEqual({ outcome: 'started', executionArn: expect.stringMatching(/:order-1$/) });
    open();
  });

  test.each([
    ['waited for or not: waited for', WAIT],
    ['not waited for', {}],
  ])('again when finished, %s: the stored result, and no execution', async (_, more) => {
    const first = await world.startOnce('order-1', WAIT);

    const again = await world.startOnce('order-1', more);

    expect(again).toEqual({ outcome: 'duplicate', executionArn: first.executionArn, result: { charge: 1 } });
    expect(await world.executions()).toEqual(['order-1']);
  });

  test('again while it runs, members in another order: the same execution, and no other', async () => {
    const { passed, open } = gate();
    world.step = async () => {
      await passed;
      return returns('paid');
    };
    const first = await world.startOnce('order-1');
    const input = { detail: { currency: 'EUR', amount: 12.5, orderId: 'order-1', note: undefined } };

    const again = await world.startOnce('order-1', { input });
    open();
    const waited = await world.startOnce('order-1', { ...WAIT, input });

    expect(again).toEqual(first);
    expect(resultOf(waited)).toBe('paid');
    expect(await world.executions()).toEqual(['order-1']);
  });

  test('many calls at once: one run, one execution, one result', async () => {
    const calls = Array.from({ length: runs(10, 50) }, () => world.startOnce('order-1', WAIT));
    const answers = await Promise.all(calls);

    expect(answers.map(resultOf)).toEqual(calls.map(() => ({ charge: 1 })));
    expect(world.runs).toEqual(['ChargePayment#order-1 1']);
    expect(await world.executions()).toEqual(['order-1']);
  }, 60_000);

  test('many calls at once whose inputs differ beside the payload: one run, one result', async () => {
    const calls = Array.from({ length: runs(10, 50) }, (_, request) =>
      world.startOnce('order-1', { ...WAIT, input: order('order-1', { request }) }),
    );
    const answers = await Promise.all(calls);

    expect(answers.map(resultOf)).toEqual(calls.map(() => ({ charge: 1 })));
    expect(answers.filter(({ outcome }) => outcome === 'started')).toHaveLength(1);
    expect(new Set(answers.map(({ executionArn }) => executionArn)).size).toBe(1);
    expect(world.runs).toHaveLength(1);
  }, 60_000);

  test('the step fails: failed, with its own error; the next call runs it again', async () => {
    world.step = () => DECLINED;
    const first = await world.startOnce('order-1', WAIT);
    world.step = () => returns('paid');

    const second = await world.startOnce('order-1', WAIT);

    expect(first).toEqual({
      outcome: 'failed',
      executionArn: expect.stringMatching(/:order-1$/),
      error: 'CardDeclined',
      cause: 'no money',
    });
    expect(second).toEqual({
      outcome: 'started',
      executionArn: expect.stringMatching(/:order-1-[0-9a-f]{16}$/),
      result: 'paid',
    });
    expect(world.runs).toEqual(['ChargePayment#order-1 1', 'ChargePayment#order-1 2']);
  });

  test('the record has expired, the name is still taken: runs anew', async () => {
    await world.startOnce('order-1', WAIT);
    await world.expire('order-1', Math.floor(Date.now() / 1000));

    const later = await world.startOnce('order-1', WAIT);

    expect(later).toMatchObject({ outcome: 'started', result: { charge: 2 } });
    expect(await world.record('order-1')).toMatchObject({ owner: { S: later.executionArn } });
  });

  test('ended before it claimed anything, the name is taken: runs under another', async () => {
    const { stateMachineArn } = world.options('order-1');
    const { executionArn } = await world.sfn.startExecution({
      stateMachineArn,
      name: 'order-1',
      input: '{}',
    });
    await until(async () => (await world.sfn.describeExecution({ executionArn })).status === 'FAILED');

    const answer = await world.startOnce('order-1', WAIT);

    expect(answer).toMatchObject({ outcome: 'started', result: { charge: 1 } });
  });

  test('stopped while it owned the key: in progress until it is redriven, then its result', async () => {
    const { passed, open } = gate();
    world.step = async () => {
      await passed;
      return returns('paid');
    };
    const { executionArn } = await world.startOnce('order-1');
    await until(() => world.runs.length === 1);
    await world.sfn.stopExecution({ executionArn });

    const meanwhile = await world.startOnce('order-1', { waitUpTo: 300 });
    const waiting = world.startOnce('order-1', WAIT);
    // Its first start has been rejected by the record when it makes a second one.
    await until(async () => (await world.executions()).length >= 5);
    open();
    await world.sfn.redriveExecution({ executionArn });

    expect(meanwhile.outcome).toBe('inProgress');
    expect(await waiting).toEqual({ outcome: 'duplicate', executionArn, result: 'paid' });
  }, 60_000);

  test('two keys with one name: each has its own run', async () => {
    const other = executionName('order 1');

    const answers = [
      await world.startOnce('order 1', WAIT),
      await world.startOnce(other, WAIT),
      await world.startOnce(other),
    ];

    expect(answers.map(resultOf)).toEqual([{ charge: 1 }, { charge: 2 }, { charge: 2 }]);
    expect(world.runs).toEqual(['ChargePayment#order 1 1', `ChargePayment#${other} 1`]);
  });

  test('a name that another payload had, and a record that is this payload no more: rejected', async () => {
    await world.startOnce('order-1', WAIT);
    await world.expire('order-1', 1);
    const input = { detail: { orderId: 'order-1', amount: 13, currency: 'EUR' } };
    await world.startOnce('order-1', { ...WAIT, input });

    await expect(world.startOnce('order-1', WAIT)).rejects.toMatchObject({ name: 'PayloadMismatchError' });
  });

  test.each([
    ['digits', 0.123_456_789_012_345_68],
    ['a list', [1234567890.1234567, 5e-324, -0.1, 'ä"\\']],
  ])('a result that the record cannot hold, %s: exactly it, also for duplicates', async (_, result) => {
    world.step = () => returns(result);

    const first = await world.startOnce('order-1', WAIT);
    const again = await world.startOnce('order-1');
    const asked = await world.startOnce('order-1', { ...WAIT, input: order('order-1', { request: 2 }) });

    expect(await world.record('order-1')).toMatchObject({ result: { S: 'ELSEWHERE' } });
    expect([first, again, asked].map(resultOf)).toEqual([result, result, result]);
    expect(asked).toMatchObject({ outcome: 'duplicate', executionArn: first.executionArn });
  });

  test('another workflow of the table: its record of the same key says nothing', async () => {
    await world.startOnce('order-1', WAIT);

    const answer = world.startOnce('order-1', { ...WAIT, scope: 'Other' });

    await expect(answer).rejects.toMatchObject({
      name: 'StartOnceError',
      message: expect.stringMatching(/no record of "Other#order-1"; compare `table`, `scope` and `key`/),
    });
    expect(world.runs).toHaveLength(1);
  });
});

describe('startOnce, by a clock that is wrong', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld({
      name: 'notices to a queue',
      settings: stack => ({ onFailure: FailureDestination.queue(new Queue(stack, 'Failures')) }),
    });
  });
  afterEach(() => world.close());

  const HOUR = 3_600_000;
  const called = (aheadMs: number) => {
    const now = () => (Date.now() + aheadMs) as EpochMs;
    return startOnceIn({ ...REAL_TIME, now }, world.sfn, world.options('order-1', WAIT));
  };

  test.each([-HOUR, -5000, 0, 5000, HOUR])(
    'by %i ms: the step has failed, its execution only sends its notice, and the next call runs the step again',
    async aheadMs => {
      const { passed, open } = gate();
      world.waitsFor.set('Send failure', passed);
      world.step = () => DECLINED;
      await world.startOnce('order-1');
      await until(async () => (await world.record('order-1'))?.['status']?.S === 'FAILED');
      world.step = () => returns('paid');
      // The answers of AWS tell the second.
      await new Promise(resolve => setTimeout(resolve, 1200));

      expect(await called(aheadMs)).toMatchObject({ outcome: 'started', result: 'paid' });
      expect(world.runs).toEqual(['ChargePayment#order-1 1', 'ChargePayment#order-1 2']);
      open();
    },
  );

  test.each([-HOUR, 2000, 290_000, HOUR])(
    'by %i ms, and the claim takes a second: a new key has one execution',
    async aheadMs => {
      const { passed, open } = gate();
      world.waitsFor.set('Claim record', passed);
      setTimeout(open, 1000);

      expect(await called(aheadMs)).toMatchObject({ outcome: 'started', result: { charge: 1 } });
      expect(await world.executions()).toEqual(['order-1']);
    },
  );
});
