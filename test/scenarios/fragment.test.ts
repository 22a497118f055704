import type { ExecutionDescription, Interceptor, Json, ServiceCall } from '@onceflow/local';
import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  type IChainable,
  Map as MapState,
  Pass,
  ProvideItems,
  QueryLanguage,
  StateMachine,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { IdempotentFragment, type IdempotentFragmentProps, OnInProgress } from '../../infra/index';
import { failing, loseFirstAnswer, noFault, stopping } from '../support/faults';
import { GRACE_MS, type Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const ORDER = { orderId: 'order-7' };

/** Machines of a team: two steps in a row, a step whose errors are caught, a step for each of many items. */
const TEAM: Variant = {
  name: 'team',
  more: (stack, workflow) => {
    const step = stack.node.findChild('ChargePaymentFunction') as unknown as IdempotentFragmentProps['step'];
    const fragment = (id: string, props: Partial<IdempotentFragmentProps> = {}) =>
      new IdempotentFragment(stack, id, {
        table: workflow.table,
        idempotencyKey: '{% $states.input.orderId %}',
        step,
        ...props,
      });

    const reserve = fragment('Reserve', { scope: 'reserve' });
    const charge = fragment('Charge', { scope: 'charge', idempotencyKey: '{% $states.input.reserved %}' });
    machine(stack, 'Steps', reserve.next(charge), [reserve, charge]);

    const ship = fragment('Ship', { scope: 'ship' });
    const ends = Choice.jsonata(stack, 'Then?')
      .when(Condition.jsonata('{% $exists($states.input.fails) %}'), Fail.jsonata(stack, 'Not shipped'))
      .otherwise(Pass.jsonata(stack, 'Never mind'));
    ship.addCatch(ends, { outputs: '{% $states.context.Execution.Input %}' });
    machine(stack, 'Catches', ship, [ship]);

    const each = fragment('Each', {
      scope: 'each',
      onDuplicateInProgress: OnInProgress.wait(Duration.minutes(5)),
    });
    const map = MapState.jsonata(stack, 'All', { items: ProvideItems.jsonata('{% $states.input.orders %}') });
    machine(stack, 'Items', map.itemProcessor(each), [each]);

    const mapped = fragment('Mapped', {
      scope: 'mapped',
      payload: '{% $states.input %}',
      keepPayload: true,
      stepInput: {
        idempotencyKey: '{% $idempotencyKey %}',
        attempt: '{% $attempt %}',
        order: '{% $states.input %}',
      },
      stepResult: '{% $states.result.body %}',
    });
    machine(stack, 'As it is', mapped, [mapped]);

    const brief = fragment('Brief', { scope: 'brief', retention: Duration.minutes(1) });
    const after = Wait.jsonata(stack, 'After', { time: WaitTime.seconds('{% $states.input.after %}') });
    const later = MapState.jsonata(stack, 'Later', {
      items: ProvideItems.jsonata('{% $states.input.orders %}'),
    });
    brief.addCatch(Pass.jsonata(stack, 'Error instead'), { outputs: '{% $states.errorOutput.Error %}' });
    machine(stack, 'Brief items', later.itemProcessor(after.next(brief)), [brief]);
  },
};

function machine(stack: Stack, id: string, body: IChainable, fragments: readonly IdempotentFragment[]): void {
  const stateMachine = new StateMachine(stack, id, {
    queryLanguage: QueryLanguage.JSONATA,
    definitionBody: DefinitionBody.fromChainable(body),
  });
  for (const one of fragments) one.grantTo(stateMachine);
  new CfnOutput(stack, `${id.replaceAll(' ', '')}Arn`, { value: stateMachine.stateMachineArn });
}

interface Run {
  readonly key: string;
  readonly attempt: number;
}

describe('IdempotentFragment', () => {
  let world: World;
  let runs: Run[];
  /** How the function answers, by what it is given. */
  let step: (run: Run) => ReturnType<World['step']>;
  let faults: Interceptor;

  beforeEach(async () => {
    world = await openWorld(TEAM);
    runs = [];
    step = () => returns({ reserved: 'order-7', run: runs.length });
    faults = noFault;
    world.faults = (call, next) => faults(call, () => (isStep(call) ? invoke(call) : next()));
  });
  afterEach(() => world.close());

  const isStep = (call: ServiceCall) => call.stateName.endsWith(': Business step');
  const invoke = async (call: ServiceCall) => {
    const { Payload } = call.arguments as unknown as {
      readonly Payload: {
        readonly idempotencyKey: string;
        readonly attempt: number;
        readonly order?: object;
      };
    };
    const { idempotencyKey: key, attempt, order } = Payload;
    const run = { key, attempt, ...(order && { order }) };
    runs.push(run);
    return step(run);
  };

  const start = async (id: string, input: Json) => {
    const stateMachineArn = world.stack.output(`${id.replaceAll(' ', '')}Arn`);
    return (await world.stack.runtime.startExecution({ stateMachineArn, input: JSON.stringify(input) }))
      .executionArn;
  };
  const run = async (id: string, input: Json = ORDER): Promise<ExecutionDescription> => {
    const executionArn = await start(id, input);
    await world.settle();
    return world.execution(executionArn);
  };
  const outputOf = ({ output }: ExecutionDescription) => JSON.parse(output ?? 'null') as Json;

  test('two in a row, delivered twice: each step once, the same result', async () => {
    const first = await run('Steps');
    const again = await run('Steps');

    expect(runs.map(({ key }) => key)).toEqual(['reserve#order-7', 'charge#order-7']);
    expect(outputOf(first)).toEqual({ reserved: 'order-7', run: 2 });
    expect(again.output).toEqual(first.output);
  });

  test.each([[[1, [2]]], [[[]]], ['text'], [null], [{ list: [] }]])(
    'the result %j: comes out of the fragment as it is, from the step and from the record',
    async result => {
      step = () => returns(result);
      expect(outputOf(await run('Catches'))).toEqual(result);
      expect(outputOf(await run('Catches'))).toEqual(result);
      expect(runs).toHaveLength(1);
    },
  );

  test('a handler as it is, and a payload that is kept: as in a workflow', async () => {
    step = () => returns({ statusCode: 200, body: { charge: runs.length } });
    const ends = [
      await run('As it is'),
      await run('As it is'),
      await run('As it is', { ...ORDER, amount: 1 }),
    ];

    expect(runs).toEqual([{ key: 'mapped#order-7', attempt: 1, order: ORDER }]);
    expect(ends.slice(0, 2).map(outputOf)).toEqual([{ charge: 1 }, { charge: 1 }]);
    expect(ends[2]).toMatchObject({ error: 'Idempotency.PayloadMismatch' });
    expect(JSON.parse(ends[2]?.cause ?? '')).toMatchObject({ differingFields: ['amount'] });
    expect(await world.record('mapped#order-7')).toMatchObject({ payload: { S: '{"orderId":"order-7"}' } });
  });

  test('a handler as it is whose answer has nothing to pick: the whole answer, but not for duplicates', async () => {
    step = () => returns('charged');

    expect(outputOf(await run('As it is'))).toBe('charged');
    expect(await run('As it is')).toMatchObject({ error: 'Idempotency.ResultUnavailable' });
    expect(runs).toHaveLength(1);
  });

  test('items of a Map with one key, at the same time: one run, the same result for each', async () => {
    step = async () => {
      await world.pause(2000);
      return returns({ run: runs.length });
    };
    const items = await run('Items', { orders: [ORDER, ORDER, ORDER, { orderId: 'order-8' }] });

    expect(runs.map(({ key }) => key).sort()).toEqual(['each#order-7', 'each#order-8']);
    const [one, two, three] = outputOf(items) as Json[];
    expect([two, three]).toEqual([one, one]);
  });

  test('items of which one has no key, its error caught: the others are not cut off, and run once', async () => {
    step = async () => {
      await world.pause(2000);
      return returns({ run: runs.length });
    };
    const orders = [
      { ...ORDER, after: 1 },
      { orderId: '', after: 1 },
    ];

    expect(outputOf(await run('Brief items', { orders }))).toEqual([{ run: 1 }, 'Idempotency.InvalidEvent']);
    expect(outputOf(await run('Brief items', { orders }))).toEqual([{ run: 1 }, 'Idempotency.InvalidEvent']);
  });

  test('items with one key that failed before: one of them takes over', async () => {
    step = () => fails('OutOfStock');
    await run('Items', { orders: [ORDER] });
    step = async () => {
      await world.pause(2000);
      return returns('reserved');
    };
    const items = await run('Items', { orders: [ORDER, ORDER, ORDER] });

    expect(outputOf(items)).toEqual(['reserved', 'reserved', 'reserved']);
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('the end of an item is written again when its record has expired and another item has claimed the key: rejected', async () => {
    let tries = 0;
    faults = async (call, next) => {
      if (call.stateName !== 'Brief: Record the result') return next();
      tries += 1;
      if (tries === 1) await next();
      if (tries === 1) return fails('DynamoDB.SdkClientException');
      if (tries === 2) await world.pause(125_000);
      return next();
    };
    const records: unknown[] = [];
    step = async () => {
      const run = runs.length;
      if (run === 2) {
        await world.pause(10_000);
        records.push((await world.record('brief#order-7'))?.['status']);
      }
      return returns({ run });
    };
    const items = await run('Brief items', {
      orders: [
        { ...ORDER, after: 1 },
        { ...ORDER, after: 122 },
      ],
    });

    expect(records).toEqual([{ S: 'IN_PROGRESS' }]);
    expect(outputOf(items)).toEqual(['Idempotency.ClaimLost', { run: 2 }]);
  });

  test.each(['Claim record', 'Record the result'])('the answer of "%s" is lost: one run', async state => {
    faults = loseFirstAnswer(`Ship: ${state}`);
    expect(await run('Catches')).toMatchObject({ status: 'SUCCEEDED' });
    expect(runs).toHaveLength(1);
  });

  test('the answer of a takeover is lost: one more run', async () => {
    step = () => fails('NoTruck');
    await run('Catches');
    step = () => returns('shipped');
    faults = loseFirstAnswer('Ship: Take over');
    expect(outputOf(await run('Catches'))).toBe('shipped');
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('stopped within the second step: a duplicate redrives the whole execution, the first does not run again', async () => {
    const owner = await stoppedIn('Steps', 'Charge: Business step');
    await world.pass(GRACE_MS);

    const redriving = await run('Steps');
    expect(redriving).toMatchObject({ status: 'FAILED', error: 'Idempotency.InProgress' });
    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
    expect(outputOf(await run('Steps'))).toEqual({ reserved: 'order-7', run: 2 });
    expect(runs.map(({ key }) => key)).toEqual(['reserve#order-7', 'charge#order-7']);
  });

  test("the step's own error: can be caught, and is tried again by the next delivery", async () => {
    step = () => fails('NoTruck', 'all trucks are on the road');
    expect(await run('Catches')).toMatchObject({ status: 'SUCCEEDED' });
    expect(await world.record('ship#order-7')).toMatchObject({
      status: { S: 'FAILED' },
      error: { S: expect.stringContaining('NoTruck') },
    });
    step = () => returns('shipped');
    expect(outputOf(await run('Catches'))).toBe('shipped');
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('its owner caught a lost end and succeeded: taken over from, when its step has certainly ended', async () => {
    faults = failing('Ship: Record the result', 'DynamoDB.InternalServerErrorException');
    expect(await run('Catches')).toMatchObject({ status: 'SUCCEEDED' });
    faults = noFault;

    expect(await run('Catches')).toMatchObject({ status: 'SUCCEEDED', output: JSON.stringify(ORDER) });
    expect(runs).toHaveLength(1);
    await world.pass(GRACE_MS);
    expect(outputOf(await run('Catches'))).toEqual({ reserved: 'order-7', run: 2 });
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('its owner caught a lost end and failed elsewhere: redriven three times, then taken over from', async () => {
    faults = failing('Ship: Record the result', 'DynamoDB.InternalServerErrorException');
    const input = { ...ORDER, fails: true };
    const owner = await start('Catches', input);
    await world.settle();
    faults = noFault;

    for (const redriveCount of [1, 2, 3]) {
      await world.pass(GRACE_MS);
      expect(await run('Catches', input)).toMatchObject({ status: 'FAILED' });
      expect(await world.execution(owner)).toMatchObject({ status: 'FAILED', redriveCount });
    }
    await world.pass(GRACE_MS);
    expect(await run('Catches', input)).toMatchObject({ status: 'SUCCEEDED' });
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('a result that text cannot hold: goes on, and is not to be had for a duplicate, which says where it is', async () => {
    const exact = { reserved: 'order-7', sum: 0.1 + 0.2 };
    step = () => returns(exact);
    expect(outputOf(await run('Steps'))).toEqual(exact);

    const { status, error, cause } = await run('Steps');
    expect({ status, error }).toEqual({ status: 'FAILED', error: 'Idempotency.ResultUnavailable' });
    expect(JSON.parse(cause ?? '')).toMatchObject({
      message: expect.stringContaining("in the history of the owner's execution"),
      idempotencyKey: 'reserve#order-7',
    });
  });

  async function stoppedIn(id: string, stateName: string): Promise<string> {
    faults = stopping(world, stateName, 'before');
    const executionArn = await start(id, ORDER);
    await world.settle();
    faults = noFault;
    expect(await world.execution(executionArn)).toMatchObject({ status: 'ABORTED' });
    return executionArn;
  }
});
