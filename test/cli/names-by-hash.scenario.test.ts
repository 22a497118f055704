import { startKey } from '../../cli/actions/start';
import { executionNameIn } from '../../cli/arns';
import { redriveFailed } from '../../cli/commands/redrive';
import { findExecutions } from '../../cli/key/find-executions';
import { PLAIN } from '../../cli/terminal';
import { executionName } from '../../state-machine/contract/execution-name';
import { fails, returns } from '../support/world';
import { type CliWorld, KEY, NOBODY, ORDER, openCliWorld, RECORD_KEY } from './world';

const HASH = executionName('order-7', 'hash');
const DAY = 24 * 3_600_000;

describe('a workflow whose executions are named by the hash', () => {
  let c: CliWorld;
  beforeEach(async () => {
    c = await openCliWorld({ name: 'names by hash', workflow: { executionNames: 'hash' } });
  });
  afterEach(() => c.close());

  const names = async () => (await c.world.executions()).map(({ name }) => name);
  const found = async (since: number, openedMax = 0) => {
    const wanted = { text: 'order-7', recordKey: RECORD_KEY, owner: undefined };
    const { executions } = await findExecutions(c.context, wanted, { since, openedMax });
    return executions.map(({ executionArn }) => executionNameIn(executionArn));
  };

  test('start: shares the execution that the bus has started, under its name', async () => {
    const terminal = { ...NOBODY, readInput: () => Promise.resolve(JSON.stringify({ detail: ORDER })) };
    const start = () =>
      startKey({ ...c.context, terminal }, { key: KEY, input: '-', waitMs: 5000, isForced: false });
    await c.world.publish(ORDER);
    const answer = await start();

    expect(c.workflow.executionNames).toBe('hash');
    expect(answer.text(PLAIN)).toContain(`had already been run by ${HASH}`);
    expect((await names())[0]).toBe(HASH);
    expect((await names()).filter(name => name.includes('order'))).toEqual([]);
  });

  test('redrive --failed: what it delivers has no other name, and show finds both', async () => {
    c.world.step = () => fails('CardDeclined');
    await c.world.publish(ORDER);
    c.world.step = () => returns('paid');
    await redriveFailed(c.context, {
      range: { since: { ago: DAY } },
      error: undefined,
      limit: 10,
      perSecond: 5,
      isConfirmed: true,
      isDryRun: false,
    });
    await c.world.settle();

    expect(await names()).toEqual([HASH, expect.stringMatching(new RegExp(`^${HASH}-[0-9a-f]{16}$`))]);
    expect(await found(0)).toEqual(await names());
  });

  test('an execution before the time that is searched: found by its name, as a readable one is', async () => {
    await c.world.publish(ORDER);
    const readable = await openCliWorld();
    await readable.world.publish(ORDER);
    await Promise.all([c.world.pass(DAY), readable.world.pass(DAY)]);

    expect(await found(c.world.clock.now() - 1000)).toEqual([HASH]);
    expect(readable.workflow.executionNames).toBe('readable');
    await readable.close();
  });

  test('executions of before the option was set: found by their readable names', async () => {
    const input = JSON.stringify({ detail: ORDER });
    const stateMachineArn = c.world.stack.output('StateMachineArn');
    await c.world.stack.runtime.startExecution({ stateMachineArn, name: 'order-7', input });
    await c.world.settle();
    await c.world.publish({ ...ORDER, orderId: 'order-8' });

    expect(await found(0)).toEqual(['order-7']);
  });
});
