import type { JsonObject } from '../../json/json';
import { Activities } from '../../runtime/catalogue/activities';
import { advanceBy, runToEnd } from '../../runtime/drive';
import type { RuntimeOptions } from '../../runtime/runtime-options';
import { MemoryStore } from '../../runtime/store/memory-store';
import { textOf, worldOf } from './world';

const PACK = 'arn:aws:states:us-east-1:111111111111:activity:pack';

function activitiesWith(arn: string): Activities {
  const activities = new Activities();
  activities.put({ arn, name: 'pack', creationDate: 0, tags: [] });
  return activities;
}

/** A runtime with an activity, and an execution whose state waits for it. */
async function waiting(more: JsonObject = {}, options: Partial<RuntimeOptions> = {}) {
  const world = worldOf({ activities: activitiesWith(PACK), ...options });
  const state = { Type: 'Task', Resource: PACK, End: true, ...more };
  const { arn } = world.runtime.register(textOf({ Pack: state }), { name: 'm' });
  const { executionArn } = await world.runtime.startExecution({ stateMachineArn: arn, input: '{"order":7}' });
  await world.runtime.work.idle();
  const describe = () => world.runtime.describeExecution({ executionArn });
  const types = async () => {
    const { events } = await world.runtime.getExecutionHistory({ executionArn });
    return events.map(({ type }) => type);
  };
  return { ...world, executionArn, describe, types };
}

describe('a state that waits for an activity', () => {
  test('a worker asks and succeeds: it has the input, and what it sends is the result', async () => {
    const { runtime, describe, executionArn } = await waiting();
    const task = await runtime.activityTasks.next({ activityArn: PACK, workerName: 'hall 3' });
    await runtime.taskResults.succeed({ taskToken: task?.taskToken ?? '', output: '"packed"' });

    expect(task?.input).toBe('{"order":7}');
    expect(await describe()).toMatchObject({ status: 'SUCCEEDED', output: '"packed"' });
    const { events } = await runtime.getExecutionHistory({ executionArn });
    expect(events.slice(2, 5)).toMatchObject([
      { type: 'ActivityScheduled', activityScheduledEventDetails: { resource: PACK, input: '{"order":7}' } },
      { type: 'ActivityStarted', activityStartedEventDetails: { workerName: 'hall 3' } },
      { type: 'ActivitySucceeded', activitySucceededEventDetails: { output: '"packed"' } },
    ]);
  });

  test('`Arguments`: are the input of the task, in place of the input of the state', async () => {
    const { runtime } = await waiting({ Arguments: { box: '{% $states.input.order * 2 %}' } });

    expect((await runtime.activityTasks.next({ activityArn: PACK }))?.input).toBe('{"box":14}');
  });

  test('the worker fails: Retry offers the task again, and Catch has error and cause', async () => {
    const { runtime, clock, describe, types } = await waiting({
      Retry: [{ ErrorEquals: ['Torn'], MaxAttempts: 1, IntervalSeconds: 1 }],
    });
    const fail = async () => {
      const task = await runtime.activityTasks.next({ activityArn: PACK });
      await runtime.taskResults.fail({ taskToken: task?.taskToken ?? '', error: 'Torn', cause: 'the box' });
    };
    await fail();
    await advanceBy(runtime, clock, 1000);
    await fail();

    expect(await describe()).toMatchObject({ status: 'FAILED', error: 'Torn', cause: 'the box' });
    expect((await types()).filter(type => type.startsWith('Activity'))).toEqual([
      ...['ActivityScheduled', 'ActivityStarted', 'ActivityFailed'],
      ...['ActivityScheduled', 'ActivityStarted', 'ActivityFailed'],
    ]);
  });

  test('limits: begin when a worker has the task, not when it is scheduled', async () => {
    const { runtime, clock, describe, types } = await waiting({ TimeoutSeconds: 30 });
    await advanceBy(runtime, clock, 3_600_000);
    await runtime.activityTasks.next({ activityArn: PACK });
    await advanceBy(runtime, clock, 29_999);
    expect(await describe()).toMatchObject({ status: 'RUNNING' });
    await advanceBy(runtime, clock, 1);

    expect(await describe()).toMatchObject({ status: 'FAILED', error: 'States.Timeout' });
    expect(await types()).toContain('ActivityTimedOut');
  });

  test('heartbeats: keep the task, and without one it is lost', async () => {
    const { runtime, clock, describe } = await waiting({ HeartbeatSeconds: 10, TimeoutSeconds: 600 });
    const { taskToken } = (await runtime.activityTasks.next({ activityArn: PACK })) ?? { taskToken: '' };
    await advanceBy(runtime, clock, 9000);
    await runtime.taskResults.heartbeat({ taskToken });
    await advanceBy(runtime, clock, 9999);
    expect(await describe()).toMatchObject({ status: 'RUNNING' });
    await advanceBy(runtime, clock, 1);

    expect(await describe()).toMatchObject({ status: 'FAILED', error: 'States.Timeout' });
  });

  test('no such activity when the state is entered: the execution fails, whatever is caught', async () => {
    const { describe } = await waiting(
      { Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Pack' }] },
      { activities: new Activities() },
    );

    expect(await describe()).toMatchObject({
      status: 'FAILED',
      error: 'States.Runtime',
      cause: `An error occurred while executing the state 'Pack' (entered at the event id #2). The activity ${PACK} does not exist.`,
    });
  });
});

describe('workers that ask for a task', () => {
  test('none there: a minute of the clock later they get that answer', async () => {
    const { runtime, clock } = worldOf({ activities: activitiesWith(PACK) });
    let answer: unknown = 'waiting';
    void runtime.activityTasks.next({ activityArn: PACK }).then(task => {
      answer = task;
    });
    await advanceBy(runtime, clock, 59_999);
    expect(answer).toBe('waiting');
    await advanceBy(runtime, clock, 1);

    expect(answer).toBeUndefined();
  });

  test('several wait: the first to ask has the first task, and each task goes to one', async () => {
    const { runtime } = worldOf({ activities: activitiesWith(PACK) });
    const polls = ['a', 'b'].map(workerName => runtime.activityTasks.next({ activityArn: PACK, workerName }));
    const { arn } = runtime.register(textOf({ Pack: { Type: 'Task', Resource: PACK, End: true } }), {
      name: 'm',
    });
    for (const input of ['1', '2']) await runtime.startExecution({ stateMachineArn: arn, input });

    expect((await Promise.all(polls)).map(task => task?.input)).toEqual(['1', '2']);
  });

  test('one has gone: the task is kept for the next', async () => {
    const { runtime, clock } = worldOf({ activities: activitiesWith(PACK) });
    let leave = () => {};
    const gone = runtime.activityTasks.next({ activityArn: PACK }, listener => {
      leave = listener;
    });
    leave();
    const { arn } = runtime.register(textOf({ Pack: { Type: 'Task', Resource: PACK, End: true } }), {
      name: 'm',
    });
    await runtime.startExecution({ stateMachineArn: arn, input: '1' });

    expect(await gone).toBeUndefined();
    expect((await runtime.activityTasks.next({ activityArn: PACK }))?.input).toBe('1');
    expect(clock.now()).toBe(Date.UTC(2026, 0, 1));
  });

  test('the execution was stopped before: its task is not handed out', async () => {
    const { runtime, clock, executionArn } = await waiting();
    await runtime.stopExecution({ executionArn });
    const poll = runtime.activityTasks.next({ activityArn: PACK });
    await advanceBy(runtime, clock, 60_000);

    expect(await poll).toBeUndefined();
  });

  test('the process was started anew: tasks are offered again, and those that a worker has are waited for', async () => {
    const store = new MemoryStore();
    const before = await waiting({}, { store });
    await before.runtime.startExecution({
      stateMachineArn: (await before.describe()).stateMachineArn,
      input: '{"order":8}',
    });
    const first = await before.runtime.activityTasks.next({ activityArn: PACK });
    before.runtime.close();

    const { runtime, clock } = worldOf({ store, activities: activitiesWith(PACK) });
    runtime.resume();
    const second = await runtime.activityTasks.next({ activityArn: PACK });
    for (const task of [first, second]) {
      await runtime.taskResults.succeed({ taskToken: task?.taskToken ?? '', output: task?.input ?? '' });
    }

    expect(second?.input).toBe('{"order":8}');
    expect(await runToEnd(runtime, clock)).toEqual({ kind: 'ended' });
    expect(await before.describe()).toMatchObject({ status: 'SUCCEEDED', output: '{"order":7}' });
  });
});
