import type { Interceptor } from '@onceflow/local';
import { Recovery } from '../../infra/index';
import { executionName } from '../../state-machine/contract/index';
import { atFirst, failing, loseFirstAnswer } from '../support/faults';
import { GRACE_MS } from '../support/variant';
import { fails, openWithoutEvents, openWorld, returns, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const DAY = 24 * 3_600_000;

describe('an event from the bus', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.close());

  const names = async () => (await world.executions()).map(({ name }) => name);

  test('starts the workflow under the name of its key, without what differs between deliveries', async () => {
    await world.publish(ORDER);

    const [execution] = await world.executions();
    expect(execution).toMatchObject({ name: 'order-7', status: 'SUCCEEDED' });
    expect(JSON.parse(execution?.input ?? '')).toEqual({
      version: '0',
      'detail-type': 'OrderPlaced',
      source: 'shop.orders',
      account: '111111111111',
      region: 'us-east-1',
      resources: [],
      detail: ORDER,
    });
  });

  test('again after success: one run of the dispatcher, no execution of the workflow', async () => {
    await world.publish(ORDER);
    const before = world.calls.length;
    await world.publish(ORDER);

    expect(await names()).toEqual(['order-7']);
    expect(world.calls.slice(before)).toEqual([
      'states:startExecution from Start by key',
      'dynamodb:getItem from Read record',
    ]);
  });

  test('again, with a record that a state cannot read: not lost, and the workflow ends by the name of the error', async () => {
    await world.publish(ORDER);
    await world.putRecord({ ...(await world.record(KEY)), note: { S: 'x'.repeat(300_000) } });
    const before = world.calls.length;
    await world.publish(ORDER);

    const [, second] = await world.executions();
    expect(second).toMatchObject({ status: 'FAILED', error: 'States.DataLimitExceeded' });
    expect(world.calls.slice(before).filter(call => call.includes('getItem'))).toHaveLength(2);
    expect(world.runs).toHaveLength(1);
  });

  test("again, with the record of another workflow: the workflow says so, and the step's only run is its own", async () => {
    await world.publish(ORDER);
    const record = await world.record(KEY);
    const owner = { S: 'arn:aws:states:us-east-1:111111111111:execution:Refund:order-7' };
    await world.putRecord({ ...record, owner });
    await world.publish(ORDER);

    const [, second] = await world.executions();
    expect(second).toMatchObject({ error: 'Idempotency.ForeignRecord' });
    expect(JSON.parse(second?.cause ?? '')).toMatchObject({ idempotencyKey: KEY, owner: owner.S });
    expect(world.runs).toHaveLength(1);
    expect(await world.record(KEY)).toEqual({ ...record, owner });
  });

  test('again while it runs: no execution, no read', async () => {
    world.step = async () => {
      await world.pause(5000);
      return returns('paid');
    };
    await Promise.all([world.publish(ORDER), world.publish(ORDER), world.publish(ORDER)]);

    expect(await names()).toEqual(['order-7']);
    expect(world.runs).toHaveLength(1);
    expect(world.calls.filter(call => call.startsWith('dynamodb:getItem'))).toEqual([]);
  });

  /** The calls that put an event into the dead-letter queue. */
  const kept = () => world.calls.filter(call => call.endsWith(' from Keep the event'));

  const again = expect.stringMatching(/^order-7-[0-9a-f]{16}$/);

  test('again after a failure: its name is taken, and it runs under another', async () => {
    world.step = () => fails('CardDeclined');
    await world.publish(ORDER);
    world.step = () => returns('paid');
    await world.publish(ORDER);

    expect(await names()).toEqual(['order-7', again]);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' }, attempt: { N: '2' } });
  });

  test('again after each of two failures: under a name of its own each time', async () => {
    world.step = ({ attempt }) => (attempt < 3 ? fails('CardDeclined') : returns('paid'));
    for (let delivery = 1; delivery <= 3; delivery += 1) await world.publish(ORDER);

    expect(new Set(await names()).size).toBe(3);
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' } });
  });

  test('the record of a taken name: read as it is, not as it was', async () => {
    await world.publish(ORDER);
    const reads: unknown[] = [];
    world.faults = (call, next) => {
      if (call.resource === 'dynamodb:getItem') reads.push(call.arguments);
      return next();
    };
    await world.publish(ORDER);

    expect(reads).toEqual([expect.objectContaining({ ConsistentRead: true })]);
  });

  test('again after the owner was stopped: its name is taken, and the delivery calls recovery, which resumes it', async () => {
    await world.close();
    world = await openWithoutEvents({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
    world.step = async () => world.never();
    await world.send(ORDER);
    await world.pass(1000);
    const [owner] = await world.executions();
    await world.stop(owner?.executionArn ?? '');
    world.step = () => returns('paid');
    await world.pass(GRACE_MS);

    await world.publish(ORDER);

    expect(await world.executions()).toMatchObject([
      { name: 'order-7', output: '"paid"', redriveCount: 1 },
      { name: again, error: 'Idempotency.InProgress' },
    ]);
  });

  test('again when the record has expired and the name is still taken: runs again', async () => {
    await world.publish(ORDER);
    const name = await world.record(KEY);
    await world.putRecord({ ...name, expiry: { N: '1' } });
    await world.publish(ORDER);

    expect(await names()).toEqual(['order-7', again]);
    expect(world.runs).toHaveLength(2);
  });

  test('another key with the same name: runs as well', async () => {
    const long = { ...ORDER, orderId: 'order 7' };
    await world.publish({ ...ORDER, orderId: executionName('order 7') });
    await world.publish(long);

    expect(world.runs.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      `ChargePayment#${executionName('order 7')}`,
      'ChargePayment#order 7',
    ]);
    expect(await world.record('ChargePayment#order 7')).toMatchObject({ status: { S: 'COMPLETED' } });
  });

  test('the same key, another amount, after success: reaches the workflow, which rejects it', async () => {
    await world.publish(ORDER);
    await world.publish({ ...ORDER, amount: 99 });

    expect((await world.executions())[1]).toMatchObject({ error: 'Idempotency.PayloadMismatch' });
    expect(world.runs).toHaveLength(1);
  });

  test('no key: reaches the workflow under a name of no key, which rejects it', async () => {
    await world.publish({ amount: 1, currency: 'EUR' });

    expect(await world.executions()).toMatchObject([{ error: 'Idempotency.InvalidEvent' }]);
  });

  test('no key, and throttled for a while: reaches the workflow all the same', async () => {
    world.faults = failing('Start without a key', 'StepFunctions.ThrottlingException', 4);
    await world.publish({ amount: 1, currency: 'EUR' });

    expect(await world.executions()).toMatchObject([{ error: 'Idempotency.InvalidEvent' }]);
  });

  test.each<[string, Interceptor]>([
    ['lost', async () => fails('StepFunctions.SdkClientException')],
    ['late, when the execution has ended', () => world.never()],
  ])('no key, and the answer to the start is %s: one execution rejects it', async (_, answer) => {
    world.faults = atFirst('Start without a key', async (call, next) => {
      await next();
      return answer(call, next);
    });
    await world.publish({ amount: 1, currency: 'EUR' });

    expect(await names()).toEqual([expect.stringMatching(/^[0-9a-f]{16}-no-key$/)]);
    expect(kept()).toEqual([]);
  });

  test.each([
    ['no key', 'Start without a key', { amount: 1, currency: 'EUR' }],
    ['a name that is taken', 'Start again', ORDER],
  ])('%s, and Step Functions rejects for good: the event is kept', async (_, stateName, detail) => {
    world.step = () => fails('CardDeclined');
    await world.publish(ORDER);
    world.faults = failing(stateName, 'StepFunctions.ThrottlingException');
    await world.publish(detail);

    expect(await names()).toEqual(['order-7']);
    expect(kept()).toHaveLength(1);
  });

  test.each([
    ['an ordinary key', 'order-7'],
    ['white space and more', ' a/b#c:ü💶\n'],
    ['80 characters', 'x'.repeat(80)],
    ['81 characters', 'x'.repeat(81)],
    ['a number', 4711],
    ['1,000 characters', 'ä'.repeat(1000)],
    ['a line break at its end', 'order-7\n'],
  ])('%s: the name that the contract says', async (_, orderId) => {
    await world.publish({ ...ORDER, orderId });

    const text = typeof orderId === 'number' ? `#${orderId}` : orderId.replace('#', '~#');
    const [run] = world.runs;
    const keyText = run?.idempotencyKey.slice('ChargePayment#'.length) ?? '';
    expect(await names()).toEqual([executionName(keyText)]);
    expect(keyText === text || keyText.length > 400).toBe(true);
  });

  test('the start made, its answer lost: the same start again, one execution', async () => {
    world.faults = loseFirstAnswer('Start by key', 'StepFunctions.SdkClientException');
    await world.publish(ORDER);

    expect(await names()).toEqual(['order-7']);
    expect(world.runs).toHaveLength(1);
  });

  test('the second start made, its answer lost and the execution over: known as its own', async () => {
    world.step = () => fails('CardDeclined');
    await world.publish(ORDER);
    world.faults = loseFirstAnswer('Start again', 'StepFunctions.SdkClientException');
    await world.publish(ORDER);

    expect(await names()).toEqual(['order-7', again]);
    expect(world.runs).toHaveLength(2);
    expect(kept()).toEqual([]);
  });

  test('throttled for a while: started all the same', async () => {
    world.faults = failing('Start by key', 'StepFunctions.ThrottlingException', 4);
    await world.publish(ORDER);

    expect(await names()).toEqual(['order-7']);
  });

  test('the record of a taken name cannot be read: started under another name after all retries', async () => {
    await world.publish(ORDER);
    world.faults = async (call, next) => {
      const isDispatcher = call.executionArn.includes(':express:');
      return isDispatcher && call.stateName === 'Read record' ? fails('DynamoDB.SdkClientException') : next();
    };
    await world.publish(ORDER);

    expect((await world.executions())[1]).toMatchObject({ name: again, output: '{"charge":1}' });
  });

  test('Step Functions rejects for good: the event goes to the dead-letter queue as it came', async () => {
    const sent: { MessageBody?: unknown; MessageAttributes?: unknown }[] = [];
    world.faults = async (call, next) => {
      if (call.stateName === 'Keep the event') sent.push(call.arguments as object);
      return call.stateName === 'Start by key' ? fails('StepFunctions.ThrottlingException') : next();
    };
    await world.publish(ORDER);

    expect(await names()).toEqual([]);
    expect(sent).toMatchObject([
      {
        MessageBody: { id: expect.any(String), time: expect.any(String), detail: ORDER },
        MessageAttributes: {
          Error: { DataType: 'String', StringValue: 'StepFunctions.ThrottlingException' },
        },
      },
    ]);
  });

  test('that is more than one in a list, which cannot be told apart: goes to the dead-letter queue as it came', async () => {
    const events = ['a', 'b'].map(id => ({ id, 'detail-type': 'OrderPlaced', detail: ORDER }));
    const { arn = '' } =
      world.stack.assembly.stateMachines.find(({ name }) => name.includes('Dispatcher')) ?? {};
    const sent: unknown[] = [];
    world.faults = async (call, next) => {
      if (call.stateName === 'Keep the event') sent.push(call.arguments);
      return next();
    };
    await world.stack.runtime.startExecution({ stateMachineArn: arn, input: JSON.stringify(events) });
    await world.settle();

    expect(await names()).toEqual([]);
    expect(sent).toMatchObject([
      { MessageBody: events, MessageAttributes: { Error: { StringValue: 'States.QueryEvaluationError' } } },
    ]);
  });

  test('and the dead-letter queue does not answer at first: the event is kept all the same', async () => {
    let failures = 3;
    const answers: string[] = [];
    world.faults = async (call, next) => {
      if (call.stateName === 'Start by key') return fails('StepFunctions.ThrottlingException');
      if (call.stateName !== 'Keep the event') return next();
      failures -= 1;
      const answer = failures >= 0 ? fails('SQS.SdkClientException') : await next();
      answers.push(answer.kind);
      return answer;
    };
    await world.publish(ORDER);

    expect(answers).toEqual(['failed', 'failed', 'failed', 'succeeded']);
  });

  test('old names: free again after 90 days, as on AWS', async () => {
    await world.publish(ORDER);
    await world.pass(91 * DAY);
    await world.publish(ORDER);

    expect(world.runs).toHaveLength(2);
  });
});
