import { stopOwner } from '../../../cli/actions/stop';
import { placeAt, readKey } from '../../../cli/console/read-views';
import { Recovery } from '../../../infra/index';
import { GRACE_MS } from '../../support/variant';
import { type CliWorld, KEY, ORDER, openCliWorld } from '../world';

const WITH_RECOVERY = { name: 'recovery', workflow: { recovery: Recovery.automatic() } };

describe('what is said of recovery', () => {
  let c: CliWorld;
  afterEach(() => c.close());
  const onThePage = async () => {
    const place = placeAt(c.aws, { where: 'here', isLocal: true, stack: undefined });
    const { facts } = await readKey(place, c.workflow.name, 'order-7');
    return facts.find(([name]) => name === 'recovery')?.[1];
  };

  test('an owner that was stopped: that it is delivered again, and when; nothing when it is done', async () => {
    c = await openCliWorld(WITH_RECOVERY);
    await c.ownerStoppedInStep();

    expect(await c.show()).toMatch(
      /recovery +\S+RecoveryStateMachine\S+ delivers the input of the owner again some ten seconds after \S+ 09:00:/,
    );
    await c.world.pass(GRACE_MS);
    expect(await onThePage()).toMatch(/ten seconds after its step has had its time, then after a minute/);
    await c.world.settle();
    expect(await c.show()).toContain('COMPLETED');
    expect(await onThePage()).toBeUndefined();
  });

  test('an owner that was stopped for good: that it is left alone', async () => {
    c = await openCliWorld(WITH_RECOVERY);
    c.world.step = async () => c.world.never();
    await c.world.deliver(ORDER);
    await c.world.pass(1000);
    await stopOwner(c.context, KEY, true);

    expect(await onThePage()).toMatch(/leaves the owner alone: it was stopped for good$/);
    await c.world.pass(GRACE_MS);
    expect(await onThePage()).toMatch(/leaves the owner alone: it was stopped for good$/);
  });

  test('a workflow without recovery: nothing', async () => {
    c = await openCliWorld();
    await c.ownerStoppedInStep();

    expect(await c.show()).not.toContain('recovery');
  });

  test('credentials that may not list state machines: nothing, and all the rest', async () => {
    c = await openCliWorld(WITH_RECOVERY);
    await c.ownerStoppedInStep();
    const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' });
    c.aws.sfn.middlewareStack.add(
      (next, { commandName }) =>
        args =>
          commandName === 'ListStateMachinesCommand' ? Promise.reject(denied) : next(args),
      { step: 'initialize' },
    );

    const said = await c.show();
    expect(said).toContain('IN_PROGRESS');
    expect(said).not.toContain('recovery');
  });
});
