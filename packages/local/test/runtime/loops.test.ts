import type { JsonObject } from '../../json/json';
import { runToEnd } from '../../runtime/drive';
import { MemoryStore } from '../../runtime/store/memory-store';
import { RealClock } from '../../runtime/time/real-clock';
import { START, service, taskOf, textOf, worldOf } from './world';

/** A circle of two states that nothing ever leaves. */
const CIRCLE: { [name: string]: JsonObject } = {
  A: { Type: 'Pass', Next: 'C' },
  C: { Type: 'Choice', Choices: [{ Condition: false, Next: 'E' }], Default: 'A' },
  E: { Type: 'Succeed' },
};

const clocks: RealClock[] = [];

afterEach(() => {
  for (const clock of clocks.splice(0)) clock.close();
});

function realWorld() {
  const clock = new RealClock();
  clocks.push(clock);
  return worldOf({ clock });
}

describe('an endless circle of states', () => {
  test('Express, on a clock that stands still: fails, as it would never come to its limit', async () => {
    const { runtime, clock } = worldOf();
    const { arn } = runtime.register(textOf(CIRCLE), { name: 'm', type: 'EXPRESS' });
    const answer = runtime.startSyncExecution({ stateMachineArn: arn });
    await runToEnd(runtime, clock);

    expect(await answer).toMatchObject({
      status: 'FAILED',
      stopDate: START,
      error: 'States.Runtime',
      cause: 'The execution came to 500000 events in no time. Check for an infinite loop',
    });
  }, 30_000);

  test('Express, tasks that take no time: the same', async () => {
    const { runtime, clock } = worldOf();
    const states = {
      T: { Type: 'Task', Resource: 'arn:aws:states:::test:echo', Arguments: {}, Next: 'C' },
      C: { ...CIRCLE['C'], Default: 'T' },
      E: { Type: 'Succeed' },
    };
    const { arn } = runtime.register(textOf(states), { name: 'm', type: 'EXPRESS' });
    const answer = runtime.startSyncExecution({ stateMachineArn: arn });
    await runToEnd(runtime, clock);

    expect(await answer).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
  }, 60_000);

  test.each(['EXPRESS', 'STANDARD'] as const)(
    '%s, on a real clock: times out, and others go on meanwhile',
    async type => {
      const { runtime } = realWorld();
      // An expression that takes a moment, so that the history is not full before the time is over.
      const slow = { ...CIRCLE, A: { Type: 'Pass', Output: '{% $sum([1..20000]) %}', Next: 'C' } };
      const { arn } = runtime.register(textOf(slow, { TimeoutSeconds: 1 }), { name: 'm', type });
      const short = runtime.register(textOf({ W: { Type: 'Wait', Seconds: 0, End: true } }), {
        name: 'short',
      });
      const startedAt = Date.now();
      const { executionArn } = await runtime.startExecution({ stateMachineArn: arn });
      const other = await runtime.startExecution({ stateMachineArn: short.arn });
      await runtime.whenEnded(other.executionArn);

      expect(Date.now() - startedAt).toBeLessThan(900);
      expect(runtime.running()).toEqual([executionArn]);
      while (runtime.running().length > 0) await new Promise(resolve => setTimeout(resolve, 20));
      expect(Date.now() - startedAt).toBeGreaterThanOrEqual(1000);
      if (type === 'STANDARD') {
        expect(await runtime.describeExecution({ executionArn })).toMatchObject({ status: 'TIMED_OUT' });
      }
    },
    30_000,
  );
});

describe('time within a long way', () => {
  test('on a real clock: $millis() moves on', async () => {
    const { runtime } = realWorld();
    const states = {
      A: { Type: 'Pass', Assign: { t: '{% $millis() %}' }, Next: 'B' },
      B: { Type: 'Choice', Choices: [{ Condition: '{% $millis() > $t + 50 %}', Next: 'E' }], Default: 'B' },
      E: { Type: 'Succeed' },
    };
    const { arn } = runtime.register(textOf(states), { name: 'm', type: 'EXPRESS' });
    const answer = await runtime.startSyncExecution({ stateMachineArn: arn });

    expect(answer.status).toBe('SUCCEEDED');
  });

  test('on a virtual clock with a seed: the same history twice', async () => {
    const states = {
      M: {
        Type: 'Map',
        Items: '{% [1..40] %}',
        ItemProcessor: {
          StartAt: 'P0',
          States: Object.fromEntries(
            Array.from({ length: 40 }, (_, index) => [
              `P${index}`,
              {
                Type: 'Pass',
                Output: '{% $random() %}',
                ...(index < 39 ? { Next: `P${index + 1}` } : { End: true }),
              },
            ]),
          ),
        },
        End: true,
      },
    };
    const play = async () => {
      const { runtime, clock } = worldOf();
      const { arn } = runtime.register(textOf(states), { name: 'm' });
      const started = ['a', 'b'].map(name => runtime.startExecution({ stateMachineArn: arn, name }));
      const [a, b] = await Promise.all(started);
      await runToEnd(runtime, clock);
      const pages = [];
      for (const executionArn of [a?.executionArn ?? '', b?.executionArn ?? '']) {
        expect(await runtime.describeExecution({ executionArn })).toMatchObject({ status: 'SUCCEEDED' });
        pages.push(await runtime.getExecutionHistory({ executionArn, maxResults: 1000 }));
      }
      return JSON.stringify(pages);
    };

    expect(await play()).toBe(await play());
  });
});

describe('a process that ends between two states', () => {
  test('the next one goes on with the next state', async () => {
    const store = new MemoryStore();
    const chain = Object.fromEntries(
      Array.from({ length: 700 }, (_, index): [string, JsonObject] => [
        `S${index}`,
        { Type: 'Pass', ...(index < 699 ? { Next: `S${index + 1}` } : { End: true }) },
      ]),
    );
    const before = worldOf({ store });
    const { arn } = before.runtime.register(textOf(chain), { name: 'm' });
    const { executionArn } = await before.runtime.startExecution({ stateMachineArn: arn });
    // The first turn is over and saved, the second has not begun.
    await Promise.resolve();
    await Promise.resolve();
    before.runtime.close();
    expect(store.find(executionArn)?.execution.root?.waits?.kind).toBe('pause');
    const { runtime, clock } = worldOf({ store });
    runtime.resume();
    await runToEnd(runtime, clock);

    expect(await runtime.describeExecution({ executionArn })).toMatchObject({ status: 'SUCCEEDED' });
    const ids = store.find(executionArn)?.history.map(event => event.id);
    expect(ids).toEqual(Array.from({ length: 1402 }, (_, index) => index + 1));
  });
});

test('a machine that starts itself, for ever: others go on beside it', async () => {
  const startMachine = service(async () => {
    await runtime.startExecution({ stateMachineArn: arn });
    return { kind: 'succeeded', output: {} };
  });
  const clock = new RealClock();
  clocks.push(clock);
  const { runtime } = worldOf({ clock, services: new Map([['test:start', startMachine]]) });
  const { arn } = runtime.register(textOf({ S: taskOf('test:start') }), { name: 'm' });
  const short = runtime.register(textOf({ P: { Type: 'Pass', End: true } }), { name: 'short' });
  await runtime.startExecution({ stateMachineArn: arn });

  // Never reached where the circle keeps input and timers out.
  await new Promise(resolve => setTimeout(resolve, 20));
  const { executionArn } = await runtime.startExecution({ stateMachineArn: short.arn });
  await runtime.whenEnded(executionArn);
  expect(await runtime.describeExecution({ executionArn })).toMatchObject({ status: 'SUCCEEDED' });
  runtime.close();
}, 20_000);

test('iterations that pause: others have their turn after each of them, not after all', async () => {
  const { runtime, clock } = worldOf();
  const names = Array.from({ length: 250 }, (_, number) => `P${number}`);
  const chain = names.map((name, number) => [
    name,
    { Type: 'Pass', ...(number < 249 ? { Next: `P${number + 1}` } : { End: true }) },
  ]);
  const ItemProcessor = { StartAt: 'P0', States: Object.fromEntries(chain) };
  const M = { Type: 'Map', ItemProcessor, Output: 1, End: true };
  const { arn } = runtime.register(textOf({ M }), { name: 'm' });
  const input = JSON.stringify(Array(40).fill(1));
  const { executionArn } = await runtime.startExecution({ stateMachineArn: arn, input });
  const counts: number[] = [];
  const count = async () => {
    const { events } = await runtime.getExecutionHistory({ executionArn, maxResults: 1, reverseOrder: true });
    counts.push(events[0]?.id ?? 0);
    if (runtime.running().length > 0) setImmediate(() => void count());
  };
  setImmediate(() => void count());
  await runToEnd(runtime, clock);

  // A transition enters 500 states at most, each with two events; beside them are the events of iterations.
  const steps = counts.map((events, index) => events - (counts[index - 1] ?? 0));
  expect(Math.max(...steps)).toBeLessThan(2_000);
  expect(counts.at(-1)).toBeGreaterThan(20_000);
});
