import { releaseKey } from '../../../../cli/actions/release';
import { complete } from '../../../../cli/commands/complete';
import { PLAIN } from '../../../../cli/terminal';
import { Recovery } from '../../../../infra/index';
import { type CliWorld, KEY, ORDER, openCliWorld, RECORD_KEY } from '../../world';

const AT_MOST_ONCE = {
  name: 'at most once, with recovery',
  workflow: { delivery: 'at-most-once', recovery: Recovery.automatic() },
} as const;

/** All calls of a process that is killed after so many of them. */
function killedAfter(c: CliWorld, calls: number): CliWorld['context'] {
  let left = calls;
  const mortal = <Client extends { send: (...args: never[]) => Promise<unknown> }>(
    client: Client,
  ): Client => {
    return new Proxy(client, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (name !== 'send') return value;
        return (...args: never[]) => {
          if (left <= 0) return Promise.reject(new Error('killed'));
          left -= 1;
          return target.send(...args);
        };
      },
    });
  };
  const { aws } = c;
  return { ...c.context, aws: { ...aws, sfn: mortal(aws.sfn), dynamodb: mortal(aws.dynamodb) } };
}

describe('a key that an operator has begun to complete', () => {
  let c: CliWorld;
  beforeEach(async () => {
    c = await openCliWorld(AT_MOST_ONCE);
    await c.ownerStoppedInStep();
    await c.world.settle();
  });
  afterEach(() => c.close());
  const completedBy = async (by: string, result: string, context = c.context) => {
    const wanted = { key: KEY, isConfirmed: true, result, reason: 'seen at the provider', by };
    const answer = await complete.run(context, wanted).catch((error: Error) => error.message);
    return typeof answer === 'string' ? answer : answer.text(PLAIN);
  };
  const status = async () => (await c.world.record(RECORD_KEY))?.['status']?.S;
  /** Kills the completion with the record reserved, and its last write not made. */
  const reserved = async () => {
    for (let calls = 1; (await status()) === 'HELD'; calls += 1)
      await completedBy('ann', '1', killedAfter(c, calls));
    expect(await status()).toBe('RELEASING');
  };
  const BEGUN =
    /ann began to complete it at \d{4}-\d\d-\d\d [\d:]+Z, which is running or was interrupted; `onceflow complete KEY` continues it/;

  test('release, redrive, redeliver and show say by whom, since when, and what continues it', async () => {
    await reserved();

    const shown = await c.show();
    expect(shown).toMatch(BEGUN);
    expect(shown).toMatch(/next +.*InProgress, until an operator has continued to complete the key/);
    expect(shown).toMatch(/reserved the record, to complete the key, by operator \(ann\)/);
    expect(await c.redrive()).toMatch(BEGUN);
    const released = await c.release();
    expect(released).toMatch(BEGUN);
    expect(released).toContain('because its step has not taken effect, pass --force');
    expect(await status()).toBe('RELEASING');
  });

  test('another operator completes it, gets a word of the first, and the step does not run again', async () => {
    await reserved();
    const runs = c.world.runs.length;

    const said = await completedBy('bob', '2');

    expect(said).toContain('is completed');
    expect(said).toMatch(BEGUN);
    expect(await c.show()).toContain('COMPLETED by bob');
    expect(await c.world.delivered(ORDER)).toMatchObject({ output: '2' });
    expect(c.world.runs).toHaveLength(runs);
  });

  test('a release with --force takes its place', async () => {
    await reserved();

    expect(await c.release({ isForced: true })).toMatch(BEGUN);
    expect(await status()).toBe('RELEASED');
  });

  test('killed after any number of calls: another completion finishes it, and the step does not run again', async () => {
    const runs = c.world.runs.length;
    for (let calls = 0; (await status()) !== 'COMPLETED'; calls += 1) {
      await completedBy('ann', '1', killedAfter(c, calls));
      expect(['HELD', 'RELEASING', 'COMPLETED']).toContain(await status());
      expect(calls).toBeLessThan(100);
    }
    expect(await c.world.delivered(ORDER)).toMatchObject({ output: '1' });
    expect(c.world.runs).toHaveLength(runs);
  });

  test('two completions at once with other results: one is made, and the other one says whose', async () => {
    const said = await Promise.all([completedBy('ann', '1'), completedBy('bob', '2')]);

    const [made] = said.filter(text => text.includes('is completed:'));
    const [other] = said.filter(text => !text.includes('is completed:'));
    expect(made).toBeDefined();
    expect(other).toMatch(/(?:ann|bob) began to complete it|completed by (?:ann|bob)|step has succeeded/);
  });

  test('a completion of a key that is reserved for a release says that it takes its place', async () => {
    const killed = async (calls: number) => {
      const wanted = { key: KEY, isConfirmed: true, isForced: false, isDeleted: false };
      await releaseKey(killedAfter(c, calls), wanted).catch(() => undefined);
    };
    for (let calls = 1; (await status()) === 'HELD'; calls += 1) await killed(calls);

    expect(await c.show()).toMatch(/began to release it at .*; `onceflow release KEY` continues it/);
    expect(await completedBy('bob', '2')).toMatch(/takes the place of .* began to release it/);
    expect(await status()).toBe('COMPLETED');
  });
});
