import { Recovery } from '../../../../infra/index';
import { GRACE_MS } from '../../../support/variant';
import { returns } from '../../../support/world';
import { type CliWorld, ORDER, openCliWorld, RECORD_KEY } from '../../world';

describe('release beside recovery', () => {
  let c: CliWorld;
  beforeEach(async () => {
    c = await openCliWorld({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
  });
  afterEach(() => c.close());

  const attempts = () => c.world.runs.map(({ attempt }) => attempt);
  /** Recovery has decided to redrive the owner, and its request arrives so much later. */
  const redrivesLater = async (ms: number) => {
    const owner = await c.ownerStoppedInStep();
    let isSent = false;
    c.world.faults = async (call, next) => {
      if (call.stateName !== 'Redrive the owner') return next();
      isSent = true;
      await c.world.pause(ms);
      return next();
    };
    while (!isSent) await c.world.pass(1000);
    return owner;
  };

  test.each([0, 1000, 30_000, 79_000])(
    'forced, a redrive arrives %i ms later: nothing is released, the owner runs its step again',
    async ms => {
      const owner = await redrivesLater(ms);
      c.world.step = async () => {
        await c.world.pause(9000);
        return returns('by the owner');
      };

      expect(await c.release({ isForced: true })).toMatch(
        /was redriven in the meantime|is RUNNING|cannot be released/,
      );
      await c.world.settle();
      expect(await c.world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
      expect(attempts()).toEqual([1, 1]);
      expect(await c.world.record(RECORD_KEY)).toMatchObject({ status: { S: 'COMPLETED' } });
    },
  );

  test('forced before recovery decides: released, and recovery leaves the owner alone', async () => {
    const owner = await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);

    expect(await c.release({ isForced: true })).toContain('is released');
    await c.world.settle();
    expect(await c.world.execution(owner)).toMatchObject({ status: 'ABORTED', redriveCount: 0 });
    expect(await c.world.record(RECORD_KEY)).toMatchObject({ status: { S: 'RELEASED' } });
    expect(await c.world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED' });
    expect(attempts()).toEqual([1, 2]);
  });

  test('held as its redrives are used up: said, redriven or released by an operator', async () => {
    c.world.step = async () => c.world.never();
    const owner = await c.world.deliver(ORDER);
    while ((await c.world.record(RECORD_KEY))?.['status']?.S === 'IN_PROGRESS') {
      await c.world.pass(5000);
      if ((await c.world.execution(owner)).status === 'RUNNING') await c.world.stop(owner);
    }

    expect(await c.show()).toMatch(
      /HELD, held for review \(Idempotency.RedrivesExhausted\)[\s\S]*can be redriven/,
    );
    expect(await c.world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.RedrivesExhausted' });
    c.world.step = () => returns('paid');
    expect(await c.redrive()).toContain('resumes where it stopped');
    await c.world.settle();
    expect(await c.world.record(RECORD_KEY)).toMatchObject({ status: { S: 'COMPLETED' } });
  });
});
