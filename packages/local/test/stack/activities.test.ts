import {
  GetActivityTaskCommand,
  ListActivitiesCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { Activity } from 'aws-cdk-lib/aws-stepfunctions';
import { advanceBy, runToEnd } from '../../index';
import { machine, start } from './world';

const PACK = 'arn:aws:states:us-east-1:111111111111:activity:pack';
const PACKS = 'arn:aws:states:us-east-1:111111111111:stateMachine:packs';

async function open() {
  const world = await start(
    stack => {
      const work = new Activity(stack, 'Pack', { activityName: 'pack' });
      machine(stack, 'packs', { Pack: { Type: 'Task', Resource: work.activityArn, End: true } });
    },
    { port: 0 },
  );
  const client = new SFNClient({
    endpoint: world.stack.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  return { ...world, client };
}

describe('an activity of the assembly', () => {
  test('a worker with the SDK: asks, has the task, sends its result', async () => {
    const { stack, clock, client } = await open();
    const asked = client.send(new GetActivityTaskCommand({ activityArn: PACK, workerName: 'w' }));
    const { executionArn = '' } = await client.send(
      new StartExecutionCommand({ stateMachineArn: PACKS, input: '{"order":7}' }),
    );
    const { taskToken, input } = await asked;
    await client.send(new SendTaskSuccessCommand({ taskToken, output: '"packed"' }));
    await runToEnd(stack.runtime, clock);

    expect(input).toBe('{"order":7}');
    expect(await stack.runtime.describeExecution({ executionArn })).toMatchObject({ output: '"packed"' });
    expect((await client.send(new ListActivitiesCommand({}))).activities).toMatchObject([{ name: 'pack' }]);
  });

  test('nothing to do for a minute: the worker is answered with no token', async () => {
    const { stack, clock, client } = await open();
    let isAnswered = false;
    const asked = client.send(new GetActivityTaskCommand({ activityArn: PACK })).finally(() => {
      isAnswered = true;
    });
    // The minute begins when the request has arrived.
    while (!isAnswered) {
      await advanceBy(stack.runtime, clock, 60_000);
      await new Promise(resolve => setImmediate(resolve));
    }

    expect((await asked).taskToken ?? null).toBeNull();
  });

  test('a worker that hangs up takes no task along', async () => {
    const { client } = await open();
    const worker = new AbortController();
    const abandoned = client.send(new GetActivityTaskCommand({ activityArn: PACK }), {
      abortSignal: worker.signal,
    });
    await client.send(new ListActivitiesCommand({}));
    worker.abort();
    await expect(abandoned).rejects.toThrow('aborted');
    await client.send(new ListActivitiesCommand({}));
    await client.send(new StartExecutionCommand({ stateMachineArn: PACKS, input: '1' }));

    expect((await client.send(new GetActivityTaskCommand({ activityArn: PACK }))).input).toBe('1');
  });
});
