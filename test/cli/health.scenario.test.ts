import { health } from '../../cli/commands/health';
import { PLAIN } from '../../cli/terminal';
import { Recovery } from '../../infra/index';
import { type CliWorld, openCliWorld } from './world';

describe('the health of recovery', () => {
  let c: CliWorld;
  afterEach(() => c.close());
  const asked = async () => {
    const { code, text, json } = await health.run(c.context, {});
    return { code, text: text(PLAIN), json };
  };

  test('a recovery that searches: when it did, and 0', async () => {
    c = await openCliWorld({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
    await c.world.pass(3 * 3_600_000);

    const { code, text } = await asked();

    expect(text).toMatch(/search +ok: last search .* ago, SUCCEEDED/);
    expect(text).toMatch(/throttling +not known: .* ExecutionThrottled/);
    expect(code).toBe(0);
  });

  test('a recovery that has given up, as a step is in doubt: said, and 1, until an operator closes the key', async () => {
    const workflow = { delivery: 'at-most-once', recovery: Recovery.automatic() } as const;
    c = await openCliWorld({ name: 'at most once, with recovery', workflow });
    await c.ownerStoppedInStep();
    await c.world.settle();

    const { code, text, json } = await asked();

    expect(text).toMatch(
      /attention: \d+ executions? of recovery done in the last day, 1 given up \(1 still open\)/,
    );
    expect(json).toMatchObject({ healthy: false });
    expect(code).toBe(1);

    await c.release();
    const released = await asked();
    expect(released.text).toMatch(/ok: \d+ executions? of recovery done .*, 1 given up \(0 still open\)/);
    expect(released).toMatchObject({ code: 0, json: { healthy: true } });
  });

  test('without recovery: says what completes an interrupted key', async () => {
    c = await openCliWorld();

    expect(await asked()).toMatchObject({ code: 0, text: expect.stringContaining('it has no recovery') });
  });

  test('queues that cannot be read: said, not healthy, and 1', async () => {
    c = await openCliWorld();
    const denied = Object.assign(new Error('no'), { name: 'AccessDenied' });
    const sqs = Object.assign(Object.create(c.aws.sqs), { send: () => Promise.reject(denied) });

    const { code, text, json } = await health
      .run({ ...c.context, aws: { ...c.aws, sqs } }, {})
      .then(answer => ({ ...answer, text: answer.text(PLAIN) }));

    expect(text).toMatch(/dead letters +not known: ListQueues is denied. Allow sqs:ListQueues/);
    expect(json).toMatchObject({ healthy: null });
    expect(code).toBe(1);
  });

  test('reserved keys are named with the command that shows them', async () => {
    c = await openCliWorld();

    expect((await asked()).text).toMatch(/reserved keys +not known: .*onceflow list --status RELEASING/);
  });
});
