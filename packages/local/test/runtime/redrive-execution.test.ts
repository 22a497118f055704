import { runToEnd } from '../../runtime/drive';
import { StatesError } from '../../runtime/errors';
import type { ServiceTable } from '../../runtime/service';
import { service, taskOf, textOf, WAIT, worldOf } from './world';

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

async function refusal(redrive: Promise<unknown>): Promise<string> {
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
    expect(await refusal(world.runtime.redriveExecution({ executionArn }))).toBe(
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

  test('two at once: one redrive for one token, a refusal for two', async () => {
    const { runtime, executionArn } = await failed(9);
    const redrive = (clientToken: string) => refusal(runtime.redriveExecution({ executionArn, clientToken }));
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

    expect(await refusal(runtime.redriveExecution({ executionArn }))).toBe(outcome);
  });

  test.each([
    ['a token with a blank', { clientToken: 'a b' }, 'ValidationException'],
    [
      'an execution that never was',
      { executionArn: 'arn:aws:states:us-east-1:1:execution:m:x' },
      'ExecutionDoesNotExist',
    ],
    ['no ARN', { executionArn: 'x' }, 'InvalidArn'],
  ])('%s: refused', async (_case, request, name) => {
    const { runtime, executionArn } = await failed();

    expect(await refusal(runtime.redriveExecution({ executionArn, ...request }))).toContain(`${name}: `);
  });
});
