import type { Stack } from 'aws-cdk-lib';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { runToEnd } from '../../index';
import { machine, type Started, start, T0 } from './world';

const STATES = {
  Good: { Type: 'Choice', Choices: [{ Condition: '{% $states.input.bad %}', Next: 'Bad' }], Default: 'Fine' },
  Bad: { Type: 'Fail', Error: 'Shop.Bad', Cause: 'because' },
  Fine: { Type: 'Pass', Output: '{% $states.input %}', End: true },
};
const MACHINE_ARN = 'arn:aws:states:us-east-1:111111111111:stateMachine:M';

interface Line {
  readonly id: string;
  readonly type: string;
}

function logging(logs: Omit<sfn.LogOptions, 'destination'>, type = sfn.StateMachineType.STANDARD) {
  return (stack: Stack) => {
    const destination = new LogGroup(stack, 'Group', { logGroupName: 'shop' });
    machine(stack, 'M', STATES, { stateMachineType: type, logs: { destination, ...logs } });
    new MetricFilter(stack, 'Filter', {
      logGroup: destination,
      metricNamespace: 'Shop',
      metricName: 'Failed',
      filterPattern: FilterPattern.stringValue('$.type', '=', 'ExecutionFailed'),
    });
  };
}

async function run({ stack, clock }: Started, input: object): Promise<string> {
  const { runtime } = stack;
  const { executionArn } = await runtime.startExecution({
    stateMachineArn: MACHINE_ARN,
    input: JSON.stringify(input),
  });
  await runToEnd(runtime, clock);
  return executionArn;
}

function linesOf({ stack }: Started): Line[] {
  return stack.logs.events('shop').map(({ message }) => JSON.parse(message) as Line);
}

describe('the log of a state machine', () => {
  test('level ALL, without execution data: every event, its numbers as texts, without input and output', async () => {
    const started = await start(logging({ level: sfn.LogLevel.ALL }));
    const executionArn = await run(started, { bad: false });

    const common = { event_timestamp: String(T0), execution_arn: executionArn, redrive_count: '0' };
    const line = (id: number, previous: number, type: string, details: object) => {
      return { id: String(id), type, details, previous_event_id: String(previous), ...common };
    };
    expect(linesOf(started)).toEqual([
      line(1, 0, 'ExecutionStarted', { roleArn: expect.stringContaining(':role/') }),
      line(2, 0, 'ChoiceStateEntered', { name: 'Good' }),
      line(3, 2, 'ChoiceStateExited', { name: 'Good' }),
      line(4, 3, 'PassStateEntered', { name: 'Fine' }),
      line(5, 4, 'PassStateExited', { name: 'Fine' }),
      line(6, 5, 'ExecutionSucceeded', {}),
    ]);
    expect(started.stack.logs.events('shop')[0]).toMatchObject({ timestamp: T0 });
    const arn = 'arn:aws:logs:us-east-1:111111111111:log-group:shop';
    expect(started.stack.logs.events(`${arn}:*`)).toHaveLength(6);
    expect(started.stack.logs.events(arn)).toHaveLength(6);
  });

  test('with execution data: input and output, each said to be whole', async () => {
    const started = await start(logging({ level: sfn.LogLevel.ALL, includeExecutionData: true }));
    await run(started, { bad: false });
    const data = { input: '{"bad":false}', inputDetails: { truncated: false } };
    expect(linesOf(started)[0]).toMatchObject({ details: data });
  });

  test.each([
    { level: sfn.LogLevel.ERROR, types: ['FailStateEntered', 'ExecutionFailed'] },
    { level: sfn.LogLevel.FATAL, types: ['ExecutionFailed'] },
    { level: sfn.LogLevel.OFF, types: [] },
  ])(
    'level $level: of an execution that failed $types, of one that succeeded nothing',
    async ({ level, types }) => {
      const started = await start(logging({ level }));
      await run(started, { bad: false });
      await run(started, { bad: true });
      expect(linesOf(started).map(({ type }) => type)).toEqual(types);
    },
  );

  test('an Express execution: its log is where it can be seen', async () => {
    const started = await start(logging({ level: sfn.LogLevel.ERROR }, sfn.StateMachineType.EXPRESS));
    const execution_arn = await run(started, { bad: true });
    const details = { error: 'Shop.Bad', cause: 'because' };
    expect(linesOf(started)).toEqual([
      expect.objectContaining({ type: 'FailStateEntered', details: { name: 'Bad' } }),
      expect.objectContaining({ type: 'ExecutionFailed', details, execution_arn }),
    ]);
  });

  test('a redrive: its events are logged, and counted', async () => {
    const started = await start(logging({ level: sfn.LogLevel.ALL }));
    const { stack, clock } = started;
    const executionArn = await run(started, { bad: true });
    clock.advanceTo(T0 + 1000);
    await stack.runtime.redriveExecution({ executionArn });
    await runToEnd(stack.runtime, clock);

    const redriven = linesOf(started).slice(5);
    expect(redriven.map(({ type }) => type)).toEqual(['ExecutionRedriven', 'ExecutionFailed']);
    expect(redriven).toEqual(redriven.map(() => expect.objectContaining({ redrive_count: '1' })));
    const dimensions = { StateMachineArn: MACHINE_ARN };
    const datum = (metricName: string, value: number, timestamp: number) => {
      return { namespace: 'AWS/States', metricName, dimensions, timestamp, value };
    };
    expect(stack.metrics.data).toEqual([
      datum('ExecutionsStarted', 1, T0),
      datum('ExecutionsFailed', 1, T0),
      datum('ExecutionTime', 0, T0),
      datum('ExecutionsRedriven', 1, T0 + 1000),
      datum('ExecutionsFailed', 1, T0 + 1000),
      datum('RedrivenExecutionsFailed', 1, T0 + 1000),
      datum('ExecutionTime', 1000, T0 + 1000),
    ]);
  });
});
