import { failing, loseFirstAnswer, noFault } from '../support/faults';
import type { Definition } from '../support/synthesize';
import { fails, openWorld, returns, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const NO_PERMISSION =
  '(Service: AWSLambda; Status Code: 403; Error Code: AccessDeniedException; Proxy: null)';
const THROTTLED = 'DynamoDB.ProvisionedThroughputExceededException';

/** The definition as it was synthesized, to be changed. */
function deployed(world: World) {
  const arn = world.stack.output('StateMachineArn');
  const machine = world.stack.assembly.stateMachines.find(machine => machine.arn === arn);
  if (!machine) throw new Error('the app has no state machine');
  return { machine, definition: JSON.parse(machine.definitionText) as Definition };
}

async function startVariant(world: World, machine: { readonly arn: string }, definition: Definition) {
  const arn = `${machine.arn}-variant`;
  const variant = world.stack.runtime.register(JSON.stringify(definition), { arn });
  const input = JSON.stringify({ detail: ORDER });
  const { executionArn } = await world.stack.runtime.startExecution({ stateMachineArn: variant.arn, input });
  await world.settle();
  return executionArn;
}

describe('a fault', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.close());

  test('claim: written, its answer lost: the retry is admitted by its own record, one run', async () => {
    world.faults = loseFirstAnswer('Claim record');

    const execution = await world.delivered(ORDER);

    expect(execution).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(world.runs).toHaveLength(1);
    expect(world.calls.slice(0, 2)).toEqual(Array(2).fill('dynamodb:putItem from Claim record'));
  });

  test('claim: answer lost while a duplicate comes: the duplicate is rejected, the owner goes on', async () => {
    world.faults = loseFirstAnswer('Claim record');
    const arns = [await world.deliver(ORDER), await world.deliver(ORDER)];
    await world.settle();

    const ends = await Promise.all(arns.map(world.execution));
    expect(ends.map(({ status, error }) => error ?? status).sort()).toEqual([
      'Idempotency.InProgress',
      'SUCCEEDED',
    ]);
    expect(world.runs).toHaveLength(1);
  });

  test('claim: throttled for a while: waits, then claims', async () => {
    world.faults = failing('Claim record', THROTTLED, 5);

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('claim: throttled for good: fails there, nothing has run, a later delivery is a first one', async () => {
    world.faults = failing('Claim record', THROTTLED);
    const execution = await world.delivered(ORDER);
    world.faults = noFault;

    expect(execution).toMatchObject({ status: 'FAILED', error: THROTTLED });
    expect(world.runs).toEqual([]);
    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('takeover: written, its answer lost: the retry is admitted, one run, the next attempt', async () => {
    world.step = () => fails('CardDeclined');
    await world.delivered(ORDER);
    world.step = () => returns('paid');
    world.faults = loseFirstAnswer('Take over');

    const execution = await world.delivered(ORDER);

    expect(execution.output).toBe('"paid"');
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' }, attempt: { N: '2' } });
  });

  test('finalize: written, its answer lost: writes the same again and succeeds', async () => {
    world.faults = loseFirstAnswer('Record the result');
    const arn = await world.deliver(ORDER);
    // The answer is lost; the retry comes only when time passes.
    await world.stack.runtime.work.idle();
    const before = await world.record(KEY);
    await world.settle();

    expect(before).toMatchObject({ status: { S: 'COMPLETED' } });
    expect(await world.execution(arn)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(await world.record(KEY)).toEqual(before);
    expect(world.runs).toHaveLength(1);
  });

  test('finalize of a failure: written, its answer lost: still ends with the error of the step', async () => {
    world.step = () => fails('CardDeclined');
    world.faults = loseFirstAnswer('Record the failure');

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'FAILED', error: 'CardDeclined' });
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'FAILED' } });
  });

  test('finalize: an outage of three hours: waits it out, one run', async () => {
    const recovery = world.clock.now() + 3 * 3600 * 1000;
    world.faults = async (call, next) =>
      call.stateName === 'Record the result' && world.clock.now() < recovery ? fails(THROTTLED) : next();

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(world.runs).toHaveLength(1);
  });

  test('finalize: fails for good: it keeps the result and the key; redriven, it completes the record, and runs nothing again', async () => {
    world.faults = failing('Record the result', THROTTLED);

    const execution = await world.delivered(ORDER);

    expect(execution).toMatchObject({ status: 'FAILED', error: THROTTLED, redriveStatus: 'REDRIVABLE' });
    expect((await world.statesOf(execution.executionArn)).at(-1)).toBe('Record the result');
    expect(await world.record(KEY)).toMatchObject({
      status: { S: 'IN_PROGRESS' },
      owner: { S: execution.executionArn },
    });
    const { events } = await world.stack.runtime.getExecutionHistory({
      executionArn: execution.executionArn,
      maxResults: 1000,
    });
    const entered = events.find(event => event.stateEnteredEventDetails?.name === 'Record the result');
    expect(entered?.stateEnteredEventDetails?.input).toBe('{"charge":1}');

    world.faults = noFault;

    await world.stack.runtime.redriveExecution({ executionArn: execution.executionArn });
    await world.settle();

    expect(await world.execution(execution.executionArn)).toMatchObject({
      status: 'SUCCEEDED',
      output: '{"charge":1}',
    });
    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(world.runs).toHaveLength(1);
  });

  test('finalize: another execution owns the record: claim lost, the record is theirs', async () => {
    world.step = async () => {
      const record = await world.record(KEY);
      await world.putRecord({ ...record, owner: { S: 'arn:another' }, attempt: { N: '2' } });
      return returns('late');
    };

    const execution = await world.delivered(ORDER);

    expect(execution).toMatchObject({ status: 'FAILED', error: 'Idempotency.ClaimLost' });
    // A rejection is an answer: it is not tried again for hours.
    expect(world.calls.filter(call => call.endsWith(' from Record the result'))).toHaveLength(1);
    expect(await world.record(KEY)).toMatchObject({
      status: { S: 'IN_PROGRESS' },
      owner: { S: 'arn:another' },
    });
  });

  test('finalize: the own record at a later attempt: claim lost', async () => {
    world.step = async () => {
      await world.putRecord({ ...(await world.record(KEY)), attempt: { N: '2' } });
      return returns('late');
    };

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.ClaimLost' });
  });

  test('finalize of a failure: another execution owns the record: the error of the step, the record is theirs', async () => {
    world.step = async () => {
      await world.putRecord({ ...(await world.record(KEY)), owner: { S: 'arn:another' } });
      return fails('CardDeclined', 'declined');
    };

    const execution = await world.delivered(ORDER);

    expect(execution).toMatchObject({ status: 'FAILED', error: 'CardDeclined', cause: 'declined' });
    expect(await world.record(KEY)).toMatchObject({
      status: { S: 'IN_PROGRESS' },
      owner: { S: 'arn:another' },
    });
  });

  test('the record was deleted while the step ran: claim lost, and no record is made up', async () => {
    world.step = async () => {
      await world.deleteRecord(KEY);
      return returns('late');
    };

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.ClaimLost' });
    expect(await world.record(KEY)).toBeUndefined();
  });

  test('finalize: an outage longer than the retention: it begins with the write, a duplicate runs nothing', async () => {
    const { machine, definition } = deployed(world);
    const hourly = JSON.stringify(definition).replaceAll('+ 7776000)', '+ 3600)');
    const variant = JSON.parse(hourly) as Definition;
    const recovery = world.clock.now() + 3 * 3600 * 1000;
    world.faults = async (call, next) =>
      call.stateName === 'Record the result' && world.clock.now() < recovery ? fails(THROTTLED) : next();

    const first = await startVariant(world, machine, variant);
    const duplicate = await startVariant(world, machine, variant);

    expect(hourly).not.toBe(JSON.stringify(definition));
    expect(await world.execution(first)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(await world.execution(duplicate)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(world.runs).toHaveLength(1);
  });

  test('finalize: written, its answer lost for an hour: the record stays as it was written', async () => {
    const recovery = world.clock.now() + 3600 * 1000;
    world.faults = async (call, next) => {
      const result = await next();
      return call.stateName === 'Record the result' && world.clock.now() < recovery
        ? fails('DynamoDB.SdkClientException')
        : result;
    };
    const arn = await world.deliver(ORDER);
    await world.stack.runtime.work.idle();
    const before = await world.record(KEY);
    await world.settle();

    expect(world.clock.now()).toBeGreaterThanOrEqual(recovery);
    expect(await world.execution(arn)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await world.record(KEY)).toEqual(before);
  });

  test('claim: its request arrives once more, long after the execution has finished: the record stays', async () => {
    const again: (() => Promise<unknown>)[] = [];
    world.faults = (call, next) => {
      if (call.stateName === 'Claim record') again.push(next);
      return next();
    };
    await world.delivered(ORDER);
    const before = await world.record(KEY);

    await again[0]?.();

    expect(before).toMatchObject({ status: { S: 'COMPLETED' } });
    expect(await world.record(KEY)).toEqual(before);
  });

  test('claim: written, all its answers lost: fails there and keeps the key; redriven, it admits its own record', async () => {
    world.faults = async (call, next) => {
      const result = await next();
      return call.stateName === 'Claim record' ? fails('DynamoDB.SdkClientException') : result;
    };
    const { executionArn, ...failed } = await world.delivered(ORDER);
    expect((await world.statesOf(executionArn)).at(-1)).toBe('Claim record');
    expect(failed).toMatchObject({ status: 'FAILED', redriveStatus: 'REDRIVABLE' });
    expect(await world.record(KEY)).toMatchObject({
      status: { S: 'IN_PROGRESS' },
      owner: { S: executionArn },
    });
    world.faults = noFault;

    await world.stack.runtime.redriveExecution({ executionArn });
    await world.settle();

    expect(await world.execution(executionArn)).toMatchObject({ status: 'SUCCEEDED' });
    expect(world.runs).toHaveLength(1);
  });

  test('takeover: the same attempt, but another owner since it was read: rejected', async () => {
    world.step = () => fails('CardDeclined');
    await world.delivered(ORDER);
    world.faults = async (call, next) => {
      const record = await world.record(KEY);
      if (call.stateName === 'Take over') await world.putRecord({ ...record, owner: { S: 'arn:another' } });
      return next();
    };
    world.step = () => returns('paid');

    const execution = await world.delivered(ORDER);

    const states = await world.statesOf(execution.executionArn);
    expect(states.slice(0, 6)).toEqual([
      'Claim record',
      'Read record',
      'What does the record say?',
      'Take over',
      'Read record',
      'What does the record say?',
    ]);
  });

  test('step throttled: had not run, runs later in the same attempt', async () => {
    let invocations = 0;
    world.step = () => {
      invocations += 1;
      return invocations < 4 ? fails('Lambda.TooManyRequestsException') : returns('paid');
    };

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '"paid"' });
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1]);
  });

  test.each([
    ['Lambda.SdkClientException', ''],
    ['Lambda.ServiceException', ''],
    ['Lambda.AWSLambdaException', ''],
    // A missing permission: no decision hangs on the words of AWS.
    ['Lambda.AWSLambdaException', NO_PERMISSION],
    ['Lambda.ClientExecutionTimeoutException', ''],
  ])(
    'the answer of the step lost (%s %s): not started again before its time is over',
    async (error, cause) => {
      world.step = () => fails(error, cause);
      const startedAt = world.clock.now();
      const arn = await world.deliver(ORDER);
      await world.stack.runtime.work.idle();
      const duplicate = await world.deliver(ORDER);
      await world.stack.runtime.work.idle();

      expect(await world.execution(duplicate)).toMatchObject({ error: 'Idempotency.InProgress' });
      await world.settle();
      expect(await world.execution(arn)).toMatchObject({ status: 'FAILED', error });
      expect(world.clock.now() - startedAt).toBe(40_000);
      expect(await world.record(KEY)).toMatchObject({ status: { S: 'FAILED' } });
      expect(world.runs).toHaveLength(1);
    },
  );

  test.each([
    ['there is no function', 'Lambda.ResourceNotFoundException'],
    ['its key is disabled', 'Lambda.KMSDisabledException'],
  ])('step rejected, %s: fails at once with that error, and runs when it is fixed', async (_, error) => {
    world.step = () => fails(error);
    const startedAt = world.clock.now();
    const execution = await world.delivered(ORDER);
    world.step = () => returns('paid');

    expect(execution).toMatchObject({ status: 'FAILED', error });
    expect(world.clock.now()).toBe(startedAt);
    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '"paid"' });
  });

  test('step never answers: its state times out above the function, then the order can be delivered again', async () => {
    world.step = () => world.never();
    const startedAt = world.clock.now();
    const execution = await world.delivered(ORDER);
    world.step = () => returns('paid');

    expect(execution).toMatchObject({ status: 'FAILED', error: 'States.Timeout' });
    expect(world.clock.now() - startedAt).toBe(40_000);
    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '"paid"' });
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('what follows the put cannot be evaluated: claims again, admitted by its own record', async () => {
    const { machine, definition } = deployed(world);
    const assign = definition.States['Claim record']?.['Assign'] as Record<string, string>;
    // The first time only.
    assign['attempt'] = "{% $states.context.State.RetryCount > 0 ? 1 : $error('a limit') %}";

    const executionArn = await startVariant(world, machine, definition);

    expect(await world.execution(executionArn)).toMatchObject({
      status: 'SUCCEEDED',
      output: '{"charge":1}',
    });
    expect(world.calls.slice(0, 2)).toEqual(Array(2).fill('dynamodb:putItem from Claim record'));
    expect(world.runs).toHaveLength(1);
  });

  test('what follows the put can never be evaluated: rejected after three tries, its claim left to recovery', async () => {
    const { machine, definition } = deployed(world);
    const assign = definition.States['Claim record']?.['Assign'] as Record<string, string>;
    assign['attempt'] = "{% $error('always') %}";

    const executionArn = await startVariant(world, machine, definition);

    expect(await world.execution(executionArn)).toMatchObject({ error: 'Idempotency.InvalidEvent' });
    expect(world.calls).toEqual(Array(3).fill('dynamodb:putItem from Claim record'));
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'IN_PROGRESS' } });
    expect(world.runs).toEqual([]);
  });

  test('read throttled: waits, then judges', async () => {
    await world.delivered(ORDER);
    world.faults = failing('Read record', THROTTLED, 3);

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
  });
});
