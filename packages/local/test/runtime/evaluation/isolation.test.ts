import type { JsonObject } from '../../../json/json';
import { runToEnd } from '../../../runtime/drive';
import { EvaluationThreads } from '../../../runtime/evaluation/thread-pool';
import { seededIds } from '../../../runtime/ids';
import { Runtime } from '../../../runtime/runtime';
import { RealClock } from '../../../runtime/time/real-clock';
import { textOf, worldOf } from '../world';

const HOPELESS = [
  `$match('${'a'.repeat(26)}!', /^(a+)+$/)`,
  `$match('${'a'.repeat(40)}!', /^(a+)+$/)`,
] as const;

const TIMEOUT = 'threw an error during evaluation: Expression evaluation timeout: Check for infinite loop';

function passOf(expression: string): { readonly [name: string]: JsonObject } {
  return { P: { Type: 'Pass', Output: `{% ${expression} %}`, End: true } };
}

/** A runtime on the machine's clock; `started` begins an execution of one Pass state, `ended` describes its end. */
function realWorld(seed = 'seed') {
  const clock = new RealClock();
  const evaluator = new EvaluationThreads();
  const runtime = new Runtime({ clock, evaluator, services: new Map(), ids: seededIds(seed) });
  let machines = 0;
  const started = async (expression: string) => {
    machines += 1;
    const { arn } = runtime.register(textOf(passOf(expression)), { name: `m${machines}` });
    return (await runtime.startExecution({ stateMachineArn: arn })).executionArn;
  };
  const ended = async (executionArn: string) => {
    await runtime.whenEnded(executionArn);
    return runtime.describeExecution({ executionArn });
  };
  const close = () => {
    runtime.close();
    evaluator.close();
    clock.close();
  };
  return { started, ended, close };
}

describe('expressions that take for ever', () => {
  test('both fail, and an execution that is started meanwhile ends before them', async () => {
    const { started, ended, close } = realWorld();
    const order: string[] = [];
    const hopeless = await Promise.all(HOPELESS.map(started));
    const failures = hopeless.map(async arn => {
      const description = await ended(arn);
      order.push('hopeless');
      return description;
    });
    // The threads have been asked by now.
    await new Promise(resolve => setImmediate(resolve));

    const healthy = await ended(await started('1 + 1'));
    order.push('healthy');

    expect(healthy.output).toBe('2');
    for (const { status, error, cause } of await Promise.all(failures)) {
      expect({ status, error }).toEqual({ status: 'FAILED', error: 'States.QueryEvaluationError' });
      expect(cause).toContain(TIMEOUT);
    }
    expect(order).toEqual(['healthy', 'hopeless', 'hopeless']);
    close();
  });

  test('on a virtual clock: fails at the same time of that clock', async () => {
    const { runtime, clock } = worldOf();
    const { arn: stateMachineArn } = runtime.register(textOf(passOf(HOPELESS[1])), { name: 'm' });
    const { executionArn, startDate } = await runtime.startExecution({ stateMachineArn });

    await runToEnd(runtime, clock);

    const { status, cause, stopDate } = await runtime.describeExecution({ executionArn });
    expect({ status, stopDate }).toEqual({ status: 'FAILED', stopDate: startDate });
    expect(cause).toContain(TIMEOUT);
  });
});

describe('what an evaluation in a thread draws', () => {
  // The interpreter's, with draws before, in, and after what is not to be had at once.
  const drawing = '[$random(), $match("b", /b+/).match, $uuid(), $random()]';
  const outputs = async (seed: string) => {
    const { started, ended, close } = realWorld(seed);
    const { output } = await ended(await started(drawing));
    close();
    return output;
  };

  test('the same seed: the same; another seed: other numbers', async () => {
    const first = await outputs('one');

    expect(first).toMatch(/^\[0\.\d+,"b","[-0-9a-f]{36}",0\.\d+\]$/);
    expect(await outputs('one')).toBe(first);
    expect(await outputs('two')).not.toBe(first);
  });

  test("on a virtual clock: the same as on the machine's", async () => {
    const { runtime, clock } = worldOf({ ids: seededIds('one') });
    const { arn: stateMachineArn } = runtime.register(textOf(passOf(drawing)), { name: 'm1' });
    const { executionArn } = await runtime.startExecution({ stateMachineArn });
    await runToEnd(runtime, clock);

    expect((await runtime.describeExecution({ executionArn })).output).toBe(await outputs('one'));
  });
});
