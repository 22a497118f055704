import type { Interceptor, ServiceResult } from '@onceflow/local';
import { Recovery } from '../../infra/index';
import { at, atFirst, failing, noFault, stopping } from '../support/faults';
import { openWorld, returns, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** DescribeExecution answers so often as if the execution were running that it has been told has ended. */
function behind(stateName: string, times: number): Interceptor {
  let left = times;
  return at(stateName, async (_call, next) => {
    const answer = await next();
    if (answer.kind !== 'succeeded' || left === 0) return answer;
    left -= 1;
    const isOfTheEnd = (member: string) => ['StopDate', 'Error', 'Cause'].includes(member);
    const running = Object.entries(answer.output as object).filter(([member]) => !isOfTheEnd(member));
    return { kind: 'succeeded', output: { ...Object.fromEntries(running), Status: 'RUNNING' } };
  });
}

/** DescribeExecution answers the first question of a recovery as if the execution had not been redriven. */
function earlier(StopDate: string, recoveryArn: string): Interceptor {
  const ofThisEnd = atFirst('Ask about the owner', async (_call, next) => {
    const answer = await next();
    if (answer.kind !== 'succeeded') return answer;
    return { kind: 'succeeded', output: { ...(answer.output as object), RedriveCount: 0, StopDate } };
  });
  return (call, next) => (call.executionArn === recoveryArn ? ofThisEnd(call, next) : next());
}

describe('recovery, when DescribeExecution is behind', () => {
  let world: World;
  let areEventsLost: boolean;
  beforeEach(async () => {
    world = await openWorld({ name: 'reference', workflow: { recovery: Recovery.automatic() } });
    areEventsLost = false;
    world.step = () => returns('charged');
    world.deliveries = async ({ targetArn }, next) =>
      areEventsLost && targetArn === world.stack.output('RecoveryArn') ? { executionArn: 'lost' } : next();
  });
  afterEach(() => world.close());

  /** An order whose execution is stopped within its step; then Step Functions answers like this. */
  async function stopped(answers: Interceptor): Promise<string> {
    world.faults = stopping(world, 'Business step', 'before');
    const executionArn = await world.deliver(ORDER);
    await world.pass(1000);
    world.faults = answers;
    return executionArn;
  }

  async function recoveries() {
    const stateMachineArn = world.stack.output('RecoveryArn');
    const { executions } = await world.stack.runtime.listExecutions({ stateMachineArn });
    return Promise.all(executions.map(({ executionArn }) => world.execution(executionArn)));
  }

  test('it says twice that the execution runs: asked again, and recovered', async () => {
    await stopped(behind('Ask about the owner', 2));
    await world.settle();

    expect((await world.record(KEY))?.['status']).toEqual({ S: 'COMPLETED' });
  });

  test('the event is lost, and it says so to what the search has started: asked again, and recovered', async () => {
    areEventsLost = true;
    await stopped(behind('Read the input', 2));
    await world.pass(2 * HOUR);

    expect((await world.record(KEY))?.['status']).toEqual({ S: 'COMPLETED' });
  });

  test.each([
    ['Ask about the owner', false, /as it was before its end/],
    ['Read the input', true, /the input of the execution cannot be read/],
  ] as const)('%s: it says so for an hour: given up by name', async (stateName, isLost, cause) => {
    areEventsLost = isLost;
    await stopped(behind(stateName, Number.POSITIVE_INFINITY));
    await world.pass(2 * HOUR);

    expect(await recoveries()).toContainEqual(
      expect.objectContaining({
        status: 'FAILED',
        error: 'Idempotency.RecoveryGivenUp',
        cause: expect.stringMatching(cause),
      }),
    );
  });

  test('it has been redriven since: it lives, and nothing is delivered', async () => {
    const executionArn = await stopped(failing('Record the result', 'DynamoDB.AccessDeniedException'));
    await world.stack.runtime.redriveExecution({ executionArn });
    await world.pass(HOUR / 2);

    expect(await world.execution(executionArn)).toMatchObject({ status: 'RUNNING', redriveCount: 1 });
    expect(await world.executions()).toHaveLength(1);
    expect(await recoveries()).toMatchObject([{ status: 'SUCCEEDED', output: '{"deliveries":0}' }]);
    world.faults = noFault;
    await world.settle();
  });

  test('it tells of an earlier end, before a redrive: asked again, and recovered before any search', async () => {
    const executionArn = await stopped(stopping(world, 'Business step', 'before'));
    const { stopDate = 0 } = await world.execution(executionArn);
    await world.pass(MINUTE);
    expect(await world.execution(executionArn)).toMatchObject({ status: 'ABORTED', redriveCount: 1 });
    world.faults = earlier(new Date(stopDate).toISOString(), (await recoveries())[0]?.executionArn ?? '');
    await world.pass(HOUR / 2);

    expect((await world.record(KEY))?.['status']).toEqual({ S: 'COMPLETED' });
  });

  test('a page of a list is empty, and not the last one: the search reads on, and finds what was interrupted', async () => {
    areEventsLost = true;
    await stopped(noFault);
    const token = 'the next page';
    let first: ServiceResult | undefined;
    world.faults = at('List what has ended', async (call, next) => {
      const { NextToken } = call.arguments as { readonly NextToken?: string };
      if (first) return NextToken === token ? first : next();
      first = await next();
      return { kind: 'succeeded', output: { Executions: [], NextToken: token } };
    });
    await world.pass(HOUR + MINUTE);
    await world.settle();

    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' } });
  });
});
