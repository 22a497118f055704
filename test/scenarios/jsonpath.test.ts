import { replayHistory, type ServiceResult } from '@onceflow/local';
import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import {
  Choice,
  Condition,
  DefinitionBody,
  type IChainable,
  JsonPath,
  Map as MapState,
  Parallel,
  Pass,
  Result,
  StateMachine,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { IdempotentFragment, IdempotentWorkflow } from '../../infra/index';
import type { Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const STEP_TIMEOUT = Duration.minutes(2);
const ORDER = { orderId: 'order-7', lines: ['pen', 'ink'] };

/** Charges, and prices each line, in JSONPath; the receipt is written in JSONata. */
function chargeIn(stack: Stack, id: string): IChainable {
  const charge = new LambdaInvoke(stack, `${id}: charge`, {
    lambdaFunction: stack.node.findChild('ChargePaymentFunction') as unknown as IFunction,
    resultSelector: { 'id.$': '$.Payload.id' },
    resultPath: '$.charge',
    retryOnServiceExceptions: false,
  });
  const settle = new Wait(stack, `${id}: settle`, { time: WaitTime.duration(Duration.seconds(5)) });
  const each = new MapState(stack, `${id}: each line`, {
    itemsPath: '$.input.lines',
    itemSelector: { 'line.$': '$$.Map.Item.Value', 'key.$': '$idempotencyKey' },
    resultPath: '$.lines',
  }).itemProcessor(
    new Pass(stack, `${id}: a line`, {
      parameters: { 'text.$': "States.Format('{} of {}', $.line, $.key)" },
      outputPath: '$.text',
    }),
  );
  const none = new Pass(stack, `${id}: no lines`, { result: Result.fromArray([]), resultPath: '$.lines' });
  const receipt = Pass.jsonata(stack, `${id}: receipt`, {
    outputs: "{% {'paid': $states.input.charge.id, 'lines': $states.input.lines, 'attempt': $attempt} %}",
  });
  none.next(receipt);
  const hasLines = new Choice(stack, `${id}: has lines?`)
    .when(Condition.isPresent('$.input.lines[0]'), each.next(receipt))
    .otherwise(none);
  return charge.next(settle).next(hasLines);
}

const TEAM: Variant = {
  name: 'a step in JSONPath',
  more: (stack, { table }) => {
    const { stateMachine } = new IdempotentWorkflow(stack, 'Chained', {
      table,
      idempotencyKey: '{% $states.input.orderId %}',
      step: chargeIn(stack, 'Chained'),
      stepTimeout: STEP_TIMEOUT,
    });
    new CfnOutput(stack, 'ChainedArn', { value: stateMachine.stateMachineArn });

    const fragment = new IdempotentFragment(stack, 'Pay', {
      table,
      idempotencyKey: '{% $states.input.orderId %}',
      step: chargeIn(stack, 'Paid'),
      stepTimeout: STEP_TIMEOUT,
    });
    const caught = new Pass(stack, 'Not paid', { parameters: { 'why.$': '$.error.Error' } });
    fragment.addCatch(caught, { outputs: '{% $merge([$states.input, {"error": $states.errorOutput}]) %}' });
    const both = new Parallel(stack, 'Pay and keep the order', {
      resultSelector: { 'of.$': '$[0]' },
      resultPath: '$.payment',
    }).branch(fragment);
    const told = new Pass(stack, 'Tell', {
      parameters: { 'order.$': '$.orderId', 'payment.$': '$.payment.of' },
      resultPath: JsonPath.entirePayload,
    });
    const orders = new StateMachine(stack, 'OrdersInJsonPath', {
      definitionBody: DefinitionBody.fromChainable(both.next(told)),
    });
    fragment.grantTo(orders);
    new CfnOutput(stack, 'OrdersArn', { value: orders.stateMachineArn });
  },
};

describe('JSONPath', () => {
  let world: World;
  let inputs: unknown[];
  let charge: () => ServiceResult;

  beforeEach(async () => {
    world = await openWorld(TEAM);
    inputs = [];
    charge = () => returns({ id: `charge-${inputs.length}` });
    world.faults = async (call, next) => {
      if (!call.stateName.endsWith(': charge')) return next();
      inputs.push((call.arguments as { readonly Payload: unknown }).Payload);
      return charge();
    };
  });
  afterEach(() => world.close());

  async function start(machine: 'Chained' | 'Orders', input: object = ORDER): Promise<string> {
    const stateMachineArn = world.stack.output(`${machine}Arn`);
    const { executionArn } = await world.stack.runtime.startExecution({
      stateMachineArn,
      input: JSON.stringify(input),
    });
    await world.stack.runtime.work.idle();
    return executionArn;
  }

  async function run(machine: 'Chained' | 'Orders', input: object = ORDER) {
    const executionArn = await start(machine, input);
    await world.settle();
    const { status, output, error } = await world.execution(executionArn);
    return { executionArn, status, error, output: output && JSON.parse(output) };
  }

  const RECEIPT = {
    paid: 'charge-1',
    lines: ['pen of Chained#order-7', 'ink of Chained#order-7'],
    attempt: 1,
  };

  describe('a step that is a chain in JSONPath', () => {
    test('reads its input and the variables around it; what comes out is the result, also of a duplicate', async () => {
      const [first, duplicate] = [await run('Chained'), await run('Chained')];

      expect(first).toMatchObject({ status: 'SUCCEEDED', output: RECEIPT });
      expect(duplicate).toMatchObject({ status: 'SUCCEEDED', output: RECEIPT });
      expect(inputs).toEqual([{ idempotencyKey: 'Chained#order-7', attempt: 1, input: ORDER }]);
    });

    test('what is not there is asked for: the other way', async () => {
      const { output } = await run('Chained', { orderId: 'order-8' });

      expect(output).toEqual({ paid: 'charge-1', lines: [], attempt: 1 });
    });

    test('fails: recorded when nothing of it can be working, and runs again as the next attempt', async () => {
      charge = () => fails('CardDeclined', 'no funds');
      const failed = await run('Chained');
      charge = () => returns({ id: 'charge-2' });
      const next = await run('Chained');

      expect(failed).toMatchObject({ status: 'FAILED', error: 'CardDeclined' });
      expect(next.output).toMatchObject({ paid: 'charge-2', attempt: 2 });
      expect(world.clock.now() - Date.parse('2026-11-20T09:00:00.000Z')).toBeGreaterThanOrEqual(
        STEP_TIMEOUT.toMilliseconds(),
      );
    });

    test('stopped behind its function: resumes there, and that does not run again', async () => {
      const owner = await start('Chained');
      await world.stop(owner);
      await world.pass(STEP_TIMEOUT.toMilliseconds());
      const delivery = await run('Chained');

      expect(delivery.error).toBe('Idempotency.InProgress');
      expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
      expect(inputs).toHaveLength(1);
    });

    test('replayed from its history: the same way', async () => {
      const { executionArn } = await run('Chained');
      const { runtime } = world.stack;
      const { events } = await runtime.getExecutionHistory({ executionArn, maxResults: 1000 });
      const { definitionText: definition } = runtime.choiceOf(executionArn).machine;

      expect(replayHistory({ definition, history: JSON.stringify({ events }) })).toMatchObject({
        kind: 'same',
        status: 'SUCCEEDED',
      });
    });
  });

  describe('an IdempotentFragment in a state machine in JSONPath', () => {
    test('delivered twice: its step, in JSONPath, once; a path puts its result beside the input', async () => {
      const [first, again] = [await run('Orders'), await run('Orders')];

      const payment = { ...RECEIPT, lines: ['pen of Pay#order-7', 'ink of Pay#order-7'] };
      expect(first.output).toEqual({ order: 'order-7', payment });
      expect(again.output).toEqual({ order: 'order-7', payment });
      expect(inputs).toHaveLength(1);
    });

    test('its step fails: the catcher hands the error on beside the input, and paths read it', async () => {
      charge = () => fails('CardDeclined');

      expect((await run('Orders')).output).toEqual({ order: 'order-7', payment: { why: 'CardDeclined' } });
    });
  });
});
