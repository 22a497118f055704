import { advanceBy, runToEnd } from '../../../runtime/drive';
import { MemoryStore } from '../../../runtime/store/memory-store';
import { textOf } from '../world';
import { FAILS_FOR_ODD, mapWorld, PASS, processor, readers, WAIT_MINUTE } from './world';

describe('a distributed Map', () => {
  test('each item is an execution of its own, and their outputs are the result in the order of the items', async () => {
    const { runtime, start } = mapWorld();
    const selector = {
      n: '{% $states.context.Map.Item.Value %}',
      at: '{% $states.context.Map.Item.Index %}',
    };
    const { output, types, children, run } = await start({ Items: [7, 8], ItemSelector: selector });

    expect(await output()).toEqual([
      { n: 7, at: 0 },
      { n: 8, at: 1 },
    ]);
    expect(await types()).toEqual([
      ...['ExecutionStarted', 'MapStateEntered', 'MapStateStarted', 'MapRunStarted'],
      ...['MapRunSucceeded', 'MapStateSucceeded', 'MapStateExited', 'ExecutionSucceeded'],
    ]);
    expect(run()).toMatchObject({ status: 'SUCCEEDED', executionCounts: { succeeded: 2, total: 2 } });
    const listed = await children();
    expect(listed).toMatchObject([{ status: 'SUCCEEDED', itemCount: 1 }, { itemCount: 1 }]);
    const child = await runtime.describeExecution({ executionArn: listed[0]?.executionArn ?? '' });
    expect(child.mapRunArn).toBe(run().mapRunArn);
    expect(child.stateMachineArn).toMatch(/:stateMachine:m\/[0-9a-f-]{36}$/);
  });

  test('no items: an empty result', async () => {
    const { start } = mapWorld();

    expect(await (await start({ Items: [] })).output()).toEqual([]);
  });

  test('`Label`: names the machine of the executions, and the run', async () => {
    const { start } = mapWorld();
    const { run, children } = await start({ Items: [1], Label: 'orders' });

    expect(run().mapRunArn).toMatch(/:mapRun:m\/orders:[0-9a-f-]{36}$/);
    expect((await children())[0]?.stateMachineArn).toMatch(/:stateMachine:m\/orders$/);
  });

  test('Express executions: the same result', async () => {
    const { start, calls } = mapWorld();
    const ItemProcessor = processor(FAILS_FOR_ODD, { ExecutionType: 'EXPRESS' });
    const { output } = await start({ Items: [2, 4], ItemProcessor });

    expect(await output()).toEqual([2, 4]);
    expect(calls).toEqual([2, 4]);
  });

  test('`MaxConcurrency`: so many run at the same time, until UpdateMapRun says otherwise', async () => {
    const { runtime, clock, start } = mapWorld();
    const { run } = await start({
      Items: [1, 2, 3, 4, 5],
      MaxConcurrency: 2,
      ItemProcessor: processor(WAIT_MINUTE),
    });
    expect(run().executionCounts).toMatchObject({ running: 2, pending: 3 });
    await advanceBy(runtime, clock, 60_000);
    expect(run().executionCounts).toMatchObject({ succeeded: 2, running: 2, pending: 1 });
    await runtime.mapRuns.update({ mapRunArn: run().mapRunArn, maxConcurrency: 3 });
    expect(run()).toMatchObject({ maxConcurrency: 3, executionCounts: { running: 3, pending: 0 } });
    await runToEnd(runtime, clock);

    expect(run()).toMatchObject({ status: 'SUCCEEDED', executionCounts: { succeeded: 5 } });
  });

  test.each(['STANDARD', 'EXPRESS'])(
    'more %s executions than may run at all: each runs once, as soon as there is room',
    async type => {
      const { runtime, clock, start, calls } = mapWorld({}, { maxRunningExecutions: 3 });
      const ItemProcessor = {
        ...processor(FAILS_FOR_ODD, { ExecutionType: type }),
        StartAt: 'Rest',
        States: { Rest: { ...WAIT_MINUTE, Next: 'Work' }, Work: { ...FAILS_FOR_ODD, End: true } },
      };
      const { output, run } = await start({ Items: [2, 4, 6, 8, 10], ItemProcessor });
      expect(run().executionCounts).toMatchObject({ running: 2, pending: 3 });
      await runToEnd(runtime, clock);

      expect(await output()).toEqual([2, 4, 6, 8, 10]);
      expect(calls.map(Number).sort((one, other) => one - other)).toEqual([2, 4, 6, 8, 10]);
    },
  );

  test('variables of the execution around: those of the processor are others', async () => {
    const { start } = mapWorld();
    const work = { Type: 'Pass', Assign: { total: 1 }, Output: '{% $states.input %}' };
    const { output } = await start({ Items: [5], ItemProcessor: processor(work), Assign: { total: 2 } });

    expect(await output()).toEqual([5]);
  });
});

describe('failures of executions of a Map Run', () => {
  const ItemProcessor = processor(FAILS_FOR_ODD);

  test('none is tolerated: the run fails, and what has not begun never does', async () => {
    const { start, calls } = mapWorld();
    const {
      describe: parent,
      types,
      run,
    } = await start({ Items: [2, 3, 4], MaxConcurrency: 1, ItemProcessor });

    expect(await parent()).toMatchObject({
      status: 'FAILED',
      error: 'States.ExceedToleratedFailureThreshold',
      cause: 'The specified tolerated failure threshold was exceeded',
    });
    expect((await types()).slice(3)).toEqual([
      'MapRunStarted',
      'MapRunFailed',
      'MapStateFailed',
      'ExecutionFailed',
    ]);
    expect(run()).toMatchObject({
      status: 'FAILED',
      executionCounts: { succeeded: 1, failed: 1, pending: 1, failuresNotRedrivable: 1 },
    });
    expect(calls).toEqual([2, 3]);
  });

  test.each([
    ['as many as are tolerated', { ToleratedFailureCount: 1 }, 'SUCCEEDED'],
    ['one more', { ToleratedFailureCount: 0 }, 'FAILED'],
    ['as large a share', { ToleratedFailurePercentage: 25 }, 'SUCCEEDED'],
    ['a larger share', { ToleratedFailurePercentage: 24 }, 'FAILED'],
    [
      'fewer than are counted, and a larger share',
      { ToleratedFailureCount: 2, ToleratedFailurePercentage: 10 },
      'FAILED',
    ],
  ])('%s: as the definition says', async (_case, tolerated, status) => {
    const { start } = mapWorld();
    const { describe: parent } = await start({ Items: [2, 3, 4, 6], ItemProcessor, ...tolerated });

    expect((await parent()).status).toBe(status);
  });

  test.each([
    [7, 'SUCCEEDED'],
    [6.9, 'FAILED'],
  ])('7 of 100, and %d percent are tolerated: %s', async (ToleratedFailurePercentage, status) => {
    const { start } = mapWorld();
    const Items = [...Array(7).fill(1), ...Array(93).fill(2)];
    const { describe: parent } = await start({ Items, ItemProcessor, ToleratedFailurePercentage });

    expect((await parent()).status).toBe(status);
  });

  test('tolerated: the result has the outputs of those that have succeeded', async () => {
    const { start } = mapWorld();
    const { output } = await start({ Items: [2, 3, 4], ItemProcessor, ToleratedFailureCount: 1 });

    expect(await output()).toEqual([2, 4]);
  });

  test('beyond what is tolerated: those that still run are stopped', async () => {
    const { runtime, clock, start } = mapWorld();
    const states = {
      StartAt: 'Choose',
      States: {
        Choose: {
          Type: 'Choice',
          Choices: [{ Condition: '{% $states.input = 0 %}', Next: 'Soon' }],
          Default: 'Long',
        },
        Soon: { Type: 'Wait', Seconds: 1, Next: 'Fail' },
        Fail: { Type: 'Fail', Error: 'E' },
        Long: { Type: 'Wait', Seconds: 600, End: true },
      },
    };
    const distributed = { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' }, ...states };
    const { children, run } = await start({ Items: [0, 1], ItemProcessor: distributed });
    await runToEnd(runtime, clock, clock.now() + 5000);

    expect(run()).toMatchObject({ status: 'FAILED', executionCounts: { failed: 1, aborted: 1 } });
    expect((await children()).map(({ status }) => status).sort()).toEqual(['ABORTED', 'FAILED']);
  });

  test('Retry: is another run, with executions of its own', async () => {
    const { runtime, clock, start, calls } = mapWorld();
    const Retry = [{ ErrorEquals: ['States.ExceedToleratedFailureThreshold'], MaxAttempts: 1 }];
    const { runArns } = await start({ Items: [3], ItemProcessor, Retry });
    await runToEnd(runtime, clock);

    expect(new Set(runArns()).size).toBe(2);
    expect(calls).toEqual([3, 3]);
  });

  test('redrive of the execution and of one of the run: rejected by name', async () => {
    const { runtime, start } = mapWorld();
    const { executionArn, children } = await start({ Items: [3], ItemProcessor });
    const rejected = 'Redriving a Map Run is not supported by the local runtime yet';
    const [child] = await children();

    for (const arn of [executionArn, child?.executionArn ?? '']) {
      expect(await runtime.describeExecution({ executionArn: arn })).toMatchObject({
        redriveStatusReason: rejected,
      });
      await expect(runtime.redriveExecution({ executionArn: arn })).rejects.toThrow(rejected);
    }
  });
});

describe('a Map Run that is not waited for any more', () => {
  test('the execution is stopped: so are those of the run, and it is aborted', async () => {
    const { runtime, start } = mapWorld();
    const { executionArn, run, children } = await start({
      Items: [1, 2],
      ItemProcessor: processor(WAIT_MINUTE),
    });
    await runtime.stopExecution({ executionArn });
    await runtime.work.idle();

    expect(run()).toMatchObject({ status: 'ABORTED', executionCounts: { aborted: 2, running: 0 } });
    expect((await children()).map(({ status }) => status)).toEqual(['ABORTED', 'ABORTED']);
    expect(runtime.running()).toEqual([]);
  });

  test('the execution is stopped while those of the run are being created: none of them goes on', async () => {
    let open = () => {};
    const gate = new Promise<void>(resolve => {
      open = resolve;
    });
    class GatedStore extends MemoryStore {
      override async create(...args: Parameters<MemoryStore['create']>): Promise<void> {
        if (args[0].mapRun) await gate;
        super.create(...args);
      }
    }
    const { runtime } = mapWorld({}, { store: new GatedStore() });
    const map = { Type: 'Map', Items: [1, 2], ItemProcessor: processor(WAIT_MINUTE), End: true };
    const { arn } = runtime.register(textOf({ Each: map }), { name: 'm' });
    const { executionArn } = await runtime.startExecution({ stateMachineArn: arn });
    await new Promise(resolve => setImmediate(resolve));
    const { run } = readers(runtime, executionArn);
    expect(run().executionCounts).toMatchObject({ running: 2 });
    await runtime.stopExecution({ executionArn });
    open();
    await runtime.work.idle();

    expect(runtime.running()).toEqual([]);
  });

  test('another branch fails: the run is aborted in the history, too', async () => {
    const { runtime, clock } = mapWorld();
    const wait = { Type: 'Map', Items: [1], ItemProcessor: processor(WAIT_MINUTE), End: true };
    const { arn } = runtime.register(
      textOf({
        Both: {
          Type: 'Parallel',
          End: true,
          Branches: [
            { StartAt: 'Each', States: { Each: wait } },
            { StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 1, Next: 'F' }, F: { Type: 'Fail' } } },
          ],
        },
      }),
      { name: 'm' },
    );
    const { executionArn } = await runtime.startExecution({ stateMachineArn: arn });
    await runToEnd(runtime, clock, clock.now() + 5000);
    const { types, run } = readers(runtime, executionArn);

    expect(await types()).toContain('MapRunAborted');
    expect(run().status).toBe('ABORTED');
    expect(runtime.running()).toEqual([]);
  });
});

describe('a Map Run when the process was started anew', () => {
  test('goes on: no execution is started twice, and results of those that had ended are kept', async () => {
    const store = new MemoryStore({ keep: 1 });
    const before = mapWorld({}, { store });
    const states = { ...processor(FAILS_FOR_ODD), StartAt: 'Rest' };
    const ItemProcessor = {
      ...states,
      States: { Rest: { ...WAIT_MINUTE, Next: 'Work' }, Work: { ...FAILS_FOR_ODD, End: true } },
    };
    const { executionArn } = await before.start({ Items: [2, 4, 6], MaxConcurrency: 1, ItemProcessor });
    await advanceBy(before.runtime, before.clock, 70_000);
    before.runtime.close();

    const after = mapWorld({}, { store, clock: before.clock });
    after.runtime.resume();
    const { output, run } = readers(after.runtime, executionArn);
    expect(run()).toMatchObject({
      status: 'RUNNING',
      executionCounts: { succeeded: 1, running: 1, pending: 1 },
    });
    await runToEnd(after.runtime, before.clock);

    expect(await output()).toEqual([2, 4, 6]);
    expect([...before.calls, ...after.calls]).toEqual([2, 4, 6]);
  });

  test('the execution around was stopped meanwhile: so are those of the run, and of runs within them', async () => {
    const store = new MemoryStore();
    const before = mapWorld({}, { store });
    const rest = { StartAt: 'Rest', States: { Rest: { ...WAIT_MINUTE, End: true } } };
    const inner = { Type: 'Map', Items: [1, 2], ItemProcessor: { ...processor(PASS), ...rest } };
    const { executionArn } = await before.start({ Items: [1, 2], ItemProcessor: processor(inner) });
    expect(before.runtime.running()).toHaveLength(7);
    before.runtime.close();

    const after = mapWorld({}, { store, clock: before.clock });
    after.runtime.resume([executionArn]);
    await after.runtime.work.idle();

    expect(after.runtime.running()).toEqual([]);
    expect([...store.all()].map(({ execution }) => execution.status)).toEqual(Array(7).fill('ABORTED'));
  });

  test('very many had ended: each is counted, and the others go on', async () => {
    const store = new MemoryStore();
    const before = mapWorld({}, { store });
    const rest = { Type: 'Wait', Seconds: '{% $states.input > 2995 ? 60 : 0 %}' };
    const ItemProcessor = processor(rest);
    const { executionArn } = await before.start({ Items: '{% [1..3000] %}', ItemProcessor });
    await advanceBy(before.runtime, before.clock, 1000);
    before.runtime.close();

    const after = mapWorld({}, { store, clock: before.clock });
    after.runtime.resume();
    await after.runtime.work.idle();
    const { run } = readers(after.runtime, executionArn);
    expect(run().executionCounts).toMatchObject({ succeeded: 2995, running: 5 });
    await runToEnd(after.runtime, before.clock);

    expect(run()).toMatchObject({ status: 'SUCCEEDED', executionCounts: { succeeded: 3000 } });
  });
});

describe('what is not there', () => {
  test('a run that does not exist, and a text that is not the ARN of one: rejected', async () => {
    const { runtime } = mapWorld();

    expect(() => runtime.mapRuns.describe('arn:aws:states:us-east-1:1:mapRun:m/l:u')).toThrow(
      'Resource not found',
    );
    expect(() => runtime.mapRuns.describe('arn:aws:states:us-east-1:1:execution:m:l')).toThrow(
      'Resource type not valid',
    );
  });

  test('more executions than this runtime runs for one run: the run fails, and says so', async () => {
    const { start } = mapWorld();
    const { describe: parent } = await start({ Items: '{% [1..10001] %}' });

    expect((await parent()).cause).toMatch(/10001 executions.*10000 at most/);
  });
});

test('an item of more than an execution takes: the run fails', async () => {
  const { start } = mapWorld({ 'a.jsonl': `"${'x'.repeat(270_000)}"` });
  const { describe: parent } = await start({
    ItemReader: {
      Resource: 'arn:aws:states:::s3:getObject',
      ReaderConfig: { InputType: 'JSONL' },
      Arguments: { Bucket: 'data', Key: 'a.jsonl' },
    },
    ItemProcessor: processor(PASS),
  });

  expect(await parent()).toMatchObject({ status: 'FAILED', error: 'States.DataLimitExceeded' });
});
