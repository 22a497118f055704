import type { ServiceResult } from '@onceflow/local';
import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Pass } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { IdempotentWorkflow } from '../../infra/index';
import type { Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const KEY = 'Chained#order-7';
const STEP_TIMEOUT = Duration.minutes(2);
const CHAIN: Variant = {
  name: 'chain',
  more: (stack: Stack, { table }) => {
    const charge = LambdaInvoke.jsonata(stack, 'Charge', {
      lambdaFunction: stack.node.findChild('ChargePaymentFunction') as unknown as IFunction,
      outputs: '{% $states.result.Payload %}',
      retryOnServiceExceptions: false,
    });
    const { stateMachine } = new IdempotentWorkflow(stack, 'Chained', {
      table,
      idempotencyKey: '{% $states.input.orderId %}',
      step: charge.next(Pass.jsonata(stack, 'Receipt', { outputs: "{% {'receipt': $states.input} %}" })),
      stepTimeout: STEP_TIMEOUT,
    });
    new CfnOutput(stack, 'ChainedArn', { value: stateMachine.stateMachineArn });
  },
};

describe('a step that is a chain', () => {
  let world: World;
  let inputs: unknown[];
  let charge: () => ServiceResult;

  beforeEach(async () => {
    world = await openWorld(CHAIN);
    inputs = [];
    world.faults = async (call, next) => {
      if (call.stateName !== 'Charge') return next();
      inputs.push((call.arguments as { readonly Payload: unknown }).Payload);
      return charge();
    };
  });
  afterEach(() => world.close());

  async function started(): Promise<string> {
    const stateMachineArn = world.stack.output('ChainedArn');
    const input = JSON.stringify({ orderId: 'order-7' });
    const { executionArn } = await world.stack.runtime.startExecution({ stateMachineArn, input });
    await world.stack.runtime.idle();
    return executionArn;
  }

  test('gets key, attempt and input; what comes out of its last state is the result, also of a duplicate', async () => {
    charge = () => returns('paid');
    const first = await started();
    const duplicate = await started();

    for (const arn of [first, duplicate]) {
      expect(await world.execution(arn)).toMatchObject({ status: 'SUCCEEDED', output: '{"receipt":"paid"}' });
    }
    expect(inputs).toEqual([{ idempotencyKey: KEY, attempt: 1, input: { orderId: 'order-7' } }]);
  });

  test.each(['CardDeclined', 'Lambda.SdkClientException', 'States.Timeout'])(
    'fails by %s: nobody starts it before nothing of it can be working any more, then it runs again',
    async error => {
      charge = () => fails(error);
      const failed = await started();
      await world.pass(STEP_TIMEOUT.toMilliseconds() - 1);

      expect(await world.record(KEY)).toMatchObject({ status: { S: 'IN_PROGRESS' } });
      expect(await world.execution(await started())).toMatchObject({ error: 'Idempotency.InProgress' });

      await world.pass(1);
      expect(await world.execution(failed)).toMatchObject({ status: 'FAILED', error });
      charge = () => returns('paid');
      expect(await world.execution(await started())).toMatchObject({ output: '{"receipt":"paid"}' });
      expect(inputs).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
    },
  );
});
