import type { Interceptor, ServiceCall } from '../../../runtime/calls/service';
import { advanceBy, runToEnd } from '../../../runtime/drive';
import { MemoryStore } from '../../../runtime/store/memory-store';
import { START, service, taskOf, textOf, WAIT, worldOf } from '../world';

type World = ReturnType<typeof worldOf>;

async function run({ runtime, clock }: World, text: string) {
  const { arn: stateMachineArn } = runtime.register(text, { name: 'm' });
  const { executionArn } = await runtime.startExecution({ stateMachineArn, name: 'n' });
  const result = await runToEnd(runtime, clock);
  return { executionArn, result, description: await runtime.describeExecution({ executionArn }) };
}

const echoing = textOf({ T: taskOf('test:echo', { Arguments: { a: 1 } }) });
const retrying = textOf({
  T: taskOf('test:echo', { Retry: [{ ErrorEquals: ['States.ALL'] }], TimeoutSeconds: 30 }),
});

describe('calls', () => {
  test('a service: gets the arguments and who calls', async () => {
    const calls: ServiceCall[] = [];
    const services = new Map([
      [
        'test:echo',
        service(call => {
          calls.push(call);
          return { kind: 'failed', error: 'E', cause: '' };
        }),
      ],
    ]);

    const { executionArn } = await run(
      worldOf({ services }),
      retrying.replace('"Arguments":{}', '"Arguments":{"a":1}'),
    );

    expect(calls).toEqual(
      [0, 1, 2, 3].map(retryCount => ({
        resource: 'test:echo',
        arguments: { a: 1 },
        executionArn,
        stateName: 'T',
        retryCount,
      })),
    );
  });

  test('a service that throws: fails its task for good, is reported, and the runtime goes on', async () => {
    const services = new Map([
      ['test:echo', service(() => Promise.reject(new Error('boom')))],
      ['test:fine', service(() => ({ kind: 'succeeded', output: 1 }))],
    ]);
    const world = worldOf({ services });

    const { description } = await run(world, retrying);

    expect(description).toMatchObject({
      status: 'FAILED',
      error: 'States.Runtime',
      cause: "Internal error: the local service 'test:echo' broke in state 'T': boom",
    });
    expect(world.problems).toEqual(["the local service 'test:echo' broke in state 'T'"]);
    const { arn } = world.runtime.register(textOf({ T: taskOf('test:fine') }), { name: 'fine' });
    await world.runtime.startExecution({ stateMachineArn: arn });
    expect(await runToEnd(world.runtime, world.clock)).toEqual({ kind: 'ended' });
  });

  test('a state that is left while its call is in flight: the call is aborted, its answer ignored', async () => {
    const aborted: boolean[] = [];
    const world: World = worldOf({
      services: new Map([
        [
          'test:echo',
          service(async (_call, abort) => {
            await world.work.pause(world.clock, 10_000);
            aborted.push(abort.aborted);
            return { kind: 'succeeded', output: 'late' };
          }),
        ],
      ]),
    });

    const { description } = await run(world, textOf({ T: taskOf('test:echo', { TimeoutSeconds: 5 }) }));
    await advanceBy(world.runtime, world.clock, 10_000);

    expect(description).toMatchObject({ status: 'FAILED', error: 'States.Timeout', stopDate: START + 5000 });
    expect(aborted).toEqual([true]);
  });

  test('stopped while calls of several branches are in flight: all of them are aborted', async () => {
    const aborted: string[] = [];
    const never = service(async (call, abort) => {
      await new Promise(resolve => abort.addEventListener('abort', resolve));
      aborted.push(call.stateName);
      return { kind: 'succeeded', output: 'late' };
    });
    const world = worldOf({ services: new Map([['test:never', never]]) });
    const branch = (name: string) => ({ StartAt: name, States: { [name]: taskOf('test:never') } });
    const states = { P: { Type: 'Parallel', Branches: ['A', 'B', 'C'].map(branch), End: true } };
    const { arn: stateMachineArn } = world.runtime.register(textOf(states), { name: 'm' });
    const { executionArn } = await world.runtime.startExecution({ stateMachineArn });
    await new Promise(resolve => setImmediate(resolve));

    await world.runtime.stopExecution({ executionArn });
    await world.runtime.work.idle();

    expect(aborted.sort()).toEqual(['A', 'B', 'C']);
  });
});

describe('an interceptor', () => {
  test('may delay: time passes, then the answer counts', async () => {
    const world: World = worldOf({
      interceptor: async (_call, next) => {
        await world.work.pause(world.clock, 3000);
        return next();
      },
    });

    const { description } = await run(world, echoing);

    expect(description).toMatchObject({ status: 'SUCCEEDED', stopDate: START + 3000, output: '{"a":1}' });
  });

  test('may answer itself: the service is not called', async () => {
    const services = new Map([['test:echo', service(() => Promise.reject(new Error('called')))]]);
    const interceptor: Interceptor = async () => ({ kind: 'failed', error: 'Injected', cause: 'fault' });

    const { description } = await run(worldOf({ services, interceptor }), echoing);

    expect(description).toMatchObject({ status: 'FAILED', error: 'Injected', cause: 'fault' });
  });

  test('may lose an answer: the task times out and is tried again', async () => {
    let count = 0;
    const world: World = worldOf({
      interceptor: async (_call, next) => {
        count += 1;
        const answer = await next();
        return count === 1 ? world.work.lose() : answer;
      },
    });

    const { description } = await run(world, retrying);

    expect(count).toBe(2);
    expect(description).toMatchObject({ status: 'SUCCEEDED', stopDate: START + 31_000 });
  });

  test('loses the only answer of a task without timeout: the drive says who waits', async () => {
    const world: World = worldOf({ interceptor: () => world.work.lose() });

    const { result, executionArn } = await run(world, echoing);

    expect(result).toEqual({ kind: 'waiting', executionArns: [executionArn] });
  });
});

describe('signals', () => {
  test('two at one moment: applied one after another, the second finds what the first has done', async () => {
    const { runtime } = worldOf();
    const { arn: stateMachineArn } = runtime.register(textOf({ W: WAIT }), { name: 'm' });
    const { executionArn } = await runtime.startExecution({ stateMachineArn });

    await Promise.all([
      runtime.stopExecution({ executionArn, error: 'first' }),
      runtime.stopExecution({ executionArn, error: 'second' }),
    ]);

    const { events } = await runtime.getExecutionHistory({ executionArn });
    expect(events.map(({ id, type }) => [id, type])).toEqual([
      [1, 'ExecutionStarted'],
      [2, 'WaitStateEntered'],
      [3, 'ExecutionAborted'],
    ]);
    expect(events[2]?.executionAbortedEventDetails).toEqual({ error: 'first' });
  });

  test('two timers due at one time: the one asked for first counts', async () => {
    const world = worldOf();

    const { description } = await run(world, textOf({ W: WAIT }, { TimeoutSeconds: 60 }));

    // The limit of the execution was set before the state was entered.
    expect(description.status).toBe('TIMED_OUT');
  });
});

describe('a store that takes its time', () => {
  test('effects: only after the write has come through', async () => {
    const log: string[] = [];
    class SlowStore extends MemoryStore {
      override async save(...args: Parameters<MemoryStore['save']>): Promise<void> {
        await Promise.resolve();
        super.save(...args);
        log.push(`saved ${args[1].at(-1)?.type}`);
      }
    }
    const services = new Map([
      [
        'test:echo',
        service(() => {
          log.push('called');
          return { kind: 'succeeded', output: 1 };
        }),
      ],
    ]);
    const world = worldOf({ services, store: new SlowStore() });
    world.runtime.subscribe(({ kind, execution }) => log.push(`${kind} ${execution.status}`));

    await run(world, echoing);

    expect(log).toEqual([
      'started RUNNING',
      'saved TaskStarted',
      'called',
      'saved ExecutionSucceeded',
      'ended SUCCEEDED',
    ]);
  });
});

describe('subscribe', () => {
  test('starts and ends: reported with their descriptions, until unsubscribed', async () => {
    const world = worldOf();
    const seen: string[] = [];
    const unsubscribe = world.runtime.subscribe(({ kind, execution }) =>
      seen.push(`${kind} ${execution.status}`),
    );
    const { arn: stateMachineArn } = world.runtime.register(textOf({ W: WAIT }), { name: 'm' });

    await world.runtime.startExecution({ stateMachineArn });
    await runToEnd(world.runtime, world.clock);
    unsubscribe();
    await world.runtime.startExecution({ stateMachineArn });

    expect(seen).toEqual(['started RUNNING', 'ended SUCCEEDED']);
  });

  test('a listener that throws: reported, the others are called', async () => {
    const world = worldOf();
    const seen: string[] = [];
    world.runtime.subscribe(() => {
      throw new Error('boom');
    });
    world.runtime.subscribe(({ kind }) => seen.push(kind));

    await run(world, echoing);

    expect(seen).toEqual(['started', 'ended']);
    expect(world.problems).toEqual(["a listener broke on 'started'", "a listener broke on 'ended'"]);
  });
});

describe('close', () => {
  test('with executions in progress: nothing fires any more', async () => {
    const world = worldOf();
    const { arn: stateMachineArn } = world.runtime.register(textOf({ W: WAIT }), { name: 'm' });
    const { executionArn } = await world.runtime.startExecution({ stateMachineArn });
    await world.runtime.work.idle();

    world.runtime.close();
    await advanceBy(world.runtime, world.clock, 120_000);

    expect(world.runtime.running()).toEqual([]);
    expect(await world.runtime.describeExecution({ executionArn })).toMatchObject({ status: 'RUNNING' });
  });

  test('with a call in flight: its answer does not count', async () => {
    let answer = () => {};
    const pending = new Promise<void>(resolve => {
      answer = resolve;
    });
    const services = new Map([
      ['test:echo', service(() => pending.then(() => ({ kind: 'succeeded' as const, output: 1 })))],
    ]);
    const { runtime } = worldOf({ services });
    const { arn: stateMachineArn } = runtime.register(echoing, { name: 'm' });
    const { executionArn } = await runtime.startExecution({ stateMachineArn });
    runtime.close();
    answer();
    await runtime.work.idle();

    expect(await runtime.describeExecution({ executionArn })).toMatchObject({ status: 'RUNNING' });
  });
});
