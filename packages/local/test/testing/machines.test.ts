import { App, Stack } from 'aws-cdk-lib';
import { Activity, DefinitionBody, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import type { JsonObject } from '../../json/json';
import { startTestStack, type TestStack, type TestStackOptions } from '../../testing/test-stack';

describe('a test stack of machines that start others, or have workers', () => {
  let stack: TestStack;
  afterEach(() => stack.close());

  /** Starts the state machines in the constructs of these names, with an activity called `pack`. */
  async function start(
    machines: Readonly<Record<string, JsonObject>>,
    options: Partial<TestStackOptions> = {},
  ) {
    const app = new App();
    const shop = new Stack(app, 'Shop');
    new Activity(shop, 'Pack', { activityName: 'pack' });
    for (const [name, { type, ...definition }] of Object.entries(machines)) {
      new StateMachine(shop, name, {
        stateMachineName: name,
        definitionBody: DefinitionBody.fromString(JSON.stringify({ StartAt: 'Do', ...definition })),
        stateMachineType: type === 'EXPRESS' ? StateMachineType.EXPRESS : StateMachineType.STANDARD,
      });
    }
    stack = await startTestStack({ assembly: app.synth().directory, ...options });
  }
  const arnOf = (what: string) => `arn:aws:states:us-east-1:111111111111:${what}`;
  const starts = (call: string, name: string): JsonObject => ({
    Do: {
      Type: 'Task',
      Resource: `arn:aws:states:::${call}`,
      Parameters: { StateMachineArn: arnOf(`stateMachine:${name}`) },
      End: true,
    },
  });
  const packs = { Do: { Type: 'Task', Resource: arnOf('activity:pack'), HeartbeatSeconds: 5, End: true } };

  test('a worker in the test itself: has the task within an act, and its heartbeat is not over', async () => {
    await start({ Packing: { States: packs } });
    await stack.deliver({ stateMachine: 'Shop/Packing', input: { order: 7 } });

    const { executions, ms } = await stack.act(async () => {
      const activityArn = stack.find('Shop/Pack').arn ?? '';
      const { taskToken = '', input = '' } = (await stack.runtime.activityTasks.next({ activityArn })) ?? {};
      await stack.runtime.taskResults.succeed({ taskToken, output: input });
    });

    expect(executions).toMatchObject([{ status: 'SUCCEEDED', output: { order: 7 } }]);
    expect(ms).toBe(0);
  });

  test('a fault of the state of an activity: rejected, for nothing is called', async () => {
    await start({ Packing: { States: packs } });

    expect(() => stack.faults.failStep('Do')).toThrow('the state "Do" calls no service');
  });

  test('executions of both types at one moment: in the order in which they were started', async () => {
    await start({
      Outer: { States: starts('aws-sdk:sfn:startSyncExecution', 'Inner') },
      Inner: { type: 'EXPRESS', States: starts('states:startExecution', 'Last') },
      Last: { States: { Do: { Type: 'Succeed' } } },
    });

    const { executions } = await stack.deliver({ stateMachine: 'Shop/Outer', input: {} });

    expect(executions.map(({ stateMachine }) => stateMachine)).toEqual([
      'Shop/Outer',
      'Shop/Inner',
      'Shop/Last',
    ]);
  });

  test('an interceptor that forgets to return the answer: the state fails and says so', async () => {
    const interceptor = (async (_call: unknown, next: () => unknown) => void (await next())) as never;
    await start(
      {
        Outer: { States: starts('states:startExecution', 'Last') },
        Last: { States: { Do: { Type: 'Succeed' } } },
      },
      { interceptor },
    );

    const { executions } = await stack.deliver({ stateMachine: 'Shop/Outer', input: {} });
    expect(executions[0]).toMatchObject({
      status: 'FAILED',
      cause: expect.stringMatching(/the interceptor before it, has answered nothing$/),
    });
  });
});
