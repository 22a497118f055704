import { releaseKey } from '../../../../cli/actions/release';
import type { Aws } from '../../../../cli/aws/aws';
import { inspectKey } from '../../../../cli/key/inspect';
import { judgeKey } from '../../../../cli/key/judge';
import { Recovery } from '../../../../infra/index';
import { at } from '../../../support/faults';
import { GRACE_MS } from '../../../support/variant';
import { fails } from '../../../support/world';
import { type CliWorld, KEY, ORDER, openCliWorld, RECORD_KEY } from '../../world';

const DAY = 24 * 3_600_000;
const AT_MOST_ONCE = {
  name: 'at most once',
  workflow: { delivery: 'at-most-once', recovery: Recovery.automatic() },
} as const;

describe('a step that may be working, or may have worked', () => {
  let c: CliWorld;
  afterEach(() => c.close());

  test('the owner ran a definition with a longer timeout: its record tells how long', async () => {
    c = await openCliWorld();
    await c.ownerStoppedInStep();
    await c.world.putRecord({ ...(await c.world.record(RECORD_KEY)), stepTimeout: { N: '100' } });
    await c.world.pass(GRACE_MS + 1000);

    expect(await c.redrive()).toContain('its step might still be running, until 2026-11-20 09:01:41Z');
    expect(await c.release({ isForced: true })).toContain(
      'might still be running, until 2026-11-20 09:01:41Z',
    );
    expect(await c.world.record(RECORD_KEY)).toMatchObject({ status: { S: 'IN_PROGRESS' } });
    const workflow = { ...c.workflow, isStepTimeoutGiven: true };
    const { owner } = judgeKey(await inspectKey({ ...c.context, workflow }, KEY));
    expect(owner).toMatchObject({ kind: 'ended' });
  });

  test('at most once, interrupted in the step: recovery holds the record, and show says so before', async () => {
    c = await openCliWorld(AT_MOST_ONCE);
    await c.ownerStoppedInStep();

    expect(await c.show()).toMatch(/recovery +\S+ holds the record for review: the step might have run/);
    await c.world.settle();
    expect(await c.world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InDoubt' });
    const text = await c.show();
    expect(text).toMatch(/next +deliveries end with Idempotency.InDoubt: find out what the step did/);
    expect(text).toMatch(/owner +[\w-]+, attempt 1: it ended ABORTED\n/);
  });

  test('at most once, a failure from when it was at least once: held for review', async () => {
    c = await openCliWorld(AT_MOST_ONCE);
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(ORDER);
    const error = { S: JSON.stringify({ Error: 'Lambda.Unknown', Cause: '' }) };
    await c.world.putRecord({ ...(await c.world.record(RECORD_KEY)), error });

    expect(await c.world.delivered(ORDER)).toMatchObject({ status: 'FAILED' });
    expect(await c.show()).toContain('FAILED, held for review (Idempotency.InDoubt)');
    await c.world.pass(GRACE_MS);
    expect(await c.release()).toContain('is released: the next delivery runs the step as attempt 2');
    await c.world.delivered(ORDER);
    expect(c.world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('stopped when its step had succeeded: said in a release, which must be forced', async () => {
    c = await openCliWorld();
    c.world.faults = at('Record the result', () => c.world.never());
    const owner = await c.world.deliver(ORDER);
    await c.world.pass(1000);
    await c.world.stop(owner);
    await c.world.pass(GRACE_MS);

    expect(await c.release()).toContain('`onceflow redrive` is better');
    expect(await c.release({ isForced: true })).toMatch(
      /is released[^\n]*\nWarning: the step has already run completely/,
    );
  });

  test('an owner that Step Functions does not know any more: what its step did is not known either', async () => {
    c = await openCliWorld(AT_MOST_ONCE);
    await c.ownerStoppedInStep();
    const record = await c.world.record(RECORD_KEY);
    await c.world.putRecord({ ...record, owner: { S: `${record?.['owner']?.S}-gone` } });
    await c.world.pass(DAY);

    expect(await c.redrive()).toMatch(
      /does not know .*-gone; the next delivery starts recovery.*; recovery then holds the record/,
    );
    expect(await c.release()).toMatch(
      /is released[^\n]*\nWarning: the step might already have had its effect/,
    );
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

      expect(await c.release({ isForced: true })).toMatch(/UpdateItem failed|UpdateItem got no answer/);
      const record = await c.world.record(RECORD_KEY);
      // Made, its answer lost: a release counts, a hold does not stay.
      expect(record?.['status']?.S).toBe(nth === 1 ? 'IN_PROGRESS' : 'RELEASED');
    },
  );

  test('the release is not made: given back', async () => {
    failUpdates(c, count => count === 2, false);

    expect(await c.release({ isForced: true })).toMatch(/UpdateItem/);
    expect(await c.world.record(RECORD_KEY)).toMatchObject({ status: { S: 'IN_PROGRESS' } });
  });

  test('by a release that was killed: waited for again, from the status that it had before', async () => {
    failUpdates(c, count => count >= 2, false);
    await c.release({ isForced: true });
    expect(await c.world.record(RECORD_KEY)).toMatchObject({ status: { S: 'RELEASING' } });
    c.aws.dynamodb.middlewareStack.remove('failUpdates');
    const reserved = c.aws.time.now();

    expect(await c.release()).toContain('is released');
    expect(c.aws.time.now() - reserved).toBeGreaterThanOrEqual(80_000);
  });

  test('Ctrl-C while it waits: the record gets its status and error back, also of one that was held', async () => {
    const error = JSON.stringify({ Error: 'Idempotency.RedrivesExhausted', Cause: '{}' });
    await c.world.putRecord({
      ...(await c.world.record(RECORD_KEY)),
      status: { S: 'HELD' },
      error: { S: error },
    });
    const before = await c.world.record(RECORD_KEY);
    const stop = new AbortController();
    const aws: Aws = {
      ...c.aws,
      signal: stop.signal,
      time: {
        ...c.aws.time,
        sleep: async () => {
          expect(await c.world.record(RECORD_KEY)).toMatchObject({ status: { S: 'RELEASING' } });
          stop.abort(new Error('Ctrl-C'));
          stop.signal.throwIfAborted();
        },
      },
    };
    const options = { key: KEY, isConfirmed: true, isForced: false, isDeleted: false };

    await expect(releaseKey({ ...c.context, aws }, options)).rejects.toThrow('Ctrl-C');
    expect(await c.world.record(RECORD_KEY)).toEqual(before);
  });

  test('no answer at all any more: says that it may be held still', async () => {
    failUpdates(c, count => count >= 2, false);

    expect(await c.release({ isForced: true })).toContain('might still be reserved (RELEASING)');
    expect(await c.show()).toMatch(
      /RELEASING: \S+ began to release it at .* `onceflow release KEY` continues it/,
    );
    expect(await c.redrive()).toContain('`onceflow release KEY` continues it');
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
    { step: 'initialize', name: 'failUpdates' },
  );
}
