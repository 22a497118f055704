import type { ExecutionView } from '@onceflow/console';
import { Duration } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { LogLevel } from 'aws-cdk-lib/aws-stepfunctions';
import { routeFor } from '../../../cli/console/server/routes';
import { readKey } from '../../../cli/console/views/read-key';
import type { LocalStackAccess } from '../../../cli/dev/local-stack-access';
import { timelineOf } from '../../../packages/console/page/history/timeline';
import { STATE } from '../../../state-machine/contract/state-names';
import type { Variant } from '../../support/variant';
import { fails } from '../../support/world';
import { type CliWorld, ORDER, openCliWorld, wideConnectionTo } from '../world';
import { accessOfWorld } from './local-world';

const EXPRESS = { type: 'EXPRESS', timeout: Duration.minutes(2) } as const;
const LOGGED: Variant = {
  name: 'express, logged',
  workflow: EXPRESS,
  settings: stack => ({
    logs: {
      level: LogLevel.ALL,
      includeExecutionData: true,
      destination: new LogGroup(stack, 'Log', { logGroupName: 'charges' }),
    },
  }),
};

describe('an Express execution, on the page', () => {
  let c: CliWorld;
  afterEach(() => c.close());

  const read = async (executionArn: string, local?: LocalStackAccess) => {
    const more = local && { local: () => local };
    const connection = wideConnectionTo(c.aws, { where: 'here', isLocal: true, stack: undefined, ...more });
    const route = routeFor(`/executions/${encodeURIComponent(executionArn)}`);
    return (await route?.read(connection, () => undefined, undefined)) as ExecutionView;
  };
  /** A first delivery and a duplicate; the ARNs. */
  const delivered = async () => {
    const arns: string[] = [];
    for (const _ of ['first', 'duplicate']) {
      const input = JSON.stringify({ detail: ORDER });
      const stateMachineArn = c.world.stack.output('StateMachineArn');
      const running = c.world.stack.runtime.startSyncExecution({ stateMachineArn, input });
      await c.world.settle();
      arns.push((await running).executionArn);
    }
    return arns as [string, string];
  };

  test('of the stack in this process: from its log, with its path and its data', async () => {
    c = await openCliWorld(LOGGED);
    const [first, duplicate] = await delivered();
    const { access } = accessOfWorld(c);

    const views = [await read(first, access), await read(duplicate, access)];

    expect(
      views.map(({ events }) =>
        timelineOf(events)
          .at()
          .visits.map(({ name }) => name),
      ),
    ).toEqual([
      [STATE.claim, STATE.step, STATE.completed],
      [STATE.claim, STATE.read, STATE.whatDoesRecordSay, STATE.returnResult],
    ]);
    expect(views.map(({ status, output, redriveCount }) => [status, output, redriveCount])).toEqual([
      ['SUCCEEDED', '{"charge":1}', 0],
      ['SUCCEEDED', '{"charge":1}', 0],
    ]);
    expect(JSON.parse(views[0]?.input ?? '')).toEqual({ detail: ORDER });
    expect(JSON.parse(views[0]?.definition ?? '')).toMatchObject({ StartAt: STATE.claim });
  });

  test('of a stack elsewhere: the command that prints its log, for the page to open', async () => {
    c = await openCliWorld(LOGGED);
    const [first] = await delivered();

    await expect(read(first)).rejects.toThrow(
      'Step Functions keeps no history of Express executions; what this one has logged is printed by aws logs ' +
        `filter-log-events --log-group-name charges --filter-pattern '{ $.execution_arn = "${first}" }' ` +
        '> log.json, and shown by "Open a history"',
    );
  });

  test('its key, when the step has failed: no lease, and the remedy is the queue', async () => {
    c = await openCliWorld({ name: 'express', workflow: EXPRESS });
    c.world.step = () => fails('CardDeclined');
    await delivered();
    const connection = wideConnectionTo(c.aws, { where: 'here', isLocal: true, stack: undefined });
    const { actions, bounds } = await readKey(connection, c.workflow.name, 'order-7');

    expect(bounds.map(({ name }) => name)).toEqual(['The record expires at']);
    expect(JSON.stringify(actions)).toContain(
      'its message comes again, or is in a dead-letter queue: `onceflow resend`',
    );
  });

  test('that has logged errors alone, and had none: said, with the level', async () => {
    c = await openCliWorld({ name: 'express', workflow: EXPRESS });
    const [first] = await delivered();

    await expect(read(first, accessOfWorld(c).access)).rejects.toThrow(/\. It logs with level ERROR$/);
  });
});
