import { advanceBy, runToEnd } from '../../runtime/drive';
import { MemoryStore } from '../../runtime/store/memory-store';
import { START, service, textOf, WAIT, worldOf } from './world';

/** A store whose writes take a moment, and fail while `isFull`. */
class FailingStore extends MemoryStore {
  isFull = false;

  override async create(...args: Parameters<MemoryStore['create']>): Promise<void> {
    await this.#write();
    super.create(...args);
  }

  override async save(...args: Parameters<MemoryStore['save']>): Promise<void> {
    await this.#write();
    super.save(...args);
  }

  async #write(): Promise<void> {
    await new Promise(resolve => setImmediate(resolve));
    if (this.isFull) throw new Error('no space left');
  }
}

async function waiting() {
  const store = new FailingStore();
  const world = worldOf({ store });
  const { arn: stateMachineArn } = world.runtime.register(textOf({ W: WAIT }), { name: 'm' });
  const { executionArn } = await world.runtime.startExecution({ stateMachineArn, name: 'n' });
  await world.runtime.work.idle();
  const types = () => store.find(executionArn)?.history.map(event => event.type);
  return { ...world, store, stateMachineArn, executionArn, types };
}

function rejection(sent: Promise<unknown>): Promise<string> {
  return sent.then(
    () => 'accepted',
    error => (error instanceof Error ? error.message : String(error)),
  );
}

describe('a write that fails', () => {
  test('of a stop: its sender gets the error, and nothing of it can be seen', async () => {
    const { runtime, store, executionArn, types, problems } = await waiting();
    store.isFull = true;

    expect(await rejection(runtime.stopExecution({ executionArn }))).toBe(
      `execution ${executionArn} is stuck`,
    );
    expect(await runtime.describeExecution({ executionArn })).toMatchObject({ status: 'RUNNING' });
    expect(types()).toEqual(['ExecutionStarted', 'WaitStateEntered']);
    expect(problems).toEqual([`execution ${executionArn} is stuck`]);
  });

  test('nothing is applied after it, even where writes come through again: no hole in the history', async () => {
    const { runtime, clock, store, executionArn, types, problems } = await waiting();
    store.isFull = true;
    await advanceBy(runtime, clock, 60_000);
    store.isFull = false;

    expect(await rejection(runtime.stopExecution({ executionArn }))).toBe(
      `execution ${executionArn} is stuck`,
    );
    expect(await runToEnd(runtime, clock)).toEqual({ kind: 'waiting', executionArns: [executionArn] });
    expect(types()).toEqual(['ExecutionStarted', 'WaitStateEntered']);
    expect(problems).toHaveLength(1);
  });

  test('the next process: goes on from what was saved', async () => {
    const { runtime, clock, store, executionArn, types } = await waiting();
    store.isFull = true;
    await advanceBy(runtime, clock, 60_000);
    runtime.close();
    store.isFull = false;
    const next = worldOf({ store, clock });
    next.runtime.resume();
    await runToEnd(next.runtime, clock);

    expect(await next.runtime.describeExecution({ executionArn })).toMatchObject({ status: 'SUCCEEDED' });
    expect(types()).toEqual([
      'ExecutionStarted',
      'WaitStateEntered',
      'WaitStateExited',
      'ExecutionSucceeded',
    ]);
  });

  test('of a redrive: its sender gets the error, and it can be asked for again', async () => {
    const { runtime, store, executionArn } = await waiting();
    await runtime.stopExecution({ executionArn });
    store.isFull = true;

    expect(await rejection(runtime.redriveExecution({ executionArn }))).toBe(
      `execution ${executionArn} is stuck`,
    );
    expect(runtime.running()).toEqual([]);
    store.isFull = false;
    expect(await rejection(runtime.redriveExecution({ executionArn }))).toBe('accepted');
    expect(await runtime.describeExecution({ executionArn })).toMatchObject({
      status: 'RUNNING',
      redriveCount: 1,
    });
  });

  test('of a start: its sender gets the error, and there is no such execution', async () => {
    const { runtime, store, stateMachineArn } = await waiting();
    store.isFull = true;
    const start = () => runtime.startExecution({ stateMachineArn, name: 'other' });
    const executionArn = 'arn:aws:states:us-east-1:000000000000:execution:m:other';
    const [one, stopped] = await Promise.all([
      rejection(start()),
      rejection(runtime.stopExecution({ executionArn })),
    ]);

    expect(one).toBe('no space left');
    expect(stopped).toBe(`Execution Does Not Exist: '${executionArn}'`);
    store.isFull = false;
    expect(await rejection(start())).toBe('accepted');
  });
});

describe('an execution that is being created', () => {
  async function creating() {
    const store = new FailingStore();
    const world = worldOf({ store });
    const { arn: stateMachineArn } = world.runtime.register(textOf({ W: WAIT }), { name: 'm' });
    const request = { stateMachineArn, name: 'n' };
    return { ...world, store, request, started: world.runtime.startExecution(request) };
  }

  test('the same request again: answered when it is saved, as the first one', async () => {
    const { runtime, store, request, started } = await creating();
    const again = await runtime.startExecution(request);

    expect(store.find(again.executionArn)).toBeDefined();
    expect(again).toEqual(await started);
    expect(runtime.running()).toEqual([again.executionArn]);
  });

  test('another input under its name: rejected', async () => {
    const { runtime, request } = await creating();

    expect(await rejection(runtime.startExecution({ ...request, input: '1' }))).toContain('Already Exists');
  });

  test('the same request, and the first one fails: tried itself', async () => {
    const { runtime, store, request, started } = await creating();
    store.isFull = true;
    const again = runtime.startExecution(request);
    const first = await rejection(started);
    store.isFull = false;

    expect(first).toBe('no space left');
    expect(await rejection(again)).toBe('accepted');
  });

  test('stopped: when it has begun', async () => {
    const { runtime, started } = await creating();
    const executionArn = 'arn:aws:states:us-east-1:000000000000:execution:m:n';
    await runtime.stopExecution({ executionArn });
    await started;
    const { events } = await runtime.getExecutionHistory({ executionArn });

    expect(events.map(event => event.type)).toEqual([
      'ExecutionStarted',
      'WaitStateEntered',
      'ExecutionAborted',
    ]);
  });

  test('listed: not yet', async () => {
    const { runtime, request, started } = await creating();

    expect((await runtime.listExecutions(request)).executions).toEqual([]);
    await started;
    expect((await runtime.listExecutions(request)).executions).toHaveLength(1);
  });

  test('in memory, stopped in the same moment: after its start', async () => {
    const { runtime } = worldOf();
    const { arn: stateMachineArn } = runtime.register(textOf({ W: WAIT }), { name: 'm' });
    const started = runtime.startExecution({ stateMachineArn, name: 'n' });
    await runtime.stopExecution({ executionArn: 'arn:aws:states:us-east-1:000000000000:execution:m:n' });
    const { events } = await runtime.getExecutionHistory(await started);

    expect(events.map(event => event.type)).toEqual([
      'ExecutionStarted',
      'WaitStateEntered',
      'ExecutionAborted',
    ]);
  });
});

describe('resume', () => {
  test('timers that are overdue: in the order in which they were due', async () => {
    const store = new MemoryStore();
    const before = worldOf({ store });
    const seconds = new Map([
      ['a', 30],
      ['b', 20],
      ['c', 10],
    ]);
    const text = textOf({ W: { ...WAIT, Seconds: '{% $states.input %}' } });
    const { arn: stateMachineArn } = before.runtime.register(text, { name: 'm' });
    for (const [name, wait] of seconds) {
      await before.runtime.startExecution({ stateMachineArn, name, input: String(wait) });
    }
    await before.runtime.work.idle();
    before.runtime.close();
    before.clock.advanceTo(START + 60_000);
    const { runtime } = worldOf({ store, clock: before.clock });
    const ended: string[] = [];
    runtime.subscribe(({ execution }) => ended.push(execution.name));
    runtime.resume();
    await runToEnd(runtime, before.clock);

    expect(ended).toEqual(['c', 'b', 'a']);
  });

  test('a definition that does not run any more: can be stopped, not redriven', async () => {
    const store = new MemoryStore();
    const services = new Map([['test:echo', service(() => new Promise(() => undefined))]]);
    const before = worldOf({ store, services });
    const { arn: stateMachineArn } = before.runtime.register(textOf({ W: WAIT }), { name: 'm' });
    const { executionArn } = await before.runtime.startExecution({ stateMachineArn });
    await before.runtime.work.idle();
    before.runtime.close();
    const stored = store.find(executionArn);
    if (!stored) throw new Error('no execution');
    const unusable = { ...stored.choice.machine, definition: { startAt: '', states: new Map() } };
    store.create({ machine: unusable }, stored.execution);
    const { runtime, problems } = worldOf({ store });
    runtime.resume();

    await runtime.stopExecution({ executionArn });
    expect(await runtime.describeExecution({ executionArn })).toMatchObject({ status: 'ABORTED' });
    expect(await rejection(runtime.redriveExecution({ executionArn }))).toContain(
      'does not run in this version',
    );
    expect(problems).toEqual([]);
  });
});

describe('the year of an execution', () => {
  test('over while nothing else happens: timed out, though nothing waited for it', async () => {
    const services = new Map([['test:echo', service(() => ({ kind: 'succeeded', output: 1 }))]]);
    const { runtime, clock } = worldOf({ services });
    const token = {
      Type: 'Task',
      Resource: 'arn:aws:states:::test:echo.waitForTaskToken',
      Arguments: {},
      End: true,
    };
    const { arn: stateMachineArn } = runtime.register(textOf({ T: token }), { name: 'm' });
    const { executionArn } = await runtime.startExecution({ stateMachineArn });

    expect(await runToEnd(runtime, clock)).toEqual({ kind: 'waiting', executionArns: [executionArn] });
    expect(clock.now()).toBe(START);
    const year = 365 * 24 * 60 * 60 * 1000;
    await advanceBy(runtime, clock, year + 1000);
    expect(await runtime.describeExecution({ executionArn })).toMatchObject({
      status: 'TIMED_OUT',
      stopDate: START + year,
    });
  });

  test('a Wait beyond it: ends with the year', async () => {
    const { runtime, clock } = worldOf();
    const text = textOf({ W: { ...WAIT, Seconds: 40_000_000 } });
    const { arn: stateMachineArn } = runtime.register(text, { name: 'm' });
    const { executionArn } = await runtime.startExecution({ stateMachineArn });
    await runToEnd(runtime, clock);

    expect(await runtime.describeExecution({ executionArn })).toMatchObject({ status: 'TIMED_OUT' });
  });
});
