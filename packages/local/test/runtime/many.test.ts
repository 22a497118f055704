import { runs } from '../../../../test/support/scale';
import { runToEnd } from '../../runtime/drive';
import { seededIds } from '../../runtime/ids';
import { RealClock } from '../../runtime/time/real-clock';
import { service, taskOf, textOf, worldOf } from './world';

/** Waits, randomness, retries and ids: whatever could differ between two runs. */
const busy = textOf({
  Wait: { Type: 'Wait', Seconds: '{% $floor($random() * 100) %}', Next: 'Call' },
  Call: taskOf('test:flaky', {
    Arguments: { id: '{% $uuid() %}', at: '{% $now() %}' },
    Retry: [{ ErrorEquals: ['E'], MaxAttempts: 5, JitterStrategy: 'FULL' }],
  }),
});

async function histories(seed: string, count: number): Promise<string> {
  let calls = 0;
  const flaky = service(call => {
    calls += 1;
    return calls % 3 === 0
      ? { kind: 'succeeded', output: call.arguments }
      : { kind: 'failed', error: 'E', cause: '' };
  });
  const { runtime, clock } = worldOf({ ids: seededIds(seed), services: new Map([['test:flaky', flaky]]) });
  const { arn: stateMachineArn } = runtime.register(busy, { name: 'm' });
  for (let i = 0; i < count; i += 1) await runtime.startExecution({ stateMachineArn, input: `${i}` });
  await runToEnd(runtime, clock);
  const { executions } = await runtime.listExecutions({ stateMachineArn, maxResults: 1000 });
  const all = executions.map(({ executionArn }) =>
    runtime.getExecutionHistory({ executionArn, maxResults: 1000 }),
  );
  return JSON.stringify(await Promise.all(all));
}

describe('one seed', () => {
  test('run twice: the same bytes; another seed: others', async () => {
    const first = await histories('seed', 50);

    expect(await histories('seed', 50)).toBe(first);
    expect(await histories('other', 50)).not.toBe(first);
  });
});

describe('thousands of executions at once', () => {
  test('on a virtual clock: all end, each with its own answer', async () => {
    const { runtime, clock } = worldOf();
    const text = textOf({
      Wait: { Type: 'Wait', Seconds: '{% $states.input % 60 + 1 %}', Next: 'Call' },
      Call: taskOf('test:echo', { Arguments: { n: '{% $states.input %}' } }),
    });
    const { arn: stateMachineArn } = runtime.register(text, { name: 'm' });
    const ended: string[] = [];
    runtime.subscribe(
      ({ kind, execution }) => kind === 'ended' && ended.push(`${execution.name} ${execution.output}`),
    );
    const count = runs(1000, 10_000);
    for (let i = 0; i < count; i += 1)
      await runtime.startExecution({ stateMachineArn, name: `${i}`, input: `${i}` });
    expect(runtime.running()).toHaveLength(count);

    expect(await runToEnd(runtime, clock)).toEqual({ kind: 'ended' });

    expect(ended.sort()).toEqual(Array.from({ length: count }, (_, i) => `${i} {"n":${i}}`).sort());
    expect(runtime.billedTransitions(`${stateMachineArn.replace('stateMachine', 'execution')}:7`)).toBe(2);
  });

  test('on the real clock: an execution ends without being driven', async () => {
    const clock = new RealClock();
    const { runtime } = worldOf({ clock });
    const { arn: stateMachineArn } = runtime.register(textOf({ T: taskOf('test:echo') }), { name: 'm' });
    const ended = new Promise<string>(resolve => {
      runtime.subscribe(({ kind, execution }) => kind === 'ended' && resolve(execution.status));
    });

    await runtime.startExecution({ stateMachineArn });

    expect(await ended).toBe('SUCCEEDED');
    runtime.close();
    clock.close();
  });
});
