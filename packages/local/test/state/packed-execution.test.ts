import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newExecution } from '../../engine/execution';
import type { Service } from '../../runtime/calls/service';
import { Activities } from '../../runtime/catalogue/activities';
import { MachineRegistry } from '../../runtime/catalogue/machine-registry';
import { runToEnd } from '../../runtime/drive';
import { MemoryStore } from '../../runtime/store/memory-store';
import { VirtualClock } from '../../runtime/time/virtual-clock';
import { statesIntegrations } from '../../services/states/integrations';
import { runtimeApi } from '../../services/states/runtime-api';
import { openStateDirectory } from '../../state/directory';
import { packed, unpacked } from '../../state/packed-execution';
import { START, textOf, WAIT, worldOf } from '../runtime/world';

/** A world that is in the middle of a Map of 40 within a Parallel, all reading variables of 200,000 characters. */
async function inTheMiddle() {
  const store = new MemoryStore();
  const world = worldOf({ store });
  const text = textOf({
    A: { Type: 'Pass', Assign: { big: '{% $pad("", 200000, "x") %}', small: 1 }, Next: 'P' },
    P: {
      Type: 'Parallel',
      Branches: [
        {
          StartAt: 'B',
          States: {
            B: { Type: 'Pass', Assign: { inBranch: 2 }, Next: 'M' },
            M: {
              Type: 'Map',
              Items: '{% [1..40] %}',
              ItemProcessor: {
                StartAt: 'C',
                States: {
                  C: { Type: 'Pass', Assign: { inItem: '{% $states.input %}' }, Next: 'W' },
                  W: {
                    Type: 'Wait',
                    Seconds: '{% $states.input %}',
                    Output: '{% $length($big) + $small + $inBranch + $inItem %}',
                    End: true,
                  },
                },
              },
              End: true,
            },
          },
        },
      ],
      End: true,
    },
  });
  const { arn: stateMachineArn } = world.runtime.register(text, { name: 'm' });
  const { executionArn } = await world.runtime.startExecution({ stateMachineArn });
  await world.runtime.work.idle();
  const execution = store.find(executionArn)?.execution;
  if (!execution) throw new Error('no execution');
  return { ...world, store, execution };
}

describe('an execution as it is saved', () => {
  test('many threads: a variable is there once, and all of it comes back', async () => {
    const { execution } = await inTheMiddle();
    const text = JSON.stringify(packed(execution));

    expect(JSON.stringify(execution).length).toBeGreaterThan(40 * 200_000);
    expect(text.length).toBeLessThan(300_000);
    expect(unpacked(JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(execution)));
  });

  test('goes on from what was saved: each thread has its variables', async () => {
    const { execution, store, clock } = await inTheMiddle();
    const stored = store.find(execution.arn);
    if (!stored) throw new Error('no execution');
    const next = new MemoryStore();
    next.create(stored.choice, unpacked(JSON.parse(JSON.stringify(packed(execution)))));
    next.save(next.find(execution.arn)?.execution ?? execution, stored.history);
    const { runtime } = worldOf({ store: next, clock });
    runtime.resume();
    await runToEnd(runtime, clock);

    const { output } = await runtime.describeExecution({ executionArn: execution.arn });
    expect(JSON.parse(output ?? '')).toEqual([Array.from({ length: 40 }, (_, index) => 200_003 + index + 1)]);
  });

  test('one that cannot be written: was never there, and its name is free', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-state-'));
    const opened = await openStateDirectory(directory);
    if (opened.kind === 'rejected') throw new Error(opened.reason);
    const { store } = opened.directory;
    const machine = worldOf().runtime.register(textOf({ W: WAIT }), { name: 'm' });
    const arn = 'arn:aws:states:us-east-1:111111111111:execution:m:n';
    let deep: never[] = [];
    for (let level = 0; level < 50_000; level += 1) deep = [deep] as unknown as never[];
    const execution = newExecution({ arn, name: 'n', input: { value: deep, text: '' }, startedAt: START });

    await expect(store.create({ machine }, execution)).rejects.toThrow(RangeError);
    expect(store.find(arn)).toBeUndefined();
    expect(store.running()).toEqual([]);
    await store.create(
      { machine },
      newExecution({ arn, name: 'n', input: { value: 1, text: '1' }, startedAt: START }),
    );
    expect(store.find(arn)).toBeDefined();
    await opened.directory.close();
    rmSync(directory, { recursive: true, force: true });
  });
});

describe('a process that ends after it has saved that a job is not waited for', () => {
  /** Effects of nothing that ends come about: as if the process ended right behind the write. */
  class DyingStore extends MemoryStore {
    override save(...args: Parameters<MemoryStore['save']>): Promise<void> | undefined {
      super.save(...args);
      const isEnd = args[1].some(({ type }) => type === 'ParallelStateFailed');
      return isEnd ? new Promise(() => undefined) : undefined;
    }
  }

  test.each([
    ['the parent fails', {}, 'FAILED'],
    ['the parent catches it', { Catch: [{ ErrorEquals: ['States.ALL'], Next: 'W' }] }, 'SUCCEEDED'],
  ])('%s: the next process stops the job', async (_case, more, status) => {
    const store = new DyingStore();
    const services = new Map<string, Service>();
    const machines = new MachineRegistry(services, {
      partition: 'aws',
      region: 'us-east-1',
      account: '111111111111',
    });
    const open = (clock = new VirtualClock(START)) => {
      const world = worldOf({ store, services, machines, clock });
      for (const [resource, service] of statesIntegrations(
        runtimeApi(world.runtime, { machines, activities: new Activities() }),
      )) {
        services.set(resource, service);
      }
      return { ...world, clock };
    };
    const before = open();
    const child = before.runtime.register(textOf({ W: { ...WAIT, Seconds: 600 } }), { name: 'child' });
    const job = {
      Type: 'Task',
      Resource: 'arn:aws:states:::states:startExecution.sync:2',
      Arguments: { StateMachineArn: child.arn, Name: 'c' },
      End: true,
    };
    const failing = { W1: { Type: 'Wait', Seconds: 1, Next: 'F' }, F: { Type: 'Fail', Error: 'E' } };
    const branches = [
      { StartAt: 'T', States: { T: job } },
      { StartAt: 'W1', States: failing },
    ];
    const parallel = { Type: 'Parallel', Branches: branches, Next: 'W', ...more };
    const { arn } = before.runtime.register(textOf({ P: parallel, W: WAIT }), { name: 'parent' });
    const { executionArn } = await before.runtime.startExecution({ stateMachineArn: arn });
    await before.runtime.work.idle();
    before.clock.advanceBy(1000);
    await new Promise(resolve => setTimeout(resolve, 10));
    before.runtime.close();
    const next = open(before.clock);
    next.runtime.resume();
    await runToEnd(next.runtime, before.clock);

    expect(await next.runtime.describeExecution({ executionArn })).toMatchObject({ status });
    const c = child.arn.replace('stateMachine', 'execution');
    expect(await next.runtime.describeExecution({ executionArn: `${c}:c` })).toMatchObject({
      status: 'ABORTED',
      stopDate: START + 1000,
    });
  });
});
