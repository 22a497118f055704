import { Recovery } from '../../infra/index';
import { noFault, stopping } from '../support/faults';
import { GRACE_MS } from '../support/variant';
import { openWithoutEvents, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const IN_PROGRESS = { status: 'FAILED', error: 'Idempotency.InProgress' };

let world: World;
afterEach(() => world.close());

const statusOf = async () => (await world.record(KEY))?.['status']?.S;

/** An order whose execution is stopped at its call in this state, and whose step has certainly ended. */
async function overdue(stateName: string, when: 'before' | 'after'): Promise<string> {
  world.faults = stopping(world, stateName, when);
  const owner = await world.deliver(ORDER);
  await world.settle();
  world.faults = noFault;
  await world.pass(GRACE_MS);
  return owner;
}

describe('a delivery at most once, when no event has told of the end of the owner', () => {
  beforeEach(async () => {
    world = await openWithoutEvents({
      name: 'recovery, at most once',
      workflow: { recovery: Recovery.automatic(), delivery: 'at-most-once' },
    });
  });

  test.each([
    ['before', 'within its step', 0],
    ['after', 'when its step was done', 1],
  ] as const)(
    'stopped %s the answer, %s: held, and nothing runs until an operator releases it',
    async (when, _, runs) => {
      const owner = await overdue('Business step', when);
      expect(await world.delivered(ORDER)).toMatchObject(IN_PROGRESS);

      expect(await statusOf()).toBe('HELD');
      const { error, cause = '' } = await world.delivered(ORDER);
      expect(error).toBe('Idempotency.InDoubt');
      expect(JSON.parse(cause)).toMatchObject({ owner, heldBy: 'recovery' });
      expect(await world.execution(owner)).toMatchObject({ status: 'ABORTED', redriveCount: 0 });
      expect(world.runs).toHaveLength(runs);
    },
  );

  test.each(['Claim record', 'Record the result'])(
    'stopped in %s: redriven, and its step runs once',
    async state => {
      const owner = await overdue(state, state === 'Claim record' ? 'after' : 'before');
      await world.delivered(ORDER);

      expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
      expect(world.runs).toHaveLength(1);
    },
  );

  test('deleted: held, because its step may have run', async () => {
    const executions = world.stack.output('StateMachineArn').replace(':stateMachine:', ':execution:');
    await world.putRecord({
      idempotencyKey: { S: KEY },
      status: { S: 'IN_PROGRESS' },
      owner: { S: `${executions}:gone` },
      attempt: { N: '1' },
      claimedAt: { S: '2026-11-19T09:00:00.000Z' },
    });
    await world.delivered(ORDER);

    expect(await statusOf()).toBe('HELD');
    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InDoubt' });
    expect(world.runs).toHaveLength(0);
  });
});
