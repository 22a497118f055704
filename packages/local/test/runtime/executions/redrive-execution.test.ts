import type { ServiceTable } from '../../../runtime/calls/service';
import { runToEnd } from '../../../runtime/drive';
import type { Evaluator } from '../../../runtime/evaluation/evaluator';
import { EvaluationThreads } from '../../../runtime/evaluation/thread-pool';
import { StatesError } from '../../../runtime/requests/errors';
import { MemoryStore } from '../../../runtime/store/memory-store';
import { RealClock } from '../../../runtime/time/real-clock';
import { service, taskOf, textOf, WAIT, worldOf } from '../world';

const DAY_MS = 24 * 60 * 60 * 1000;

/** `test:flaky` fails so many times, and then answers 1. */
function flaky(failures: number): ServiceTable {
  let calls = 0;
  const answer = () => {
    calls += 1;
    return calls > failures
      ? { kind: 'succeeded' as const, output: 1 }
      : { kind: 'failed' as const, error: 'E', cause: 'c' };
  };
  return new Map([['test:flaky', service(answer)]]);
}

async function failed(failures = 1) {
  const world = worldOf({ services: flaky(failures) });
  const { arn } = world.runtime.register(textOf({ T: taskOf('test:flaky') }), { name: 'm' });
  const { executionArn } = await world.runtime.startExecution({ stateMachineArn: arn, name: 'e' });
  await runToEnd(world.runtime, world.clock);
  return { ...world, executionArn };
}

async function rejection(redrive: Promise<unknown>): Promise<string> {
  return redrive.then(
    () => 'accepted',
    error => (error instanceof StatesError ? `${error.name}: ${error.message}` : String(error)),
  );
}

describe('RedriveExecution', () => {
  test('a failed execution: goes on, and says so in its description', async () => {
    const { runtime, clock, executionArn } = await failed();
    clock.advanceBy(DAY_MS);
    const { redriveDate } = await runtime.redriveExecution({ executionArn });

    expect(await runtime.describeExecution({ executionArn })).toMatchObject({
      redriveCount: 1,
      redriveDate,
      redriveStatus: 'NOT_REDRIVABLE',
    });
    await runToEnd(runtime, clock);
    const description = await runtime.describeExecution({ executionArn });
    expect(description).toMatchObject({ status: 'SUCCEEDED', output: '1', redriveCount: 1, redriveDate });
    expect(redriveDate).toBe(clock.now());
    expect(description).not.toHaveProperty('error');
  });

  test('while it goes on: neither ended nor redrivable', async () => {
    const world = worldOf();
    const { arn } = world.runtime.register(textOf({ W: WAIT }), { name: 'm' });
    const { executionArn } = await world.runtime.startExecution({ stateMachineArn: arn });
    await world.runtime.stopExecution({ executionArn, error: 'E' });
    await world.runtime.redriveExecution({ executionArn });
    const description = await world.runtime.describeExecution({ executionArn });

    expect(description).toMatchObject({
      status: 'RUNNING',
      redriveStatusReason: 'Execution is RUNNING and cannot be redriven',
    });
    expect(description).not.toHaveProperty('stopDate');
    expect(description).not.toHaveProperty('error');
    expect(await rejection(world.runtime.redriveExecution({ executionArn }))).toBe(
      'ExecutionNotRedrivable: Execution is RUNNING and cannot be redriven',
    );
  });

  test('the same client token: the same redrive, for 15 minutes', async () => {
    const { runtime, clock, executionArn } = await failed(9);
    const redrive = () => runtime.redriveExecution({ executionArn, clientToken: 'token' });
    const first = await redrive();
    await runToEnd(runtime, clock);
    clock.advanceBy(15 * 60_000 - 1);

    expect(await redrive()).toEqual(first);
    clock.advanceBy(1);
    expect(await redrive()).not.toEqual(first);
    expect(await runtime.describeExecution({ executionArn })).toMatchObject({ redriveCount: 2 });
  });

  test('two at once: one redrive for one token, a rejection for two', async () => {
    const { runtime, executionArn } = await failed(9);
    const redrive = (clientToken: string) =>
      rejection(runtime.redriveExecution({ executionArn, clientToken }));
    const outcomes = await Promise.all([redrive('a'), redrive('a'), redrive('b')]);

    expect(outcomes.filter(outcome => outcome === 'accepted').length).toBeGreaterThanOrEqual(2);
    expect((await runtime.describeExecution({ executionArn })).redriveCount).toBeLessThanOrEqual(2);
  });

  test('listeners: called after the end, in the order of its life', async () => {
    const { runtime, clock, executionArn } = await failed();
    const changes: string[] = [];
    runtime.subscribe(({ kind, execution }) => changes.push(`${kind} ${execution.status}`));
    await runtime.redriveExecution({ executionArn });
    await runToEnd(runtime, clock);

    expect(changes).toEqual(['redriven RUNNING', 'ended SUCCEEDED']);
  });

  test.each([
    ['just within 14 days', 14 * DAY_MS - 1, 'accepted'],
    ['after 14 days', 14 * DAY_MS, 'ExecutionNotRedrivable: Execution redrivable period exceeded'],
    ['after a year', 365 * DAY_MS, 'ExecutionNotRedrivable: Execution has exceeded the max execution time'],
  ])('%s: %s', async (_case, ms, outcome) => {
    const { runtime, clock, executionArn } = await failed();
    clock.advanceBy(ms);

    expect(await rejection(runtime.redriveExecution({ executionArn }))).toBe(outcome);
  });

  test.each([
    ['a token with a blank', { clientToken: 'a b' }, 'ValidationException'],
    [
      'an execution that never was',
      { executionArn: 'arn:aws:states:us-east-1:1:execution:m:x' },
      'ExecutionDoesNotExist',
    ],
    ['no ARN', { executionArn: 'x' }, 'InvalidArn'],
  ])('%s: rejected', async (_case, request, name) => {
    const { runtime, executionArn } = await failed();

    expect(await rejection(runtime.redriveExecution({ executionArn, ...request }))).toContain(`${name}: `);
  });
});

describe('a redrive whose first evaluation takes long', () => {
  /** An execution that has failed, on a runtime whose next evaluations wait until `letGo` is called. */
  async function held() {
    const threads = new EvaluationThreads();
    let gate: Promise<void> = Promise.resolve();
    let letGo = (): void => undefined;
    const evaluator: Evaluator = {
      evaluate: async (job, owner) => {
        await gate;
        return threads.evaluate(job, owner);
      },
      evaluateAndWait: job => threads.evaluateAndWait(job),
    };
    const store = new MemoryStore();
    const clock = new RealClock();
    const { runtime } = worldOf({ services: flaky(1), evaluator, store, clock });
    const text = textOf({
      T: taskOf('test:flaky', { Arguments: { m: '{% $match("aa", /^(a+)+$/).match %}' } }),
    });
    const { arn } = runtime.register(text, { name: 'm' });
    const { executionArn } = await runtime.startExecution({ stateMachineArn: arn, name: 'e' });
    await runtime.whenEnded(executionArn);
    gate = new Promise(resolve => {
      letGo = resolve;
    });
    const close = () => {
      runtime.close();
      threads.close();
      clock.close();
    };
    return { runtime, clock, store, executionArn, letGo: () => letGo(), close };
  }

  test('answered before that, and a stop that comes meanwhile is applied behind it', async () => {
    const { runtime, executionArn, letGo, close } = await held();

    const { redriveDate } = await runtime.redriveExecution({ executionArn });
    expect(await runtime.describeExecution({ executionArn })).toMatchObject({
      status: 'RUNNING',
      redriveCount: 1,
      redriveDate,
    });
    const stopped = runtime.stopExecution({ executionArn });
    letGo();
    await stopped;

    const { events } = await runtime.getExecutionHistory({ executionArn, reverseOrder: true });
    const last = events.map(({ type }) => type);
    expect(last.slice(0, last.indexOf('ExecutionRedriven') + 1)).toContain('ExecutionAborted');
    close();
  });

  test('a process that ends before that: the next one goes on, with the date that was answered', async () => {
    const { runtime, clock, store, executionArn, close } = await held();
    const { redriveDate } = await runtime.redriveExecution({ executionArn, clientToken: 'token' });
    runtime.close();
    while (clock.now() === redriveDate) await new Promise(resolve => setImmediate(resolve));

    const next = worldOf({ services: flaky(0), store, clock });
    expect(next.runtime.resume()).toBe(1);
    await next.runtime.whenEnded(executionArn);

    expect(await next.runtime.describeExecution({ executionArn })).toMatchObject({
      status: 'SUCCEEDED',
      redriveCount: 1,
      redriveDate,
    });
    const { events } = await next.runtime.getExecutionHistory({ executionArn });
    expect(events.filter(({ type }) => type === 'ExecutionRedriven')).toHaveLength(1);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    next.runtime.close();
    close();
  });
});
