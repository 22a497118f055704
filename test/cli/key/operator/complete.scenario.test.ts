import { complete } from '../../../../cli/commands/complete';
import { resultText } from '../../../../cli/key/operator/completion';
import { PLAIN } from '../../../../cli/terminal';
import { Recovery } from '../../../../infra/index';
import { type CliWorld, KEY, NOBODY, ORDER, openCliWorld, RECORD_KEY } from '../../world';

const AT_MOST_ONCE = {
  name: 'at most once, with recovery',
  workflow: { delivery: 'at-most-once', recovery: Recovery.automatic() },
} as const;

const RESULT = '{"charge":"c-1"}';

describe('a completion by hand', () => {
  let c: CliWorld;
  let owner: string;
  beforeEach(async () => {
    c = await openCliWorld(AT_MOST_ONCE);
    owner = await c.ownerStoppedInStep();
  });
  afterEach(() => c.close());
  const completed = async (result = RESULT, context = c.context) => {
    const wanted = { key: KEY, isConfirmed: true, result, reason: 'seen at the provider', by: 'ann' };
    const answer = await complete.run(context, wanted).catch((error: Error) => error.message);
    return typeof answer === 'string' ? answer : answer.text(PLAIN);
  };
  const held = () => c.world.settle();
  const record = () => c.world.record(RECORD_KEY);

  test('of a held key: deliveries get the result, the step does not run again, the record says who and why', async () => {
    await held();
    const runs = c.world.runs.length;

    expect(await completed()).toMatch(/^ChargePayment#order-7 is completed: deliveries get its result/);
    expect(await c.world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: RESULT });
    await c.world.pass(24 * 3_600_000);

    expect(c.world.runs).toHaveLength(runs);
    expect(await record()).toMatchObject({
      status: { S: 'COMPLETED' },
      attempt: { N: '2' },
      result: { S: RESULT },
      owner: { S: expect.stringContaining(':operator-') },
    });
    const shown = await c.show();
    expect(shown).toContain('COMPLETED by ann, because seen at the provider; duplicates get the result');
    expect(await c.redrive(true)).toContain('nothing to finish');
  });

  test('without a question: its plan, its dangers and how long it takes are said before the first write', async () => {
    await held();
    const began = c.world.clock.now();
    const heard: [at: number, text: string][] = [];
    const terminal = { ...NOBODY, say: (text: string) => heard.push([c.world.clock.now(), text]) };

    await completed(RESULT, { ...c.context, terminal });

    const plan =
      /reserves the record first, .*: 1 min 25 s\n[\s\S]*\nWarning:\n {2}! the step never runs again/;
    expect(heard).toEqual([[began, expect.stringMatching(plan)]]);
    expect(c.world.clock.now() - began).toBeGreaterThanOrEqual(85_000);
  });

  test('beside a late write of the owner, which was redriven by other means: the result stays', async () => {
    await held();
    await completed();

    await c.world.stack.runtime.redriveExecution({ executionArn: owner });
    await c.world.settle();

    expect(await record()).toMatchObject({ status: { S: 'COMPLETED' }, result: { S: RESULT } });
    expect(await c.world.execution(owner)).toMatchObject({ error: 'Idempotency.ClaimLost' });
  });

  test('beside a release at the same moment: one of them is made, and the other one says so', async () => {
    await held();

    const said = await Promise.all([completed(), c.release()]);

    const status = (await record())?.['status']?.S;
    const made = said.filter(text => /is (?:completed|released):/.test(text));
    expect(made).toHaveLength(1);
    expect(made[0]).toContain(`is ${String(status).toLowerCase()}:`);
  });

  test('of a key whose step may still run: rejected until its time is over', async () => {
    expect(await completed()).toContain('only a key that is held for review can be completed by hand');
    await held();
    await c.world.stop(await c.world.deliver(ORDER));
    expect(await completed()).toContain('is completed');
    expect(await completed()).toContain('cannot be completed: the step has succeeded');
  });

  test.each<[string, string]>([
    ['not json', 'the result is not JSON'],
    ['{"id":12345678901234567890}', 'more than 15 digits'],
    [JSON.stringify('x'.repeat(60_000)), 'more than 50000 characters'],
  ])('with %.20s as the result: rejected, and the record stays', (result, message) => {
    expect(() => resultText(result)).toThrow(message);
  });
});
