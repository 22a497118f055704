import { readExecution } from '../../../cli/console/views/read-execution';
import { readKey } from '../../../cli/console/views/read-key';
import { readKeys } from '../../../cli/console/views/read-keys';
import { readConnection } from '../../../cli/console/views/read-workflows';
import { billedTransitions } from '../../../packages/console/page/history/cost';
import { timelineOf } from '../../../packages/console/page/history/timeline';
import { GRACE_MS } from '../../support/variant';
import { fails } from '../../support/world';
import { type CliWorld, ORDER, openCliWorld, wideConnectionTo } from '../world';

describe('the data of the page', () => {
  let c: CliWorld;
  afterEach(() => c.close());
  const connection = () => wideConnectionTo(c.aws, { where: 'here', isLocal: true, stack: undefined });

  test('a key that was stopped, redriven and answered: every version of the record, with who wrote it', async () => {
    c = await openCliWorld();
    const owner = await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);
    await c.redrive();
    await c.world.settle();
    await c.world.delivered(ORDER);
    await c.world.delivered({ ...ORDER, amount: 99 });
    const name = owner.split(':').at(-1);

    const {
      versions,
      executions,
      next,
      facts,
      owner: named,
    } = await readKey(connection(), c.workflow.name, 'order-7');

    expect(versions.map(({ status, by }) => [status, by])).toEqual([
      ['IN_PROGRESS', name],
      ['COMPLETED', name],
    ]);
    expect(executions.map(({ status, redriveCount, isOwner }) => [status, redriveCount, isOwner])).toEqual([
      ['SUCCEEDED', 1, true],
      ['SUCCEEDED', 0, false],
      ['FAILED', 0, false],
    ]);
    expect(executions.map(({ differences }) => differences)).toEqual([
      null,
      null,
      expect.arrayContaining([{ path: '$.detail.amount', owner: '12.5', own: '99' }]),
    ]);
    for (const { executionArn } of executions) {
      const { events } = await readExecution(c.aws, executionArn);
      expect(billedTransitions(timelineOf(events).at())).toBe(
        c.world.stack.runtime.billedTransitions(executionArn),
      );
    }
    expect(next).toBe('the next delivery gets the result');
    expect(facts[0]).toEqual(['status', 'COMPLETED: the step has run; duplicates get its result']);
    expect(named).toBe(owner);
  });

  test('an owner whose step may be at work: left alone, until a shown time', async () => {
    c = await openCliWorld();
    await c.ownerStoppedInStep();

    const { next, bounds, now, searched } = await readKey(connection(), c.workflow.name, 'order-7');

    expect(searched).toContain('--since and --limit are options of "onceflow show"');

    expect(next).toBe('the next delivery ends with Idempotency.InProgress: the owner is left alone');
    expect(bounds).toEqual([{ name: "The owner's step might be running until", at: expect.any(Number) }]);
    expect(bounds[0]?.at).toBeGreaterThan(now);
  });

  test('a step that has failed a moment ago: nothing waits for its end', async () => {
    c = await openCliWorld();
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(ORDER);

    const { bounds, facts } = await readKey(connection(), c.workflow.name, 'order-7');

    expect(facts[0]?.[1]).toMatch(/^FAILED/);
    expect(bounds.map(({ name }) => name)).toEqual(['The record expires at']);
  });

  test('a failed attempt, then a taken over one: both are versions', async () => {
    c = await openCliWorld();
    const { step } = c.world;
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(ORDER);
    c.world.step = step;
    await c.world.delivered(ORDER);

    const { versions } = await readKey(connection(), c.workflow.name, 'order-7');

    expect(versions.map(({ status }) => status)).toEqual([
      'IN_PROGRESS',
      'FAILED',
      'IN_PROGRESS',
      'COMPLETED',
    ]);
  });

  test('workflows, keys and an execution: as AWS has them', async () => {
    c = await openCliWorld();
    const owner = await c.world.delivered(ORDER);

    const { workflows } = await readConnection(connection());
    const { rows, workflows: states } = await readKeys(connection(), c.workflow.name);
    const isWhole = states[0]?.isWhole;
    // Its scope is its construct's id, here.
    for (const name of ['ChargePayment', 'Charge-Payment']) {
      expect((await readKeys(connection(), name)).workflows[0]?.workflow.name).toBe(c.workflow.name);
    }
    await expect(readKeys(connection(), 'Payment')).rejects.toThrow('has no workflow Payment');
    const execution = await readExecution(c.aws, owner.executionArn);

    expect(workflows).toEqual([
      {
        name: c.workflow.name,
        stateMachineArn: c.workflow.stateMachineArn,
        type: 'STANDARD',
        scope: 'ChargePayment',
        table: c.workflow.table,
      },
    ]);
    expect({ rows: rows.map(({ key, health }) => [key, health]), isWhole }).toEqual({
      rows: [['order-7', 'completed']],
      isWhole: true,
    });
    expect(execution).toMatchObject({ status: 'SUCCEEDED', redriveCount: 0, error: null });
    expect(execution.events[0]).toMatchObject({
      id: 1,
      type: 'ExecutionStarted',
      timestamp: execution.start,
    });
    expect(JSON.parse(execution.definition ?? '')).toHaveProperty('StartAt');
  });

  test('a state machine is named: it alone, and by its ARN without a list of state machines', async () => {
    c = await openCliWorld();
    const { stateMachineArn, name } = c.workflow;
    const named = (stateMachine: string) =>
      readConnection(
        wideConnectionTo(c.aws, { where: 'here', isLocal: true, stack: undefined, stateMachine }),
      );

    expect((await named(name)).workflows.map(workflow => workflow.name)).toEqual([name]);
    expect((await named('Other')).workflows).toEqual([]);
    const mayNotList = new Error('ListStateMachines was called');
    c.aws.sfn.middlewareStack.add(
      (next, { commandName }) =>
        args =>
          commandName === 'ListStateMachinesCommand' ? Promise.reject(mayNotList) : next(args),
      { step: 'initialize' },
    );
    expect((await named(stateMachineArn)).workflows.map(workflow => workflow.name)).toEqual([name]);
  });
});
