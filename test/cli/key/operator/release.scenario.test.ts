import { releaseKey } from '../../../../cli/actions/release';
import { OnFailed, Recovery } from '../../../../infra/index';
import { GRACE_MS } from '../../../support/variant';
import { fails, returns } from '../../../support/world';
import { type CliWorld, KEY, NOBODY, ORDER, openCliWorld, RECORD_KEY } from '../../world';

const DAY = 24 * 3_600_000;
const AT_MOST_ONCE = {
  name: 'at most once',
  workflow: { delivery: 'at-most-once', recovery: Recovery.automatic() },
} as const;

describe('release, at least once', () => {
  let c: CliWorld;
  beforeEach(async () => {
    c = await openCliWorld();
  });
  afterEach(() => c.close());

  const attempts = () => c.world.runs.map(({ attempt }) => attempt);

  test('no record, a finished one, a failed one: nothing to free, each said', async () => {
    expect(await c.release()).toMatch(/cannot be released: there is no record of this key/);
    await c.world.delivered(ORDER);
    expect(await c.release()).toMatch(/cannot be released: the step has succeeded/);
    await c.world.pass(91 * DAY);
    expect(await c.release()).toMatch(/is already free: the record has expired/);
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(ORDER);
    expect(await c.release()).toMatch(/is already free: its step has failed, .* as attempt 2/);
    const wanted = { key: KEY, isConfirmed: true, isForced: false, isDeleted: false };
    const { json } = await releaseKey(c.context, wanted);
    expect(json).toMatchObject({ released: false, reason: 'failed' });
  });

  test('the owner runs: rejected by its name, forced or not, and nothing changes', async () => {
    c.world.step = async () => c.world.never();
    const owner = await c.world.deliver(ORDER);
    await c.world.pass(1000);
    const before = await c.world.record(RECORD_KEY);

    const name = owner.split(':').at(-1);
    expect(await c.release()).toContain(`its owner ${name} (attempt 1) is RUNNING`);
    expect(await c.release({ isForced: true, isDeleted: true })).toContain('is RUNNING');
    expect(await c.world.record(RECORD_KEY)).toEqual(before);
  });

  test('the owner has just ended: rejected until its step has certainly ended, forced or not', async () => {
    await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS - 1);

    expect(await c.release({ isForced: true })).toContain(
      'might still be running, until 2026-11-20 09:00:41Z',
    );
    await c.world.pass(1);
    expect(await c.release()).toContain('can resume where it stopped. `onceflow redrive` is better');
  });

  test('an owner that can be redriven, forced: reserved, released, run again as the next attempt', async () => {
    const owner = await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);
    const { payloadHash } = (await c.world.record(RECORD_KEY)) ?? {};

    expect(await c.release({ isForced: true })).toMatch(
      /is released: the next delivery runs the step as attempt 2\n.*already have had its effect.*\n.*do not redrive/,
    );
    const record = await c.world.record(RECORD_KEY);
    expect(record).toMatchObject({ status: { S: 'RELEASED' }, attempt: { N: '1' }, payloadHash });
    expect(record).not.toHaveProperty('expiry');
    expect(await c.show()).toContain(
      'RELEASED, by an operator: the next delivery runs the step as attempt 2',
    );
    expect(await c.release()).toContain('is already free: it was released before');
    expect(await c.redrive()).toContain('the key is released');
    const next = await c.world.delivered(ORDER);

    expect(next).toMatchObject({ status: 'SUCCEEDED' });
    expect(attempts()).toEqual([1, 2]);
    expect(await c.world.execution(owner)).toMatchObject({ status: 'ABORTED', redriveCount: 0 });
  });

  test('deliveries while the record is reserved: in progress, they touch nothing', async () => {
    await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);
    const during: string[] = [];
    const { time } = c.aws;
    const sleep = time.sleep;
    (time as { sleep: typeof sleep }).sleep = async (ms, signal) => {
      const { error } = await c.world.delivered(ORDER);
      during.push(error ?? '');
      await sleep(ms, signal);
    };

    expect(await c.release({ isForced: true })).toContain('is released');
    expect(new Set(during)).toEqual(new Set(['Idempotency.InProgress']));
    expect(c.world.calls.filter(call => call.endsWith('Redrive the owner'))).toEqual([]);
  });

  test('a release that was killed while it had reserved the record: another one goes on from there', async () => {
    await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);
    const record = await c.world.record(RECORD_KEY);
    const note = JSON.stringify({ Error: 'Idempotency.Released', Cause: 'of another release' });
    await c.world.putRecord({ ...record, status: { S: 'RELEASING' }, error: { S: note } });

    expect(await c.show()).toContain('RELEASING: an operator began to release it');
    expect(await c.redrive()).toContain('`onceflow release KEY` continues it');
    expect(await c.release()).toContain('is released');
    expect(await c.world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('an owner that is too old to be redriven: released without force', async () => {
    await c.ownerStoppedInStep();
    await c.world.pass(15 * DAY);

    expect(await c.release()).toContain('as attempt 2');
    await c.world.delivered(ORDER);
    expect(attempts()).toEqual([1, 2]);
  });

  test('a failed key, taken over between the look and the write: nothing is deleted', async () => {
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(ORDER);
    c.world.step = async () => c.world.never();
    beforeWrite(c, async () => {
      await c.world.deliver(ORDER);
      await c.world.stack.runtime.work.idle();
    });

    expect(await c.release({ isDeleted: true })).toMatch(
      /the record has another owner now: .*, attempt 2, IN_PROGRESS/,
    );
    expect(await c.world.record(RECORD_KEY)).toMatchObject({
      status: { S: 'IN_PROGRESS' },
      attempt: { N: '2' },
    });
    expect(attempts()).toEqual([1, 2]);
  });

  test('deleted: another payload may come, attempts begin again', async () => {
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(ORDER);
    c.world.step = () => returns('paid');

    expect(await c.release({ isDeleted: true })).toContain('as attempt 1');
    expect(await c.world.delivered({ ...ORDER, amount: 7 })).toMatchObject({ output: '"paid"' });
    expect(attempts()).toEqual([1, 1]);
  });
});

describe('release, at most once', () => {
  let c: CliWorld;
  beforeEach(async () => {
    c = await openCliWorld(AT_MOST_ONCE);
  });
  afterEach(() => c.close());

  const attempts = () => c.world.runs.map(({ attempt }) => attempt);

  test('held by its own owner: released, run again once, as the next attempt', async () => {
    c.world.step = () => fails('Lambda.SdkClientException');
    await c.world.delivered(ORDER);
    c.world.step = () => returns('paid');

    expect(await c.release()).toMatch(/as attempt 2\nWarning: the step might already have had its effect/);
    expect(await c.world.record(RECORD_KEY)).toMatchObject({ status: { S: 'RELEASED' } });
    expect(await c.release()).toMatch(/is already free/);
    expect(await c.world.delivered(ORDER)).toMatchObject({ output: '"paid"' });
    expect(attempts()).toEqual([1, 2]);
  });

  test('held by recovery: released, and its owner is not to be redriven', async () => {
    await c.ownerStoppedInStep();
    await c.world.settle();

    expect(await c.show()).toContain('HELD, held for review (Idempotency.InDoubt)');
    expect(await c.world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InDoubt' });
    expect(await c.redrive(true)).toContain('the record is HELD, in doubt');
    expect(await c.release()).toMatch(/do not redrive \S+ from now on/);
    await c.world.delivered(ORDER);
    expect(attempts()).toEqual([1, 2]);
  });

  test('held, its owner redriven by an operator meanwhile: it runs, so rejected', async () => {
    const owner = await c.ownerStoppedInStep();
    await c.world.settle();
    c.world.step = async () => c.world.never();
    await c.world.stack.runtime.redriveExecution({ executionArn: owner });
    await c.world.pass(1000);

    expect(await c.release()).toContain('is RUNNING');
    await c.world.stop(owner);
    expect(await c.release()).toContain('might still be running');
  });

  test('ended within its step and not held yet: released without force, as recovery would not redrive it', async () => {
    const owner = await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);

    expect(await c.release()).toContain('is released');
    expect(await c.world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await c.world.execution(owner)).toMatchObject({ redriveCount: 0 });
  });

  test('two releases and two deliveries at once: one run more', async () => {
    c.world.step = () => fails('Lambda.SdkClientException');
    await c.world.delivered(ORDER);
    c.world.step = async () => {
      await c.world.pause(5000);
      return returns('paid');
    };

    const said = await Promise.all([c.release(), c.release()]);
    const deliveries = [await c.world.deliver(ORDER), await c.world.deliver(ORDER)];
    said.push(await c.release());
    await c.world.settle();

    expect(said.filter(text => text.includes('is released'))).toHaveLength(1);
    expect(said.at(-1)).toMatch(/is RUNNING|is already free/);
    const ends = await Promise.all(deliveries.map(c.world.execution));
    expect(ends.map(({ status }) => status).sort()).toEqual(['FAILED', 'SUCCEEDED']);
    expect(attempts()).toEqual([1, 2]);
  });

  test('another record than the one that was shown when the person says yes: nothing is released', async () => {
    c.world.step = () => fails('Lambda.SdkClientException');
    await c.world.delivered(ORDER);
    const confirm = async () => {
      await c.release();
      await c.world.delivered(ORDER);
      return true;
    };

    expect(await c.asked({ ...NOBODY, isAttended: true, confirm })).toMatch(
      /nothing was released: the record has/,
    );
    expect(await c.world.record(RECORD_KEY)).toMatchObject({
      attempt: { N: '2' },
      error: { S: expect.stringContaining('Idempotency.InDoubt') },
    });
  });

  test('asked, and no: nothing is released; asked, and yes: what was shown', async () => {
    c.world.step = () => fails('Lambda.SdkClientException');
    await c.world.delivered(ORDER);
    const shown: string[] = [];
    const answering = (answer: boolean) => ({
      ...NOBODY,
      isAttended: true,
      confirm: async (text: string) => {
        shown.push(text);
        return answer;
      },
    });

    expect(await c.asked(NOBODY)).toContain('there is no terminal to ask on');
    expect(await c.asked(answering(false))).toBe('nothing was released');
    expect(await c.asked(answering(true))).toContain('is released');
    expect(shown[0]).toMatch(/held for review[\s\S]*marks the record as released[\s\S]*as attempt 2/);
  });

  test('the record taken over between the look and the write: nothing is written, nothing runs twice', async () => {
    c.world.step = () => fails('Lambda.SdkClientException');
    await c.world.delivered(ORDER);
    c.world.step = async () => c.world.never();
    beforeWrite(c, async () => {
      const first = await c.release();
      expect(first).toContain('is released');
      await c.world.deliver(ORDER);
      await c.world.stack.runtime.work.idle();
    });

    expect(await c.release()).toMatch(/nothing was released, because the record has changed in the meantime/);
    expect(attempts()).toEqual([1, 2]);
    expect(await c.world.record(RECORD_KEY)).toMatchObject({
      status: { S: 'IN_PROGRESS' },
      attempt: { N: '2' },
    });
  });

  test('the answer of the write lost: made once, and known as its own', async () => {
    c.world.step = () => fails('Lambda.SdkClientException');
    await c.world.delivered(ORDER);
    loseFirstWrite(c);

    expect(await c.release()).toContain('is released');
  });
});

describe('release of a stored failure', () => {
  test('marks it as released, which the next delivery takes over', async () => {
    const c = await openCliWorld({
      name: 'stored',
      workflow: { onFailedBefore: OnFailed.returnStoredFailure() },
    });
    try {
      c.world.step = () => fails('CardDeclined');
      await c.world.delivered(ORDER);
      c.world.step = () => returns('paid');
      expect(await c.world.delivered(ORDER)).toMatchObject({ error: 'CardDeclined' });

      expect(await c.release()).toContain('as attempt 2');
      expect(await c.world.delivered(ORDER)).toMatchObject({ output: '"paid"' });
      expect(c.world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
    } finally {
      await c.close();
    }
  });
});

describe('stored failures of some errors', () => {
  test('of these a release is needed, of others it is not', async () => {
    const onFailedBefore = OnFailed.returnStoredFailure({
      errors: [`"Declined" isn't ] it`, 'CardDeclined'],
    });
    const c = await openCliWorld({ name: 'some-stored', workflow: { onFailedBefore } });
    try {
      c.world.step = () => fails('ServiceBusy');
      await c.world.delivered(ORDER);
      expect(await c.release()).toContain('failed');
      expect((await c.world.record(RECORD_KEY))?.['status']?.S).toBe('FAILED');

      c.world.step = () => fails(`"Declined" isn't ] it`);
      await c.world.delivered(ORDER);
      expect(await c.release()).toContain('as attempt 3');
    } finally {
      await c.close();
    }
  });
});

describe('release of a record of another workflow', () => {
  test('rejects with what to do; forced, deletes it', async () => {
    const c = await openCliWorld();
    try {
      const owner = { S: 'arn:aws:states:us-east-1:111111111111:execution:Refund:e' };
      const unfinished = { status: { S: 'IN_PROGRESS' }, owner, attempt: { N: '1' } };
      await c.world.putRecord({ idempotencyKey: { S: RECORD_KEY }, ...unfinished });

      const shown = await c.show();
      expect(shown).toMatch(/status +IN_PROGRESS, of another workflow\n/);
      expect(shown).toContain('deliveries end with Idempotency.ForeignRecord');
      expect(shown).toMatch(/owner +Refund:e, attempt 1/);
      expect(await c.redrive()).toContain(
        'the record belongs to another workflow, and its owner is Refund:e: give each',
      );
      expect(await c.release()).toContain('the record belongs to another workflow');
      expect(await c.release({ isForced: true })).toContain('the record belongs to another workflow');
      expect(await c.world.record(RECORD_KEY)).toMatchObject({ owner });
      expect(await c.release({ isForced: true, isDeleted: true })).toContain('is released');
      expect(await c.world.record(RECORD_KEY)).toBeUndefined();
    } finally {
      await c.close();
    }
  });
});

describe('release of a record of a former state machine', () => {
  test('which is gone: released as recovery itself would release it, and the step may have run', async () => {
    const c = await openCliWorld({
      name: 'former',
      workflow: { formerStateMachines: ["It's-before", 'Refund'], recovery: Recovery.automatic() },
    });
    try {
      const owner = { S: 'arn:aws:states:us-east-1:111111111111:execution:Refund:e' };
      const unfinished = { status: { S: 'IN_PROGRESS' }, owner, attempt: { N: '1' } };
      const claimedAt = { S: '2026-11-19T09:00:00.000Z' };
      await c.world.putRecord({ idempotencyKey: { S: RECORD_KEY }, ...unfinished, claimedAt });

      expect(c.workflow.formerStateMachines).toEqual(["It's-before", 'Refund']);
      expect(await c.show()).toMatch(
        /owner +Refund:e, attempt 1[\s\S]*the next delivery starts recovery[\s\S]*releases the key/,
      );
      const released = await c.release();
      expect(released).toContain('is released');
      expect(released).toContain('the step might already have had its effect');
    } finally {
      await c.close();
    }
  });
});

describe('release in an Express workflow', () => {
  test('rejects until the lease is over, then releases what the next delivery would hold', async () => {
    const workflow = { type: 'EXPRESS', delivery: 'at-most-once' } as const;
    const c = await openCliWorld({ name: 'express', workflow });
    try {
      const leaseExpiry = { N: String(c.aws.time.now() + 60_000) };
      const machine = c.world.stack.output('StateMachineArn');
      const owner = { S: `${machine.replace(':stateMachine:', ':express:')}:e:1` };
      const unfinished = { status: { S: 'IN_PROGRESS' }, owner, attempt: { N: '1' }, leaseExpiry };
      await c.world.putRecord({ idempotencyKey: { S: RECORD_KEY }, ...unfinished });

      expect(await c.release()).toContain('might be running until 2026-11-20 09:01:00Z');
      await c.world.pass(60_001);
      expect(await c.release()).toContain('is released');
      expect(await c.show()).toContain('Step Functions does not keep executions of Express workflows');
    } finally {
      await c.close();
    }
  });
});

/** Does something else just before the first write of the command. */
function beforeWrite(c: CliWorld, work: () => Promise<void>): void {
  let isDone = false;
  c.aws.dynamodb.middlewareStack.add(
    (next, context) => async args => {
      if (isDone || !/^(Update|Delete)Item/.test(String(context['commandName']))) return next(args);
      isDone = true;
      await work();
      return next(args);
    },
    { step: 'initialize' },
  );
}

/** The first write of the command is made, and its answer lost; the SDK repeats it. */
function loseFirstWrite(c: CliWorld): void {
  let isLost = false;
  c.aws.dynamodb.middlewareStack.add(
    (next, context) => async args => {
      const answer = await next(args);
      if (isLost || context['commandName'] !== 'UpdateItemCommand') return answer;
      isLost = true;
      throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
    },
    { step: 'deserialize', priority: 'low' },
  );
}
