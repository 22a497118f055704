import type { Stack } from 'aws-cdk-lib';
import { EventBus, type EventPattern, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { runToEnd } from '../../index';
import { bodiesOf, machine, type Started, start, T0 } from './world';

const STATES = {
  Wait: { Type: 'Wait', Seconds: '{% $states.input.seconds %}', Next: 'Good?' },
  'Good?': {
    Type: 'Choice',
    Choices: [{ Condition: '{% $exists($states.input.bad) %}', Next: 'Bad' }],
    Default: 'Fine',
  },
  Bad: { Type: 'Fail', Error: 'Bad', Cause: 'because' },
  Fine: { Type: 'Succeed', Output: '{% $states.input.output %}' },
};

const pattern = (more: object = {}): EventPattern => {
  return { source: ['aws.states'], detailType: ['Step Functions Execution Status Change'], ...more };
};

const MACHINE_ARN = 'arn:aws:states:us-east-1:111111111111:stateMachine:M';

function heard(eventPattern: EventPattern, type = StateMachineType.STANDARD) {
  return (stack: Stack) => {
    machine(stack, 'M', STATES, { stateMachineType: type });
    const queue = new Queue(stack, 'Heard', { queueName: 'heard' });
    new Rule(stack, 'Rule', { eventPattern, targets: [new SqsQueue(queue)] });
  };
}

async function run({ stack, clock }: Started, input: object, name = 'n'): Promise<string> {
  const { executionArn } = await stack.runtime.startExecution({
    stateMachineArn: MACHINE_ARN,
    name,
    input: JSON.stringify(input),
  });
  await runToEnd(stack.runtime, clock);
  return executionArn;
}

interface Heard {
  readonly detail: Readonly<Record<string, unknown>>;
}

const eventsOf = (world: Started) => bodiesOf(world, 'heard').map(body => JSON.parse(body) as Heard);
const statusesOf = (world: Started) => eventsOf(world).map(({ detail }) => detail['status']);

describe('a status change of an execution', () => {
  test('it fails: an event at its start and its end, with the fields of AWS', async () => {
    const world = await start(heard(pattern()));
    const executionArn = await run(world, { seconds: 60, bad: true });

    const events = eventsOf(world);
    expect(statusesOf(world)).toEqual(['RUNNING', 'FAILED']);
    expect(events[1]).toEqual({
      version: '0',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'detail-type': 'Step Functions Execution Status Change',
      source: 'aws.states',
      account: '111111111111',
      time: '2026-11-20T09:01:00Z',
      region: 'us-east-1',
      resources: [executionArn],
      detail: {
        executionArn,
        stateMachineArn: MACHINE_ARN,
        name: 'n',
        status: 'FAILED',
        startDate: T0,
        stopDate: T0 + 60_000,
        input: '{"seconds":60,"bad":true}',
        inputDetails: { included: true },
        output: null,
        outputDetails: null,
        stateMachineVersionArn: null,
        stateMachineAliasArn: null,
        redriveCount: 0,
        redriveDate: null,
        redriveStatus: 'REDRIVABLE',
        redriveStatusReason: null,
        error: 'Bad',
        cause: 'because',
      },
    });
    expect(events[0]?.detail).toMatchObject({ stopDate: null, error: null, outputDetails: null });
  });

  test('a rule for ends by name: hears of those only', async () => {
    const detail = { status: ['FAILED', 'TIMED_OUT', 'ABORTED'], error: [{ 'anything-but': ['Bad'] }] };
    const world = await start(heard(pattern({ detail })));
    await run(world, { seconds: 1, bad: true }, 'bad');
    await run(world, { seconds: 1, output: 'fine' }, 'good');
    const { executionArn } = await world.stack.runtime.startExecution({
      stateMachineArn: MACHINE_ARN,
      input: '{"seconds":9}',
    });
    await world.stack.runtime.stopExecution({ executionArn });
    await runToEnd(world.stack.runtime, world.clock);

    expect(statusesOf(world)).toEqual(['ABORTED']);
  });

  test('a redrive: running again, then its end, counted', async () => {
    const world = await start(heard(pattern()));
    const executionArn = await run(world, { seconds: 1, bad: true });
    await world.stack.runtime.redriveExecution({ executionArn });
    await runToEnd(world.stack.runtime, world.clock);

    expect(statusesOf(world)).toEqual(['RUNNING', 'FAILED', 'RUNNING', 'FAILED']);
    expect(eventsOf(world)[3]?.detail).toMatchObject({ redriveCount: 1 });
  });

  test('input and output together above 248 KiB: the input is left out', async () => {
    const world = await start(heard(pattern({ detail: { status: ['SUCCEEDED'] } })));
    const output = 'o'.repeat(127 * 1024);
    await run(world, { seconds: 1, output });

    const [event] = eventsOf(world);
    expect(event?.detail).toMatchObject({
      input: null,
      inputDetails: { included: false },
      output: JSON.stringify(output),
      outputDetails: { included: true },
    });
  });

  test('an output above 248 KiB: both are left out', async () => {
    const world = await start(heard(pattern({ detail: { status: ['SUCCEEDED'] } })));
    await run(world, { seconds: 1, output: 'o'.repeat(250 * 1024) });

    const [event] = eventsOf(world);
    expect(event?.detail).toMatchObject({
      inputDetails: { included: false },
      output: null,
      outputDetails: { included: false },
    });
  });

  test('of an Express state machine: none', async () => {
    const world = await start(heard(pattern(), StateMachineType.EXPRESS));
    await run(world, { seconds: 1 });

    expect(eventsOf(world)).toEqual([]);
  });

  test('a rule of another bus: hears nothing', async () => {
    const world = await start(stack => {
      machine(stack, 'M', STATES);
      const queue = new Queue(stack, 'Heard', { queueName: 'heard' });
      const eventBus = new EventBus(stack, 'Bus');
      new Rule(stack, 'Rule', { eventBus, eventPattern: pattern(), targets: [new SqsQueue(queue)] });
    });
    await run(world, { seconds: 1 });

    expect(eventsOf(world)).toEqual([]);
  });
});
