import { inspectKey } from '../../../cli/key/inspect';
import { judgeKey } from '../../../cli/key/judge';
import { at } from '../../support/faults';
import { GRACE_MS } from '../../support/variant';
import { fails } from '../../support/world';
import { type CliWorld, KEY, ORDER, openCliWorld, RECORD_KEY } from '../world';

const DAY = 24 * 3_600_000;
const AT_MOST_ONCE = { name: 'at most once', workflow: { delivery: 'at-most-once' } } as const;

describe('a step that may be working, or may have worked', () => {
  let c: CliWorld;
  afterEach(() => c.close());

  test('the owner ran a definition with a longer timeout: its record tells how long', async () => {
    c = await openCliWorld();
    await c.ownerStoppedInStep();
    await c.world.putRecord({ ...(await c.world.record(RECORD_KEY)), stepTimeout: { N: '100' } });
    await c.world.pass(GRACE_MS + 1000);

    expect(await c.redrive()).toContain('its step may still be working, until 2026-11-20 09:01:41Z');
    expect(await c.release({ isForced: true })).toContain('may still be working, until 2026-11-20 09:01:41Z');
    expect(await c.world.record(RECORD_KEY)).toMatchObject({ status: { S: 'IN_PROGRESS' } });
    const workflow = { ...c.workflow, isStepTimeoutGiven: true };
    const { owner } = judgeKey(await inspectKey({ ...c.context, workflow }, KEY));
    expect(owner).toMatchObject({ kind: 'dead' });
  });

  test('at most once, cut off in the step: the next delivery parks it, and says so before', async () => {
    c = await openCliWorld(AT_MOST_ONCE);
    await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);

    expect(await c.show()).toMatch(/next +the next delivery parks the key: find out what the step did/);
    expect(await c.world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InDoubt' });
    const text = await c.show();
    expect(text).toMatch(/next +deliveries are refused until a person frees the key/);
    expect(text).toMatch(/owner {5}[\w-]+, attempt 1: it ended ABORTED\n/);
  });

  test('at most once, a failure from when it was at least once: refused by deliveries, so parked', async () => {
    c = await openCliWorld(AT_MOST_ONCE);
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(ORDER);
    const error = { S: JSON.stringify({ Error: 'Lambda.Unknown', Cause: '' }) };
    await c.world.putRecord({ ...(await c.world.record(RECORD_KEY)), error });

    expect(await c.world.delivered(ORDER)).toMatchObject({ status: 'FAILED' });
    expect(await c.show()).toContain('FAILED, in doubt (parked)');
    await c.world.pass(GRACE_MS);
    expect(await c.release()).toContain('is released: the next delivery runs the step as attempt 2');
    await c.world.delivered(ORDER);
    expect(c.world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('stopped when its step had succeeded: said to who releases it, who has to force it', async () => {
    c = await openCliWorld();
    c.world.faults = at('Finalize: completed', () => c.world.never());
    const owner = await c.world.deliver(ORDER);
    await c.world.pass(1000);
    await c.world.stop(owner);
    await c.world.pass(GRACE_MS);

    expect(await c.release()).toContain('`onceflow redrive` is better');
    expect(await c.release({ isForced: true })).toMatch(
      /is released[^\n]*\nMind: the step has run to its end/,
    );
  });

  test('an owner that nobody knows any more: what its step did is not known either', async () => {
    c = await openCliWorld(AT_MOST_ONCE);
    await c.ownerStoppedInStep();
    const record = await c.world.record(RECORD_KEY);
    await c.world.putRecord({ ...record, owner: { S: `${record?.['owner']?.S}-gone` } });
    await c.world.pass(DAY);

    expect(await c.redrive()).toMatch(/does not know .*-gone; the next delivery parks the key/);
    expect(await c.release()).toMatch(/is released[^\n]*\nMind: the step may have had its effect before/);
  });
});

describe('a record that is reserved', () => {
  let c: CliWorld;
  beforeEach(async () => {
    c = await openCliWorld();
    await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);
  });
  afterEach(() => c.close());

  test.each([
    ['the hold', 1],
    ['the release', 2],
  ])(
    '%s is made or not, and AWS does not answer: given back, and never left without a word',
    async (_, nth) => {
      failUpdates(c, count => count === nth);

      expect(await c.release({ isForced: true })).toMatch(/UpdateItem failed|nothing answers UpdateItem/);
      const record = await c.world.record(RECORD_KEY);
      // Made, its answer lost: a release counts, a hold does not stay.
      expect(record?.['status']?.S).toBe(nth === 1 ? 'IN_PROGRESS' : 'FAILED');
    },
  );

  test('the release is not made: given back', async () => {
    failUpdates(c, count => count === 2, false);

    expect(await c.release({ isForced: true })).toMatch(/UpdateItem/);
    expect(await c.world.record(RECORD_KEY)).toMatchObject({ status: { S: 'IN_PROGRESS' } });
  });

  test('by a release that was broken off, and a delivery about to redrive its owner: waited for again', async () => {
    c.world.faults = at('Redrive the owner', () => c.world.never());
    await c.world.deliver(ORDER);
    await c.world.stack.runtime.idle();
    const record = await c.world.record(RECORD_KEY);
    await c.world.putRecord({ ...record, status: { S: 'RELEASING' }, error: { S: 'of another release' } });

    expect(await c.release()).toContain('may be about to redrive the owner; try again in a minute');
    expect(await c.world.record(RECORD_KEY)).toMatchObject({ status: { S: 'IN_PROGRESS' } });
  });

  test('those who may redrive its owner are listed so that none slips through as it goes on', async () => {
    const listed: unknown[] = [];
    c.aws.sfn.middlewareStack.add(
      (next, context) => args => {
        if (context['commandName'] === 'ListExecutionsCommand')
          listed.push((args.input as { readonly statusFilter?: string }).statusFilter);
        return next(args);
      },
      { step: 'initialize' },
    );

    expect(await c.release({ isForced: true })).toContain('is released');
    expect(listed).toEqual(['PENDING_REDRIVE', 'RUNNING']);
  });

  test('no answer at all any more: says that it may be held still', async () => {
    failUpdates(c, count => count >= 2, false);

    expect(await c.release({ isForced: true })).toContain('may still be reserved (RELEASING)');
    expect(await c.show()).toContain('RELEASING: reserved by a release');
    expect(await c.redrive()).toContain('a release has reserved the record, or was broken off');
  });
});

/** Updates of the command, counted from 1, that get no answer; made all the same unless `isMade` is false. */
function failUpdates(c: CliWorld, isLost: (count: number) => boolean, isMade = true): void {
  let count = 0;
  c.aws.dynamodb.middlewareStack.add(
    (next, context) => async args => {
      if (context['commandName'] !== 'UpdateItemCommand') return next(args);
      count += 1;
      if (!isLost(count)) return next(args);
      if (isMade) await next(args);
      throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
    },
    { step: 'initialize' },
  );
}
