import { runToEnd } from '../../../runtime/drive';
import { EvaluationThreads } from '../../../runtime/evaluation/thread-pool';
import { MemoryStore } from '../../../runtime/store/memory-store';
import { RealClock } from '../../../runtime/time/real-clock';
import { service, taskOf, textOf, worldOf } from '../world';

const HOPELESS = `{% $match('${'a'.repeat(40)}!', /^(a+)+$/) %}`;

const atOnce = textOf({ P: { Type: 'Pass', Output: HOPELESS, End: true } });
const afterCall = textOf({ T: taskOf('test:echo', { Output: HOPELESS }) });

// Each of them takes a second, and some wait for their turn: longer than a caller waits for an answer.
test.each([
  ['in its first state', atOnce, ['ExecutionStarted', 'ExecutionAborted']],
  [
    'behind a call',
    afterCall,
    ['ExecutionStarted', 'TaskStateEntered', 'TaskScheduled', 'TaskStarted', 'ExecutionAborted'],
  ],
])(
  'stopped while an expression is evaluated %s: at once',
  async (_, text, types) => {
    const clock = new RealClock();
    const evaluator = new EvaluationThreads();
    const services = new Map([['test:echo', service(() => ({ kind: 'succeeded', output: 1 }))]]);
    const { runtime } = worldOf({ clock, evaluator, services });
    const machine = runtime.register(text, { name: 'm' });
    const executionArns: string[] = [];
    for (let number = 0; number < 12; number += 1) {
      const { executionArn } = await runtime.startExecution({ stateMachineArn: machine.arn });
      executionArns.push(executionArn);
    }
    // Until each of them has come to its expression.
    await new Promise(resolve => setImmediate(resolve));

    await Promise.all(
      executionArns.map(executionArn =>
        runtime.stopExecution({ executionArn, cause: 'the order was canceled' }),
      ),
    );

    for (const executionArn of executionArns) {
      expect(await runtime.describeExecution({ executionArn })).toMatchObject({
        status: 'ABORTED',
        cause: 'the order was canceled',
      });
      const { events } = await runtime.getExecutionHistory({ executionArn });
      expect(events.map(({ type }) => type)).toEqual(types);
    }
    expect(runtime.running()).toEqual([]);

    // Redriven, they come to the same expression, and are stopped there again.
    await Promise.all(executionArns.map(executionArn => runtime.redriveExecution({ executionArn })));
    await new Promise(resolve => setImmediate(resolve));
    await Promise.all(executionArns.map(executionArn => runtime.stopExecution({ executionArn })));

    for (const executionArn of executionArns) {
      const { status, redriveCount } = await runtime.describeExecution({ executionArn });
      expect({ status, redriveCount }).toEqual({ status: 'ABORTED', redriveCount: 1 });
      const { events } = await runtime.getExecutionHistory({ executionArn });
      const again = events.slice(types.length).map(({ type }) => type);
      expect([again[0], again.at(-1)]).toEqual(['ExecutionRedriven', 'ExecutionAborted']);
      expect(again).not.toContain('ExecutionFailed');
      expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    }
    runtime.close();
    clock.close();
    evaluator.close();
  },
  60_000,
);

test('while its first state is evaluated: the history has the start, as it has it later', async () => {
  const clock = new RealClock();
  const evaluator = new EvaluationThreads();
  const { runtime } = worldOf({ clock, evaluator });
  const { arn } = runtime.register(atOnce, { name: 'm' });
  const { executionArn, startDate } = await runtime.startExecution({ stateMachineArn: arn, input: '[1]' });
  const begun = await runtime.getExecutionHistory({ executionArn });
  await new Promise(resolve => setImmediate(resolve));

  expect(begun.events).toEqual([
    {
      id: 1,
      previousEventId: 0,
      type: 'ExecutionStarted',
      timestamp: startDate,
      executionStartedEventDetails: expect.objectContaining({ input: '[1]' }),
    },
  ]);
  expect(await runtime.getExecutionHistory({ executionArn })).toEqual(begun);
  await runtime.stopExecution({ executionArn });
  const { events } = await runtime.getExecutionHistory({ executionArn });
  expect(events.map(({ type }) => type)).toEqual(['ExecutionStarted', 'ExecutionAborted']);
  expect(events.slice(0, 1)).toEqual(begun.events);
  runtime.close();
  clock.close();
  evaluator.close();
}, 60_000);

test('stopped by the next process, before its start was recorded: its history has the start; redriven, it runs', async () => {
  const store = new MemoryStore();
  const realClock = new RealClock();
  const evaluator = new EvaluationThreads();
  const before = worldOf({ store, clock: realClock, evaluator });
  const { arn } = before.runtime.register(atOnce, { name: 'm' });
  const { executionArn } = await before.runtime.startExecution({ stateMachineArn: arn });
  await new Promise(resolve => setImmediate(resolve));
  before.runtime.close();
  evaluator.close();
  realClock.close();
  const { runtime, clock } = worldOf({ store });

  runtime.resume([executionArn]);
  await runToEnd(runtime, clock);

  const typesNow = () => store.find(executionArn)?.history.map(({ type }) => type);
  expect(typesNow()).toEqual(['ExecutionStarted', 'ExecutionAborted']);
  await runtime.redriveExecution({ executionArn });
  await runToEnd(runtime, clock);
  expect(typesNow()?.slice(2, 4)).toEqual(['ExecutionRedriven', 'PassStateEntered']);
  expect(await runtime.describeExecution({ executionArn })).toMatchObject({
    status: 'FAILED',
    redriveCount: 1,
  });
}, 60_000);
