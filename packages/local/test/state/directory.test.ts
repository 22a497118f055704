import { appendFileSync, cpSync, readdirSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { ClassicLevel } from 'classic-level';
import type { Service } from '../../runtime/calls/service';
import { advanceBy } from '../../runtime/drive';
import type { StartRequest } from '../../runtime/requests/start-request';
import type { Store } from '../../runtime/store/store';
import { statesIntegrations } from '../../services/states/integrations';
import { START, service, taskOf, textOf, WAIT, worldOf } from '../runtime/world';
import { cleanUp, closeAll, event, execution, machine, newPath, open, reopen, text } from './world';

afterEach(cleanUp);

describe('executions on disk', () => {
  test('created, saved in steps, opened again: all of it, in the order of the starts', async () => {
    const directory = newPath();
    const { store } = await open(directory);
    const choice = { machine: machine(), versionArn: 'v', aliasArn: 'a' };
    for (const name of ['b', 'a', 'c']) await store.create(choice, execution(name));
    await store.save(execution('a', 2), [event(1), event(2)]);
    await store.save(execution('a', 3), [event(3)]);

    const again = (await reopen(directory)).store;

    const { arn } = execution('a');
    expect(again.list(choice.machine.arn).map(stored => stored.execution.name)).toEqual(['b', 'a', 'c']);
    expect(again.find(arn)).toEqual({
      choice,
      execution: execution('a', 3),
      history: [event(1), event(2), event(3)],
    });
    expect(again.running()).toHaveLength(3);
  });

  test('opened again, and gone on with: what was there and what is new', async () => {
    const directory = newPath();
    const choice = { machine: machine() };
    const { store } = await open(directory);
    await store.create(choice, execution('a'));
    await store.save(execution('a', 1), [event(1)]);
    const second = (await reopen(directory)).store;
    await second.create(choice, execution('b'));
    await second.save(execution('a', 2), [event(2)]);
    await second.save(execution('b', 1), [event(1)]);

    const third = (await reopen(directory)).store;

    const listed = [...third.all()].map(({ execution: { name }, history }) => [name, history]);
    expect(listed).toEqual([
      ['a', [event(1), event(2)]],
      ['b', [event(1)]],
    ]);
  });

  test('2,000 events in saves of different sizes: in order', async () => {
    const directory = newPath();
    const { store } = await open(directory);
    await store.create({ machine: machine() }, execution('a'));
    for (let id = 1; id <= 2000; ) {
      const events = Array.from({ length: (id % 7) + 1 }, (_, index) => event(id + index));
      await store.save(execution('a', id + events.length - 1), events);
      id += events.length;
    }

    const history = (await reopen(directory)).store.find(execution('a').arn)?.history ?? [];

    expect(history.map(({ id }) => id)).toEqual(history.map((_, index) => index + 1));
    expect(history.length).toBeGreaterThanOrEqual(2000);
  });

  test('a name used again: the execution before is forgotten, with its history', async () => {
    const directory = newPath();
    const { store } = await open(directory);
    const choice = { machine: machine() };
    await store.create(choice, execution('a'));
    await store.save(execution('a', 1), [event(1)]);
    await store.create(choice, execution('b'));
    await store.create(choice, execution('a', 0, { startedAt: START + 1 }));

    const again = (await reopen(directory)).store;

    expect(again.find(execution('a').arn)).toMatchObject({
      execution: { startedAt: START + 1 },
      history: [],
    });
    expect(again.list(choice.machine.arn).map(stored => stored.execution.name)).toEqual(['b', 'a']);
    await closeAll();
    const db = new ClassicLevel(path.join(directory, 'log'));
    const keys = await db.keys({ gt: 'e', lt: 'f' }).all();
    await db.close();
    expect(keys).toEqual(['execution!000000000002', 'execution!000000000003']);
  });

  test('two creations at a time: the name is taken before the first is on disk', async () => {
    const { store } = await open(newPath());

    const writing = store.create({ machine: machine() }, execution('a'));

    expect(store.find(execution('a').arn)).toBeDefined();
    await writing;
  });

  test('a state that is not on disk yet: not visible', async () => {
    const { store } = await open(newPath());
    await store.create({ machine: machine() }, execution('a'));

    const writing = store.save(execution('a', 1), [event(1)]);

    expect(store.find(execution('a').arn)).toMatchObject({ execution: { lastEventId: 0 }, history: [] });
    await writing;
    expect(store.find(execution('a').arn)).toMatchObject({
      execution: { lastEventId: 1 },
      history: [event(1)],
    });
  });

  test('a text that does not run any more: to be looked at, and nothing more', async () => {
    const directory = newPath();
    const { store } = await open(directory);
    await store.create({ machine: machine({ definitionText: '{}' }) }, execution('a'));

    const again = (await reopen(directory)).store;

    expect(again.find(execution('a').arn)).toMatchObject({ execution: { status: 'RUNNING' } });
    expect(worldOf({ store: again }).runtime.resume()).toBe(0);
  });
});

describe('a process that was killed', () => {
  /** The file that the last writes are in. */
  const log = (directory: string) => {
    const folder = path.join(directory, 'log');
    const name = readdirSync(folder).find(file => file.endsWith('.log'));
    return path.join(folder, name ?? '');
  };

  test.each([1, 10, 100])(
    'in the middle of its last write, %d bytes short: everything except that write is there',
    async bytes => {
      const directory = newPath();
      const { store } = await open(directory);
      await store.create({ machine: machine() }, execution('a'));
      await store.save(execution('a', 1), [event(1)]);
      await store.save(execution('a', 2), [event(2)]);
      const killed = newPath();
      cpSync(directory, killed, { recursive: true });
      truncateSync(log(killed), statSync(log(killed)).size - bytes);

      const again = (await reopen(killed)).store.find(execution('a').arn);

      expect(again).toMatchObject({ execution: { lastEventId: 1 }, history: [event(1)] });
    },
  );

  test('its last writes are lost that the disk had: says how many', async () => {
    const directory = newPath();
    const { store } = await open(directory);
    await store.create({ machine: machine() }, execution('a'));
    await closeAll();
    truncateSync(log(directory), 0);

    await expect(reopen(directory)).rejects.toMatchObject({
      name: 'DamagedState',
      message: expect.stringMatching(/lost$/),
    });
  });

  test('with rubbish after its last write: dropped', async () => {
    const directory = newPath();
    const { store } = await open(directory);
    await store.create({ machine: machine() }, execution('a'));
    await closeAll();
    appendFileSync(log(directory), Buffer.alloc(50, 7));

    expect((await reopen(directory)).store.find(execution('a').arn)).toBeDefined();
  });
});

describe('a runtime that takes up where another ended', () => {
  const lossy = () => new Map([['dynamodb:putItem', service(() => new Promise<never>(() => undefined))]]);
  const call = taskOf('dynamodb:putItem', { Arguments: { TableName: 't', Item: {} } });

  test('a timer that is due in between: fires at once', async () => {
    const directory = newPath();
    const first = worldOf({ store: (await open(directory)).store });
    const { arn: stateMachineArn } = first.runtime.register(text, { name: 'm' });
    const { executionArn } = await first.runtime.startExecution({ stateMachineArn, name: 'e' });
    await first.runtime.work.idle();
    first.runtime.close();

    const second = worldOf({ store: (await reopen(directory)).store });
    second.clock.advanceTo(START + 61_000);
    expect(second.runtime.resume()).toBe(1);
    await second.runtime.whenEnded(executionArn);

    expect(await second.runtime.describeExecution({ executionArn })).toMatchObject({
      status: 'SUCCEEDED',
      stopDate: START + 61_000,
    });
  });

  test.each([
    ['without Retry: the task fails with what a broken connection gives', {}, 'FAILED'],
    [
      'with a Retry: it is called again',
      { Retry: [{ ErrorEquals: ['DynamoDB.SdkClientException'], IntervalSeconds: 1 }] },
      'RUNNING',
    ],
  ])('a call in flight, %s', async (_case, more, status) => {
    const directory = newPath();
    const first = worldOf({ services: lossy(), store: (await open(directory)).store });
    const { arn: stateMachineArn } = first.runtime.register(textOf({ T: { ...call, ...more } }), {
      name: 'm',
    });
    const { executionArn } = await first.runtime.startExecution({ stateMachineArn, name: 'e' });
    await untilEvent(first, executionArn, 'TaskStarted');
    first.runtime.close();

    const second = worldOf({ services: lossy(), store: (await reopen(directory)).store });
    second.runtime.resume();
    await untilEvent(second, executionArn, 'TaskFailed');

    const { events } = await second.runtime.getExecutionHistory({ executionArn });
    expect(events.find(({ type }) => type === 'TaskFailed')?.taskFailedEventDetails).toMatchObject({
      error: 'DynamoDB.SdkClientException',
      cause: expect.stringContaining('the local runtime was restarted'),
    });
    expect(await second.runtime.describeExecution({ executionArn })).toMatchObject({ status });
    second.runtime.close();
  });

  test('a job: waited for again, and its result is that of the execution it started', async () => {
    const directory = newPath();
    const first = jobWorld((await open(directory)).store);
    const child = textOf({ W: WAIT });
    const { arn: StateMachineArn } = first.runtime.register(child, { name: 'child' });
    const job = taskOf('states:startExecution.sync:2', {
      Arguments: { StateMachineArn, Name: 'c' },
      Output: '{% $states.result.Status %}',
    });
    const { arn: stateMachineArn } = first.runtime.register(textOf({ T: job }), { name: 'm' });
    const { executionArn } = await first.runtime.startExecution({ stateMachineArn, name: 'e' });
    await untilEvent(first, executionArn, 'TaskSubmitted');
    await first.runtime.work.idle();
    first.runtime.close();

    const second = jobWorld((await reopen(directory)).store);
    expect(second.runtime.resume()).toBe(2);
    await advanceBy(second.runtime, second.clock, 60_000);
    await second.runtime.whenEnded(executionArn);

    expect(await second.runtime.describeExecution({ executionArn })).toMatchObject({ output: '"SUCCEEDED"' });
    const { events } = await second.runtime.getExecutionHistory({ executionArn });
    expect(events.filter(({ type }) => type === 'TaskScheduled')).toHaveLength(1);
  });

  /** A world whose machines can start each other. */
  function jobWorld(store: Store) {
    const services = new Map<string, Service>();
    const world = worldOf({ store, services });
    const { runtime } = world;
    const api = {
      startExecution: (request: StartRequest) => runtime.startExecution(request),
      describeExecution: (request: { executionArn: string }) => runtime.describeExecution(request),
      stopExecution: (request: { executionArn: string }) => runtime.stopExecution(request),
      whenEnded: (arn: string) => runtime.whenEnded(arn),
    };
    const options = { newRequestId: () => 'r', now: () => START };
    for (const [resource, service] of statesIntegrations(api, options)) services.set(resource, service);
    return world;
  }

  async function untilEvent(
    world: ReturnType<typeof worldOf>,
    executionArn: string,
    type: string,
  ): Promise<void> {
    for (;;) {
      const { events } = await world.runtime.getExecutionHistory({ executionArn });
      if (events.some(event => event.type === type)) return;
      await new Promise(resolve => setImmediate(resolve));
    }
  }
});
