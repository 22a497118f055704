import type { Service } from '../../../runtime/calls/service';
import { advanceBy } from '../../../runtime/drive';
import { StatesError } from '../../../runtime/requests/errors';
import { START, service, taskOf, textOf, WAIT, worldOf } from '../world';

const EXPRESS = { name: 'm', type: 'EXPRESS' } as const;

function rejection(sent: Promise<unknown>): Promise<string> {
  return sent.then(
    () => 'accepted',
    error => (error instanceof StatesError ? `${error.name}: ${error.message}` : String(error)),
  );
}

describe('StartSyncExecution', () => {
  test('an execution that succeeds: the answer is all there is of it', async () => {
    const { runtime } = worldOf();
    const { arn } = runtime.register(textOf({ T: taskOf('test:echo', { Arguments: { a: 1 } }) }), EXPRESS);
    const answer = await runtime.startSyncExecution({ stateMachineArn: arn, name: 'n', input: '{}' });

    expect(answer).toEqual({
      executionArn: expect.stringMatching(/:express:m:n:[0-9a-f-]{36}$/),
      stateMachineArn: arn,
      name: 'n',
      startDate: START,
      stopDate: START,
      status: 'SUCCEEDED',
      input: '{}',
      inputDetails: { included: true },
      output: '{"a":1}',
      outputDetails: { included: true },
      billingDetails: { billedDurationInMilliseconds: 100, billedMemoryUsedInMB: 64 },
    });
    expect(await rejection(runtime.describeExecution(answer))).toBe(
      "InvalidArn: Invalid Arn: 'Resource type not valid in this context: express'",
    );
    expect(runtime.running()).toEqual([]);
  });

  test('an execution that fails: an answer as well, without an output', async () => {
    const { runtime } = worldOf();
    const { arn } = runtime.register(textOf({ T: taskOf('test:fail') }), EXPRESS);
    const answer = await runtime.startSyncExecution({ stateMachineArn: arn });

    expect(answer).toMatchObject({ status: 'FAILED', error: 'E', cause: 'c', input: '{}' });
    expect(answer).not.toHaveProperty('output');
  });

  test('five minutes: time out', async () => {
    const { runtime, clock } = worldOf();
    const { arn } = runtime.register(textOf({ W: { ...WAIT, Seconds: 400 } }), EXPRESS);
    const answer = runtime.startSyncExecution({ stateMachineArn: arn });
    await advanceBy(runtime, clock, 300_000);

    expect(await answer).toMatchObject({
      status: 'TIMED_OUT',
      stopDate: START + 300_000,
      billingDetails: { billedDurationInMilliseconds: 300_000 },
    });
  });

  test('the context: the ARN of its own kind, and no count of redrives', async () => {
    const { runtime } = worldOf();
    const pass = { Type: 'Pass', Output: '{% $states.context.Execution %}', End: true };
    const { arn } = runtime.register(textOf({ P: pass }), EXPRESS);
    const { output, executionArn } = await runtime.startSyncExecution({ stateMachineArn: arn });
    const context = JSON.parse(output ?? '');

    expect(context.Id).toBe(executionArn);
    expect(context).not.toHaveProperty('RedriveCount');
  });

  test('a Standard machine: rejected', async () => {
    const { runtime } = worldOf();
    const { arn } = runtime.register(textOf({ W: WAIT }), { name: 'm' });

    expect(await rejection(runtime.startSyncExecution({ stateMachineArn: arn }))).toBe(
      'StateMachineTypeNotSupported: This operation is not supported by this type of state machine',
    );
  });
});

describe('StartExecution of an Express machine', () => {
  test('the same name twice: two executions', async () => {
    const { runtime } = worldOf();
    const { arn } = runtime.register(textOf({ W: WAIT }), EXPRESS);
    const start = () => runtime.startExecution({ stateMachineArn: arn, name: 'n' });
    const arns = [(await start()).executionArn, (await start()).executionArn];

    expect(new Set(arns).size).toBe(2);
    expect(runtime.running()).toEqual(arns);
    await runtime.work.idle();
    runtime.close();
    expect(runtime.running()).toEqual([]);
  });
});

describe('the end of an Express execution', () => {
  test('that runs: waited for, then its outcome', async () => {
    const { runtime, clock } = worldOf();
    const { arn } = runtime.register(textOf({ W: { ...WAIT, Output: { a: 1 } } }), EXPRESS);
    const { executionArn } = await runtime.startExecution({ stateMachineArn: arn });
    const ends = [runtime.whenEnded(executionArn), runtime.whenEnded(executionArn)];
    expect(runtime.expressOutcomes.find(executionArn)).toBeUndefined();
    await advanceBy(runtime, clock, 60_000);
    await Promise.all(ends);

    expect(runtime.expressOutcomes.find(executionArn)).toEqual({
      executionArn,
      stateMachineArn: arn,
      name: executionArn.split(':').at(-2),
      startDate: expect.any(Number),
      input: '{}',
      status: 'SUCCEEDED',
      output: '{"a":1}',
      startedExecutionArns: [],
    });
  });

  test('that has failed: its outcome at once, with the error', async () => {
    const { runtime } = worldOf();
    const { arn } = runtime.register(textOf({ T: taskOf('test:fail') }), EXPRESS);
    const { executionArn } = await runtime.startExecution({ stateMachineArn: arn });
    await runtime.work.idle();
    await runtime.whenEnded(executionArn);

    expect(runtime.expressOutcomes.find(executionArn)).toMatchObject({
      status: 'FAILED',
      error: 'E',
      cause: 'c',
    });
  });

  test('a thousand ago: forgotten', async () => {
    const { runtime } = worldOf();
    const { arn } = runtime.register(textOf({ T: taskOf('test:echo') }), EXPRESS);
    const arns: string[] = [];
    for (let count = 0; count < 1001; count += 1) {
      arns.push((await runtime.startSyncExecution({ stateMachineArn: arn })).executionArn);
    }
    const [first = '', second = ''] = arns;

    expect(runtime.expressOutcomes.find(first)).toBeUndefined();
    expect(await rejection(runtime.whenEnded(first))).toMatch(/^ExecutionDoesNotExist: .*:express:m:/);
    expect(runtime.expressOutcomes.find(second)).toBeDefined();
    expect(await rejection(runtime.whenEnded(second))).toBe('accepted');
  });

  test('with executions that it started: each of them, once', async () => {
    const ExecutionArn = 'arn:aws:states:us-east-1:000000000000:execution:m:';
    const answers = ['a', 'a', 'b'].map(name => `${ExecutionArn}${name}`);
    const starts: Service = service(() => ({
      kind: 'succeeded',
      output: { ExecutionArn: answers.shift() ?? '', StartDate: 0 },
    }));
    const { runtime } = worldOf({ services: new Map([['states:startExecution', starts]]) });
    const start = (more: object) => ({
      ...taskOf('states:startExecution', { Arguments: { StateMachineArn: 'm' } }),
      ...more,
    });
    const states = {
      A: start({ Next: 'B', End: undefined }),
      B: start({ Next: 'C', End: undefined }),
      C: start({}),
    };
    const { arn } = runtime.register(textOf(states as never), EXPRESS);
    const { executionArn } = await runtime.startSyncExecution({ stateMachineArn: arn });

    expect(runtime.expressOutcomes.find(executionArn)?.startedExecutionArns).toEqual([
      `${ExecutionArn}a`,
      `${ExecutionArn}b`,
    ]);
  });
});
