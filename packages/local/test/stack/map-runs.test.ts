import {
  DescribeExecutionCommand,
  DescribeMapRunCommand,
  DescribeStateMachineForExecutionCommand,
  ListExecutionsCommand,
  ListMapRunsCommand,
  SFNClient,
  StartExecutionCommand,
  UpdateMapRunCommand,
} from '@aws-sdk/client-sfn';
import { advanceBy, runToEnd } from '../../index';
import { machine, newDirectory, type Started, start, synthesize } from './world';

const EACH = 'arn:aws:states:us-east-1:111111111111:stateMachine:each';

/** A Map whose executions wait a minute and hand their item on. */
function assembly(): string {
  return synthesize(stack => {
    machine(stack, 'each', {
      Each: {
        Type: 'Map',
        Label: 'parcels',
        MaxConcurrency: 1,
        Items: '{% $states.input %}',
        ItemProcessor: {
          ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
          StartAt: 'Rest',
          States: { Rest: { Type: 'Wait', Seconds: 60, End: true } },
        },
        End: true,
      },
    });
  });
}

function clientOf({ stack }: Started): SFNClient {
  return new SFNClient({
    endpoint: stack.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
}

describe('Map Runs with the SDK', () => {
  test('list, describe, update, and their executions', async () => {
    const world = await start(assembly(), { port: 0 });
    const client = clientOf(world);
    const { executionArn } = await client.send(
      new StartExecutionCommand({ stateMachineArn: EACH, input: '[1,2,3]' }),
    );
    await world.stack.runtime.work.idle();
    const { mapRuns = [] } = await client.send(new ListMapRunsCommand({ executionArn }));
    const mapRunArn = mapRuns[0]?.mapRunArn;
    expect(mapRunArn).toMatch(/:mapRun:each\/parcels:/);
    expect(await client.send(new DescribeMapRunCommand({ mapRunArn }))).toMatchObject({
      status: 'RUNNING',
      maxConcurrency: 1,
      itemCounts: { running: 1, pending: 2, total: 3 },
    });
    await client.send(new UpdateMapRunCommand({ mapRunArn, maxConcurrency: 3 }));
    const { executions = [] } = await client.send(new ListExecutionsCommand({ mapRunArn }));
    expect(executions).toMatchObject(Array(3).fill({ status: 'RUNNING', mapRunArn, itemCount: 1 }));
    const child = { executionArn: executions[0]?.executionArn };
    expect(await client.send(new DescribeExecutionCommand(child))).toMatchObject({ mapRunArn });
    const its = await client.send(new DescribeStateMachineForExecutionCommand(child));
    expect(its).toMatchObject({ mapRunArn, label: 'parcels', name: 'each/parcels' });
    expect(JSON.parse(its.definition ?? '')).toMatchObject({ StartAt: 'Rest' });
    await runToEnd(world.stack.runtime, world.clock);

    const ended = await client.send(new DescribeMapRunCommand({ mapRunArn }));
    expect(ended).toMatchObject({
      status: 'SUCCEEDED',
      executionCounts: { succeeded: 3, resultsWritten: 3 },
    });
    expect(ended.stopDate).toBeInstanceOf(Date);
  });

  test('the process is started anew in the middle: the run goes on from what is on disk', async () => {
    const options = { port: 0, state: newDirectory() };
    const directory = assembly();
    const before = await start(directory, options);
    const { executionArn } = await before.stack.runtime.startExecution({
      stateMachineArn: EACH,
      input: '[1,2,3]',
    });
    await advanceBy(before.stack.runtime, before.clock, 61_000);
    await before.stack.close();
    const after = await start(directory, { ...options, at: before.clock.now() });
    const client = clientOf(after);
    const { mapRuns = [] } = await client.send(new ListMapRunsCommand({ executionArn }));
    const mapRunArn = mapRuns[0]?.mapRunArn;
    expect((await client.send(new DescribeMapRunCommand({ mapRunArn }))).executionCounts).toMatchObject({
      succeeded: 1,
      running: 1,
      pending: 1,
    });
    await runToEnd(after.stack.runtime, after.clock);

    expect(await after.stack.runtime.describeExecution({ executionArn })).toMatchObject({
      output: '[1,2,3]',
    });
    const { executions = [] } = await client.send(new ListExecutionsCommand({ mapRunArn }));
    expect(executions.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
    // The executions on disk had ended; a third process reads all of them.
    await after.stack.close();
    const third = await start(directory, { ...options, at: after.clock.now() });
    const described = await clientOf(third).send(new DescribeMapRunCommand({ mapRunArn }));
    expect(described).toMatchObject({ status: 'SUCCEEDED', executionCounts: { succeeded: 3 } });
  });
});
