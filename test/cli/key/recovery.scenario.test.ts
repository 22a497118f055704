import { stopOwner } from '../../../cli/actions/stop';
import { workflowOf } from '../../../cli/aws/workflow';
import { readKey } from '../../../cli/console/views/read-key';
import { PLAIN } from '../../../cli/terminal';
import { Recovery } from '../../../infra/index';
import { GRACE_MS } from '../../support/variant';
import { type CliWorld, KEY, ORDER, openCliWorld, wideConnectionTo } from '../world';

const WITH_RECOVERY = { name: 'recovery', workflow: { recovery: Recovery.automatic() } };

describe('what is said of recovery', () => {
  let c: CliWorld;
  afterEach(() => c.close());
  const onThePage = async () => {
    const place = wideConnectionTo(c.aws, { where: 'here', isLocal: true, stack: undefined });
    const { facts } = await readKey(place, c.workflow.name, 'order-7');
    return facts.find(([name]) => name === 'recovery')?.[1];
  };

  test('an owner that was stopped: what recovery does and when; nothing when it is done', async () => {
    c = await openCliWorld(WITH_RECOVERY);
    await c.ownerStoppedInStep();

    expect(await c.show()).toMatch(
      /recovery +\S+RecoveryStateMachine\S+ redrives the owner, which resumes where it stopped, some seconds after \S+ 09:00:51Z/,
    );
    expect(c.workflow.maxRedrives).toBeLessThan(10);
    await c.world.settle();
    expect(await c.show()).toContain('COMPLETED');
    expect(await onThePage()).toBeUndefined();
  });

  test('an owner whose event was lost: due since, and the recovery that a delivery has started', async () => {
    c = await openCliWorld(WITH_RECOVERY);
    c.world.deliveries = async () => 'lost';
    await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS + 60_000);

    expect(await c.show()).toMatch(
      /next +the next delivery starts recovery[\s\S]*redrives the owner[^\n]*due since 2026-11-20 09:00:51Z/,
    );
    const duplicate = await c.world.deliver(ORDER);
    await c.world.stack.runtime.work.idle();
    expect(await onThePage()).toMatch(/: a delivery has started [0-9a-f]{32} of it, which is RUNNING$/);
    await c.world.settle();
    expect(await c.world.execution(duplicate)).toMatchObject({ error: 'Idempotency.InProgress' });
    const shown = await c.show();
    expect(shown).toContain('COMPLETED');
    expect(shown).toMatch(/recovery +\S+: a delivery has started [0-9a-f]{32} of it, which is SUCCEEDED/);
    expect(shown).toMatch(/started recovery [0-9a-f]{32} for /);
  });

  test('an owner that was stopped for good: it is left alone until a delivery', async () => {
    c = await openCliWorld(WITH_RECOVERY);
    c.world.step = async () => c.world.never();
    await c.world.deliver(ORDER);
    await c.world.pass(1000);
    const stopped = (await stopOwner(c.context, KEY, true)).text(PLAIN);
    await c.world.pass(GRACE_MS);

    const words =
      'is stopped for good, so recovery leaves it alone until a redrive or the next delivery of its key';
    expect(stopped).toContain(words);
    expect(await c.show()).toMatch(
      new RegExp(`owner .*: it ended ABORTED, and can be redriven; it ${words}\\n`),
    );
    expect(await onThePage()).toMatch(/redrives the owner, .*, when a delivery has started it$/);
  });

  test('a workflow without recovery: nothing, and what an operator can do', async () => {
    c = await openCliWorld();
    await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);

    const said = await c.show();
    expect(said).not.toMatch(/^ *recovery/m);
    expect(said).toContain('until an operator redrives the owner or releases the key');
  });

  test('credentials that may not read recovery: all that does not need it', async () => {
    c = await openCliWorld(WITH_RECOVERY);
    await c.ownerStoppedInStep();
    const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' });
    c.aws.sfn.middlewareStack.add(
      next => args =>
        JSON.stringify(args.input).includes('RecoveryStateMachine') ? Promise.reject(denied) : next(args),
      { step: 'initialize' },
    );
    const overrides = { table: undefined, scope: undefined, stepTimeoutMs: undefined };
    const workflow = await workflowOf(c.aws, c.workflow.stateMachineArn, overrides);

    expect(workflow).toEqual({ ...c.workflow, maxRedrives: Number.MAX_SAFE_INTEGER });
    expect(await c.show()).toContain('redrives the owner');
  });
});
