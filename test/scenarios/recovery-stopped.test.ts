import type { Interceptor } from '@onceflow/local';
import { Recovery } from '../../infra/index';
import { at, noFault } from '../support/faults';
import { openWorld, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const HOUR = 3_600_000;

/** DescribeExecution reports no error in an answer without data. */
const withoutError: Interceptor = at('Ask about the owner', async (call, next) => {
  const answer = await next();
  const { IncludedData } = call.arguments as { readonly IncludedData?: string };
  if (answer.kind !== 'succeeded' || IncludedData !== 'METADATA_ONLY') return answer;
  const { Error: _, ...output } = answer.output as Readonly<Record<string, string>>;
  return { kind: 'succeeded', output };
});

const tooLong: Interceptor = at('Ask about the owner', async (call, next) => {
  const { IncludedData } = call.arguments as { readonly IncludedData?: string };
  const isForAll = IncludedData === 'ALL_DATA';
  return isForAll
    ? { kind: 'failed', error: 'States.DataLimitExceeded', cause: '' }
    : withoutError(call, next);
});

describe('an execution is stopped, and the event of its end has no error', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
  });
  afterEach(() => world.close());

  /** How often the execution was redriven half an hour after it was stopped within its step, and an event told so. */
  async function afterStop(error: string | undefined, told: object): Promise<number> {
    const { runtime } = world.stack;
    // Recovery is started here alone, by this event.
    world.deliveries = async ({ targetArn }, next) =>
      targetArn === world.stack.output('RecoveryArn') ? { executionArn: 'lost' } : next();
    world.step = () => world.never();
    const executionArn = await world.deliver({ orderId: 'order-7', amount: 1, currency: 'EUR' });
    await runtime.work.idle();
    await runtime.stopExecution({ executionArn, ...(error !== undefined && { error }) });
    const { name, status, startDate, stopDate, input } = await world.execution(executionArn);
    const detail = { executionArn, name, status, startDate, stopDate, redriveCount: 0, input, ...told };
    await runtime.startExecution({
      stateMachineArn: world.stack.output('RecoveryArn'),
      input: JSON.stringify({ detail, workflowArn: world.stack.output('StateMachineArn') }),
    });
    // Before the hourly search finds it as well.
    await world.pass(HOUR / 2);
    return (await world.execution(executionArn)).redriveCount;
  }

  test.each([
    ['no error', {}, noFault],
    ['null as its error', { error: null }, noFault],
    ['no error, and neither has an answer without data', {}, withoutError],
  ])('for good, in the words of its error; the event has %s: left alone', async (_, told, faults) => {
    world.faults = faults;

    expect(await afterStop('Idempotency.Stopped', told)).toBe(0);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'IN_PROGRESS' } });
  });

  test.each([
    ['without an error', undefined, noFault],
    ['with an error of its own', 'Maintenance', withoutError],
    ['with an error that only an answer of more than 256 KiB has', 'Maintenance', tooLong],
  ])('%s: it is redriven', async (_, error, faults) => {
    world.faults = faults;

    expect(await afterStop(error, {})).toBe(1);
  });
});
