import type { ServiceResult } from '@onceflow/local';
import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Pass } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { IdempotentWorkflow, type IdempotentWorkflowProps } from '../../infra/index';
import type { Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const KEY = 'Chained#order-7';
const STEP_TIMEOUT = Duration.minutes(2);
const CHAIN = chained('chain', {});
const RETRIED = chained('chain, retried', {
  retry: { errors: ['States.ALL'], maxAttempts: 2, backoffRate: 1 },
});

/** A workflow whose step is a chain of two states. */
function chained(name: string, settings: Pick<IdempotentWorkflowProps, 'retry'>): Variant {
  const more: Variant['more'] = (stack: Stack, { table }) => {
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
      ...settings,
    });
    new CfnOutput(stack, 'ChainedArn', { value: stateMachine.stateMachineArn });
  };
  return { name, more };
}

describe('a step that is a chain', () => {
  let world: World;
  let inputs: unknown[];
  let charge: () => ServiceResult;

  async function open(variant: Variant): Promise<void> {
    world = await openWorld(variant);
    inputs = [];
    world.faults = async (call, next) => {
      if (call.stateName !== 'Charge') return next();
      inputs.push((call.arguments as { readonly Payload: unknown }).Payload);
      return charge();
    };
  }
  afterEach(() => world.close());

  async function started(): Promise<string> {
    const stateMachineArn = world.stack.output('ChainedArn');
    const input = JSON.stringify({ orderId: 'order-7' });
    const { executionArn } = await world.stack.runtime.startExecution({ stateMachineArn, input });
    await world.stack.runtime.work.idle();
    return executionArn;
  }

  test('gets key, attempt and input; what comes out of its last state is the result, also of a duplicate', async () => {
    await open(CHAIN);
    charge = () => returns('paid');
    const first = await started();
    const duplicate = await started();

    for (const arn of [first, duplicate]) {
      expect(await world.execution(arn)).toMatchObject({ status: 'SUCCEEDED', output: '{"receipt":"paid"}' });
    }
    expect(inputs).toEqual([{ idempotencyKey: KEY, attempt: 1, input: { orderId: 'order-7' } }]);
  });

  test.each(['CardDeclined', 'Lambda.SdkClientException', 'States.Timeout'])(
    'fails by %s: no delivery starts it before nothing of it can be working any more, then it runs again',
    async error => {
      await open(CHAIN);
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

  test('retried, and fails twice, its answer lost: runs again when nothing of it can be working, as the same attempt', async () => {
    await open(RETRIED);
    charge = () => fails('Lambda.SdkClientException');
    const execution = await started();
    for (const runs of [1, 2]) {
      await world.pass(STEP_TIMEOUT.toMilliseconds() - 1);
      expect(inputs).toHaveLength(runs);
      expect(await world.execution(await started())).toMatchObject({ error: 'Idempotency.InProgress' });
      if (runs === 2) charge = () => returns('paid');
      await world.pass(1);
    }

    expect(await world.execution(execution)).toMatchObject({
      status: 'SUCCEEDED',
      output: '{"receipt":"paid"}',
    });
    expect(inputs).toMatchObject([{ attempt: 1 }, { attempt: 1 }, { attempt: 1 }]);
  });

  test('retried, and fails to the last: recorded when nothing of the last run can be working, and runs again then', async () => {
    await open(RETRIED);
    charge = () => fails('CardDeclined');
    const execution = await started();
    await world.pass(3 * STEP_TIMEOUT.toMilliseconds() - 1);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'IN_PROGRESS' } });

    await world.pass(1);
    expect(await world.execution(execution)).toMatchObject({ status: 'FAILED', error: 'CardDeclined' });
    charge = () => returns('paid');
    await started();
    expect(inputs).toMatchObject([{ attempt: 1 }, { attempt: 1 }, { attempt: 1 }, { attempt: 2 }]);
  });
});
