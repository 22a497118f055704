import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestStack, type TestStack, type TestStackOptions } from '../../testing/test-stack';
import { synthesizeShop } from './shop';

const MACHINE = 'Shop/Orders/Machine';
const ORDER = { orderId: 'order-1' };

let assembly: string;
let stack: TestStack;
beforeAll(() => {
  assembly = synthesizeShop();
});
beforeEach(async () => {
  stack = await startTestStack({ assembly });
});
afterEach(() => stack.close());

const rejection = (message: string) => ({ name: 'LocalError', message: expect.stringContaining(message) });

describe('a test stack that is closed', () => {
  const closed = rejection('the stack is closed; start another');

  test('delivers nothing, does nothing, and lets no time pass', async () => {
    await stack.close();

    await expect(stack.deliver({ stateMachine: MACHINE, input: ORDER })).rejects.toMatchObject(closed);
    await expect(stack.act(async () => 1)).rejects.toMatchObject(closed);
    await expect(stack.pass(1000)).rejects.toMatchObject(closed);
  });

  test('while an action is under way that never ends: gives it up', async () => {
    const endless = expect(stack.act(() => new Promise(() => undefined))).rejects.toMatchObject(closed);
    await stack.close();

    await endless;
  });
});

describe('a test stack is started', () => {
  test('at no time: rejected', async () => {
    await expect(startTestStack({ assembly, startAt: 'tomorrow' })).rejects.toMatchObject(
      rejection('`startAt` is a date before the year 10000, or a text or milliseconds for one, got tomorrow'),
    );
  });

  test('from what is not a directory: rejected', async () => {
    const given = { assembly: { directory: assembly } } as unknown as TestStackOptions;

    await expect(startTestStack(given)).rejects.toMatchObject(rejection('such as app.synth().directory'));
  });

  test('with an option that there is not: rejected, with the one that is near', async () => {
    const start = (given: object) => startTestStack(given as TestStackOptions);

    await expect(start({ assembly, prt: 0 })).rejects.toMatchObject(
      rejection(
        '`startTestStack` has no option `prt`; did you mean `port`? It has assembly, customBusBatchOfOne,',
      ),
    );
    await expect(start({ assembly, clock: undefined })).rejects.toMatchObject(
      rejection('`startTestStack` has no option `clock`; it has assembly,'),
    );
    await expect(start(undefined as never)).rejects.toMatchObject(
      rejection('the options of `startTestStack` are an object with assembly,'),
    );
  });

  test('twice on one directory of state: each execution has a name of its own', async () => {
    const state = mkdtempSync(path.join(tmpdir(), 'twice-'));
    const names: string[] = [];
    for (const _time of [1, 2]) {
      const kept = await startTestStack({ assembly, state });
      const { executions } = await kept.deliver({ stateMachine: MACHINE, input: ORDER });
      names.push(...executions.map(({ name }) => name));
      await kept.close();
    }
    rmSync(state, { recursive: true });

    expect(new Set(names).size).toBe(2);
  });
});

describe('what a test stack is asked for', () => {
  test.each([0, -1, 1.5])('%d deliveries: rejected', async times => {
    await expect(stack.deliver({ stateMachine: MACHINE, input: ORDER, times })).rejects.toMatchObject(
      rejection('`times` of a delivery is a whole number from 1'),
    );
  });

  test.each([
    ['event', { eventBus: 'Shop/Orders/Bus' }],
    ['body', { queue: 'Shop/Inbox' }],
    ['message', { topic: 'Shop/News' }],
    ['payload', { function: 'Shop/Taker' }],
    ['path', { restApi: 'Shop/Api' }],
  ])('a delivery without its %s: rejected', async (name, delivery) => {
    await expect(stack.deliver(delivery as never)).rejects.toMatchObject(rejection(`lacks \`${name}\``));
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('%d ms to pass: rejected', async ms => {
    await expect(stack.pass(ms)).rejects.toMatchObject(rejection('a time to pass is in milliseconds from 0'));
  });

  test('a time to pass that leads beyond the year 9999: rejected, and no time has passed', async () => {
    const before = stack.clock.now();

    await expect(stack.pass(8000 * 366 * 86_400_000)).rejects.toMatchObject(rejection('after the year 9999'));
    expect(stack.clock.now()).toBe(before);
  });

  test('an action that answers no promise: its answer', async () => {
    expect(await stack.act((() => 5) as never)).toMatchObject({ answer: 5 });
  });

  test('an action that fails with no Error: so does the act, and what came of it is known', async () => {
    const failing = stack.act(async () => {
      await stack.runtime.startExecution({
        stateMachineArn: stack.find(MACHINE).arn ?? '',
        input: JSON.stringify(ORDER),
      });
      throw 'just a text';
    });

    await expect(failing).rejects.toBe('just a text');
    expect(stack.lastOutcome).toMatchObject({ executions: [{ status: 'SUCCEEDED' }], waiting: [] });
  });
});

describe('a fault', () => {
  test('of half a call, or of no time: rejected', () => {
    expect(() => stack.faults.failStep('Charge', { times: 1.5 })).toThrow('from 1, or Infinity, got 1.5');
    expect(() => stack.faults.delayAnswer('Charge', {} as never)).toThrow(
      '`ms` of a delay is in milliseconds',
    );
  });

  test('with an option that there is not, or at no time of its call: rejected', () => {
    const { faults } = stack;

    expect(() => faults.killIn('Charge', { when: 'later' } as never)).toThrow(
      "`when` of a fault is 'before' or 'after' the call, got later",
    );
    expect(() => faults.failStep('Charge', { eror: 'X' } as never)).toThrow(
      '`faults.failStep` has no option `eror`; did you mean `error`? It has cause, error, stateMachine, times',
    );
    expect(() => faults.freeze('Charge', { when: 'before' } as never)).toThrow(
      'has no option `when`; it has',
    );
    expect(() => faults.loseAnswer('Charge', 2 as never)).toThrow('are an object with cause, error,');
    expect(faults.outstanding).toEqual([]);
  });

  test('that answers undefined: rejected, or the state fails and says so', async () => {
    const problem = 'the test answers "Charge" with undefined; give JSON, such as null';
    expect(() => stack.faults.answerWith('Charge', undefined as never)).toThrow(problem);

    stack.faults.answerWith('Charge', () => undefined as never);
    const { executions } = await stack.deliver({ stateMachine: MACHINE, input: ORDER });
    expect(executions).toMatchObject([{ status: 'FAILED', cause: expect.stringContaining(problem) }]);
  });
});

test('messages of a queue that is not there: says which paths are near', () => {
  expect(() => stack.messages('Shop/Mial')).toThrow(
    /no AWS::SQS::Queue has the construct path Shop\/Mial; .*Shop\/Mail/s,
  );
});
