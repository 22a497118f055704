import { advanceBy, runToEnd } from '../../../runtime/drive';
import { START, taskOf, textOf, WAIT, worldOf } from '../world';

async function withOne(states: Parameters<typeof textOf>[0], input?: string) {
  const world = worldOf();
  const { arn: stateMachineArn } = world.runtime.register(textOf(states), { name: 'm', roleArn: 'role' });
  const request = { stateMachineArn, name: 'n', ...(input === undefined ? {} : { input }) };
  const { executionArn } = await world.runtime.startExecution(request);
  return { ...world, stateMachineArn, executionArn };
}

const common = {
  executionArn: 'arn:aws:states:us-east-1:000000000000:execution:m:n',
  stateMachineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:m',
  name: 'n',
  startDate: START,
  input: '{}',
  inputDetails: { included: true },
  redriveCount: 0,
};

describe('describeExecution', () => {
  test('running: no stop date, no output', async () => {
    const { runtime, executionArn } = await withOne({ W: WAIT });

    expect(await runtime.describeExecution({ executionArn })).toEqual({
      ...common,
      status: 'RUNNING',
      redriveStatus: 'NOT_REDRIVABLE',
      redriveStatusReason: 'Execution is RUNNING and cannot be redriven',
    });
  });

  test('succeeded: its output', async () => {
    const { runtime, clock, executionArn } = await withOne({ W: WAIT });
    await runToEnd(runtime, clock);

    expect(await runtime.describeExecution({ executionArn })).toEqual({
      ...common,
      status: 'SUCCEEDED',
      stopDate: START + 60_000,
      output: '{}',
      outputDetails: { included: true },
      redriveStatus: 'NOT_REDRIVABLE',
      redriveStatusReason: 'Execution is SUCCEEDED and cannot be redriven',
    });
  });

  test('failed: error and cause', async () => {
    const { runtime, clock, executionArn } = await withOne({ T: taskOf('test:fail') });
    await runToEnd(runtime, clock);

    expect(await runtime.describeExecution({ executionArn })).toEqual({
      ...common,
      status: 'FAILED',
      stopDate: START,
      error: 'E',
      cause: 'c',
      redriveStatus: 'REDRIVABLE',
    });
  });

  test.each([
    ['nope', "InvalidArn: Invalid Arn: 'Invalid ARN prefix: nope'"],
    [
      'arn:aws:states:us-east-1:1:express:m:n:u',
      "InvalidArn: Invalid Arn: 'Resource type not valid in this context: express'",
    ],
    [
      'arn:aws:states:us-east-1:1:execution:m:x',
      "ExecutionDoesNotExist: Execution Does Not Exist: 'arn:aws:states:us-east-1:1:execution:m:x'",
    ],
  ])('%s: rejected', async (executionArn, message) => {
    const { runtime } = worldOf();
    const error = await runtime
      .describeExecution({ executionArn })
      .catch((rejection: Error) => `${rejection.name}: ${rejection.message}`);

    expect(error).toBe(message);
  });
});

describe('getExecutionHistory', () => {
  test('in pages, forwards and backwards: every event once', async () => {
    const { runtime, clock, executionArn } = await withOne({ T: taskOf('test:echo') });
    await runToEnd(runtime, clock);
    const ids = async (reverseOrder: boolean) => {
      const pages: number[][] = [];
      let nextToken: string | undefined;
      do {
        const request = {
          executionArn,
          maxResults: 3,
          reverseOrder,
          ...(nextToken === undefined ? {} : { nextToken }),
        };
        const page = await runtime.getExecutionHistory(request);
        pages.push(page.events.map(event => event.id));
        nextToken = page.nextToken;
      } while (nextToken !== undefined);
      return pages;
    };

    expect(await ids(false)).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
    expect(await ids(true)).toEqual([[7, 6, 5], [4, 3, 2], [1]]);
  });

  test('without data: no input and output, the parameters of the task stay', async () => {
    const { runtime, clock, executionArn } = await withOne({
      T: taskOf('test:echo', { Arguments: { a: 1 } }),
    });
    await runToEnd(runtime, clock);

    const { events } = await runtime.getExecutionHistory({ executionArn, includeExecutionData: false });

    expect(events[0]?.executionStartedEventDetails).toEqual({ roleArn: 'role' });
    expect(events[2]?.taskScheduledEventDetails?.parameters).toBe('{"a":1}');
    expect(events[4]?.taskSucceededEventDetails).toEqual({ resourceType: 'test', resource: 'echo' });
  });

  test.each([
    [{ nextToken: 'nope' }, "Invalid Token: 'Invalid token'"],
    [
      { maxResults: 1001 },
      "1 validation error detected: Value '1001' at 'maxResults' failed to satisfy " +
        'constraint: Member must have ' +
        'value less than or equal to 1000',
    ],
  ])('%j: rejected', async (more, message) => {
    const { runtime, executionArn } = await withOne({ W: WAIT });

    await expect(runtime.getExecutionHistory({ executionArn, ...more })).rejects.toThrow(message);
  });
});

describe('listExecutions', () => {
  test('with the status of an end: the latest end first, whenever they started', async () => {
    const { runtime, clock } = worldOf();
    const { arn: stateMachineArn } = runtime.register(textOf({ W: WAIT }), { name: 'm' });
    const arns = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      arns.push((await runtime.startExecution({ stateMachineArn, name })).executionArn);
      await advanceBy(runtime, clock, 1);
    }
    const [a = '', b = '', , d = ''] = arns;
    for (const executionArn of [d, a, b]) {
      await runtime.stopExecution({ executionArn });
      await advanceBy(runtime, clock, 1);
    }
    const request = { stateMachineArn, statusFilter: 'ABORTED', maxResults: 2 } as const;
    const first = await runtime.listExecutions(request);
    const nextToken = first.nextToken ?? '';
    const second = await runtime.listExecutions({ ...request, nextToken });

    const names = [first, second].map(({ executions }) => executions.map(({ name }) => name));
    expect(names).toEqual([['b', 'a'], ['d']]);
  });

  test('newest first, by status, in pages', async () => {
    const { runtime, clock } = worldOf();
    const { arn: stateMachineArn } = runtime.register(textOf({ W: WAIT }), { name: 'm' });
    for (const name of ['a', 'b', 'c']) {
      await runtime.startExecution({ stateMachineArn, name });
      await advanceBy(runtime, clock, 1000);
    }
    await advanceBy(runtime, clock, 57_000);
    const names = async (more: object) =>
      (await runtime.listExecutions({ stateMachineArn, ...more })).executions.map(item => item.name);

    expect(await names({})).toEqual(['c', 'b', 'a']);
    expect(await names({ statusFilter: 'SUCCEEDED' })).toEqual(['a']);
    expect(await names({ statusFilter: 'RUNNING' })).toEqual(['c', 'b']);
    expect(await names({ maxResults: 2 })).toEqual(['c', 'b']);
  });
});

describe('stopExecution', () => {
  test('running: aborted at once', async () => {
    const { runtime, clock, executionArn } = await withOne({ W: WAIT });
    await advanceBy(runtime, clock, 5000);

    const { stopDate } = await runtime.stopExecution({ executionArn, error: 'E', cause: 'C' });

    expect(stopDate).toBe(START + 5000);
    expect(await runtime.describeExecution({ executionArn })).toMatchObject({
      status: 'ABORTED',
      stopDate,
      error: 'E',
      cause: 'C',
    });
    expect(clock.nextDue()).toBeUndefined();
  });

  test('ended: keeps its end', async () => {
    const { runtime, clock, executionArn } = await withOne({ W: WAIT });
    await runToEnd(runtime, clock);
    await advanceBy(runtime, clock, 5000);

    expect(await runtime.stopExecution({ executionArn })).toEqual({ stopDate: START + 60_000 });
    expect(await runtime.describeExecution({ executionArn })).toMatchObject({ status: 'SUCCEEDED' });
  });
});
