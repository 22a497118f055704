import { runToEnd } from '../../../runtime/drive';
import { MemoryStore } from '../../../runtime/store/memory-store';
import { taskOf, textOf, WAIT, worldOf } from '../world';

/** After what a store does a little later. */
async function later(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(resolve => setImmediate(resolve));
}

function storeWorld(keep: number) {
  const forgotten: string[] = [];
  const store = new MemoryStore({ keep, forgetting: arn => forgotten.push(arn.split(':').at(-1) ?? '') });
  const world = worldOf({ store });
  const register = (definition: string, name: string) => world.runtime.register(definition, { name }).arn;
  const start = async (stateMachineArn: string, name: string, input = '{ "a": [1.0] }') => {
    const { executionArn } = await world.runtime.startExecution({ stateMachineArn, name, input });
    return executionArn;
  };
  return { ...world, store, forgotten, register, start };
}

describe('an execution that has ended', () => {
  test('some moments later: its description, its history and its list are the same', async () => {
    const { runtime, clock, register, start } = storeWorld(10);
    const stateMachineArn = register(textOf({ T: taskOf('test:echo', { Arguments: { b: 'ü' } }) }), 'm');
    const executionArn = await start(stateMachineArn, 'first');
    await start(stateMachineArn, 'second');
    await runToEnd(runtime, clock);
    const seen = async () => ({
      description: await runtime.describeExecution({ executionArn }),
      history: await runtime.getExecutionHistory({ executionArn }),
      list: await runtime.listExecutions({ stateMachineArn }),
    });
    const before = await seen();

    await later();

    expect(before.description).toMatchObject({ status: 'SUCCEEDED', input: '{ "a": [1.0] }' });
    expect(await seen()).toEqual(before);
  });

  test('redriven some moments later: goes on where it was, and its history with it', async () => {
    const { runtime, clock, register, start } = storeWorld(10);
    const failing = textOf({ W: { ...WAIT, End: false, Next: 'T' }, T: taskOf('test:fail') });
    const executionArn = await start(register(failing.replace('"End":false,', ''), 'm'), 'n');
    await runToEnd(runtime, clock);
    await later();

    await runtime.redriveExecution({ executionArn });
    await runToEnd(runtime, clock);
    await later();

    const { events } = await runtime.getExecutionHistory({ executionArn });
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter(({ type }) => type === 'ExecutionRedriven')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'TaskFailed')).toHaveLength(2);
    expect(events.filter(({ type }) => type === 'WaitStateEntered')).toHaveLength(1);
  });
});

describe('more executions than are kept', () => {
  test('those that ended first are forgotten, and their names are free; what runs stays', async () => {
    const { runtime, clock, register, start, forgotten } = storeWorld(2);
    const waiting = register(textOf({ W: WAIT }), 'waiting');
    const stateMachineArn = register(textOf({ T: taskOf('test:echo') }), 'm');
    const running = await start(waiting, 'running');
    const arns: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      arns.push(await start(stateMachineArn, name));
      await runtime.work.idle();
    }
    await later();

    expect(forgotten).toEqual(['a', 'b']);
    const { executions } = await runtime.listExecutions({ stateMachineArn });
    expect(executions.map(({ name }) => name)).toEqual(['d', 'c']);
    await expect(runtime.describeExecution({ executionArn: arns[0] ?? '' })).rejects.toMatchObject({
      name: 'ExecutionDoesNotExist',
    });
    await expect(start(stateMachineArn, 'c')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
    expect(await start(stateMachineArn, 'a')).toBe(arns[0]);
    await runToEnd(runtime, clock);
    expect((await runtime.describeExecution({ executionArn: running })).status).toBe('SUCCEEDED');
  });

  test('who waits for an end finds it, even where none but one is kept', async () => {
    const { runtime, register, start } = storeWorld(1);
    const stateMachineArn = register(textOf({ T: taskOf('test:echo') }), 'm');
    const arns = await Promise.all(['a', 'b', 'c'].map(name => start(stateMachineArn, name)));

    const ends = arns.map(async executionArn => {
      await runtime.whenEnded(executionArn);
      return (await runtime.describeExecution({ executionArn })).status;
    });

    expect(await Promise.all(ends)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
  });
});

test('an ARN that is created again: comes last in the order of starts, with nothing of the one before', async () => {
  const { register, start, ...world } = storeWorld(10);
  const arns = [await start(register(textOf({ W: WAIT }), 'm'), 'a')];
  arns.push(await start(register(textOf({ W: WAIT }), 'm'), 'b'));
  await world.runtime.work.idle();
  const [first, second] = arns.map(arn => world.store.find(arn));
  if (!first || !second) throw new Error('they are not kept');

  world.store.create(first.choice, first.execution);

  const listed = world.store.list(first.choice.machine.arn).map(({ execution }) => execution.name);
  expect(listed).toEqual(['b', 'a']);
  expect(world.store.find(first.execution.arn)?.history).toEqual([]);
});
