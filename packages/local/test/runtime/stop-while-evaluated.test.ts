import { EvaluationThreads } from '../../runtime/evaluation/evaluation-threads';
import { RealClock } from '../../runtime/real-clock';
import { service, taskOf, textOf, worldOf } from './world';

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
      executionArns.map(executionArn => runtime.stopExecution({ executionArn, cause: 'nobody needs it' })),
    );

    for (const executionArn of executionArns) {
      expect(await runtime.describeExecution({ executionArn })).toMatchObject({
        status: 'ABORTED',
        cause: 'nobody needs it',
      });
      const { events } = await runtime.getExecutionHistory({ executionArn });
      expect(events.map(({ type }) => type)).toEqual(types);
    }
    expect(runtime.running()).toEqual([]);
    runtime.close();
    clock.close();
    evaluator.close();
  },
  60_000,
);
