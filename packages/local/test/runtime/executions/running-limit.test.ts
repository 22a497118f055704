import type { Service } from '../../../runtime/calls/service';
import { StatesError } from '../../../runtime/requests/errors';
import { Runtime } from '../../../runtime/runtime';
import { RealClock } from '../../../runtime/time/real-clock';
import { taskOf, textOf, WAIT, worldOf } from '../world';

const LIMIT_EXCEEDED = {
  name: 'ExecutionLimitExceeded',
  message:
    'The maximum number of running executions has been reached. Running executions must end or be stopped before a ' +
    'new execution can be started.',
};

describe('as many executions as may run', () => {
  test.each(['STANDARD', 'EXPRESS'] as const)('%s: one more is rejected, until one has ended', async type => {
    const { runtime } = worldOf({ maxRunningExecutions: 2 });
    const { arn: stateMachineArn } = runtime.register(textOf({ W: WAIT }), { name: 'm' });
    const { arn: other } = runtime.register(textOf({ W: WAIT }), { name: 'other', type });
    const { executionArn } = await runtime.startExecution({ stateMachineArn, name: 'a' });
    await runtime.startExecution({ stateMachineArn, name: 'b' });

    await expect(runtime.startExecution({ stateMachineArn: other })).rejects.toMatchObject(LIMIT_EXCEEDED);

    // The same request again is not a start.
    expect((await runtime.startExecution({ stateMachineArn, name: 'a' })).executionArn).toBe(executionArn);
    await runtime.stopExecution({ executionArn });
    await expect(runtime.startExecution({ stateMachineArn: other })).resolves.toBeDefined();
    await expect(runtime.redriveExecution({ executionArn })).rejects.toMatchObject(LIMIT_EXCEEDED);
  });
});

describe('a machine that starts itself twice, for ever', () => {
  test.each(['STANDARD', 'EXPRESS'] as const)(
    '%s: no more run than may, and timers and requests have their turn',
    async type => {
      let rejected = 0;
      const started: { readonly arn?: string } = {};
      const again: Service = {
        async call() {
          try {
            await runtime.startExecution({ stateMachineArn: started.arn ?? '' });
            return { kind: 'succeeded', output: null };
          } catch (error) {
            if (error instanceof StatesError) rejected += 1;
            return { kind: 'failed', error: error instanceof Error ? error.name : '', cause: '' };
          }
        },
      };
      const clock = new RealClock();
      const services = new Map([['test:again', again]]);
      const runtime: Runtime = new Runtime({ clock, services, maxRunningExecutions: 50 });
      const branch = (name: string) => ({ StartAt: name, States: { [name]: taskOf('test:again') } });
      const definition = textOf({ P: { Type: 'Parallel', Branches: [branch('A'), branch('B')], End: true } });
      const { arn } = runtime.register(definition, { name: 'm', type });
      Object.assign(started, { arn });
      await runtime.startExecution({ stateMachineArn: arn });

      let turns = 0;
      let most = 0;
      while (rejected < 1000) {
        await new Promise(resolve => setTimeout(resolve, 1));
        turns += 1;
        most = Math.max(most, runtime.running().length);
      }

      expect(turns).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(50);
      runtime.close();
      clock.close();
    },
  );
});
