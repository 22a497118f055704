import { Recovery } from '../../infra/index';
import { fails, openWorld, type World } from '../support/world';

const VARIANT = { name: 'recovery', workflow: { recovery: Recovery.automatic() } };
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const HOUR = 3_600_000;

/** The executions of recovery, or of the search, oldest first. */
async function executionsOf(world: World, output: 'RecoveryArn' | 'SearchArn') {
  const { runtime } = world.stack;
  const { executions } = await runtime.listExecutions({ stateMachineArn: world.stack.output(output) });
  const described = executions.map(({ executionArn }) => world.execution(executionArn));
  return (await Promise.all(described)).reverse();
}

describe('the search for executions that ended', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(VARIANT);
  });
  afterEach(() => world.close());

  test('nothing is interrupted: a day costs ten transitions an hour, and no recovery', async () => {
    await world.delivered(ORDER);
    await world.pass(24 * HOUR);

    const searches = await executionsOf(world, 'SearchArn');
    const billed = searches.map(({ executionArn }) => world.stack.runtime.billedTransitions(executionArn));
    expect(billed).toEqual(Array(24).fill(10));
    expect(await executionsOf(world, 'RecoveryArn')).toEqual([]);
  });
});

describe('the search of a workflow with metrics', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld({ name: 'recovery, metrics', workflow: { ...VARIANT.workflow, metrics: true } });
  });
  afterEach(() => world.close());

  const ages = () =>
    world.stack.metrics.data
      .filter(({ metricName }) => metricName === 'OldestUnfinished')
      .map(({ value }) => Math.round(value));

  test('nothing runs: the age is 0, for five transitions an hour more', async () => {
    await world.delivered(ORDER);
    await world.pass(2 * HOUR);

    expect(ages()).toEqual([0, 0]);
    const searches = await executionsOf(world, 'SearchArn');
    const billed = searches.map(({ executionArn }) => world.stack.runtime.billedTransitions(executionArn));
    expect(billed).toEqual([15, 15]);
  });

  test('executions run, more than a page: the age is that of the oldest', async () => {
    world.faults = async (call, next) =>
      call.stateName === 'Record the result' ? fails('DynamoDB.AccessDeniedException') : next();
    await world.deliver(ORDER);
    await world.pass(HOUR / 2);
    for (let order = 8; order < 260; order += 1) await world.deliver({ ...ORDER, orderId: `order-${order}` });
    await world.pass(HOUR / 2 + 1000);

    expect(ages()).toEqual([3600]);
  });

  test('an execution was interrupted, and recovery cannot read its record: the age counts from that end', async () => {
    await world.pass(HOUR / 2);
    world.faults = async (call, next) => {
      if (call.stateName === 'Claim record') void world.stop(call.executionArn);
      return call.stateName === 'Read record' ? fails('DynamoDB.AccessDeniedException') : next();
    };
    await world.deliver(ORDER);
    await world.pass(HOUR + HOUR / 2 + 1000);

    expect(ages()).toEqual([1800, 5400]);
  });
});
