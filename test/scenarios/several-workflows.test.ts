import { CfnOutput } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { IdempotentWorkflow, Recovery, Source } from '../../infra/index';
import { openWorld, type World } from '../support/world';

const HOUR = 3_600_000;
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };

/** The template has the texts of their definitions once. */
describe('two workflows of one stack', () => {
  let world: World;
  let refundArn: string;
  beforeEach(async () => {
    world = await openWorld({
      name: 'with another workflow',
      workflow: { recovery: Recovery.automatic() },
      more: stack => {
        const refund = new IdempotentWorkflow(stack, 'RefundPayment', {
          idempotencyKey: '{% $states.input.detail.refundId %}',
          payload: "{% $states.input.detail.{'amount': amount, 'currency': currency} %}",
          step: stack.node.findChild('ChargePaymentFunction') as LambdaFunction,
        });
        refund.startFrom(
          Source.eventBridge(EventBus.fromEventBusName(stack, 'Refunds', 'default'), { source: ['refunds'] }),
        );
        new CfnOutput(stack, 'RefundArn', { value: refund.stateMachine.stateMachineArn });
      },
    });
    refundArn = world.stack.output('RefundArn');
  });
  afterEach(() => world.close());

  const isRefund = (executionArn: string) => executionArn.includes('RefundPayment');

  async function refund(detail: object): Promise<string> {
    const input = JSON.stringify({ detail });
    return (await world.stack.runtime.startExecution({ stateMachineArn: refundArn, input })).executionArn;
  }

  test('each goes by its own key, and by the records of its own table', async () => {
    await world.delivered(ORDER);
    const executionArn = await refund({ ...ORDER, refundId: 'refund-3' });
    await world.settle();

    expect(world.runs.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      'ChargePayment#order-7',
      'RefundPayment#refund-3',
    ]);
    expect(await world.execution(executionArn)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await world.record('RefundPayment#refund-3')).toBeUndefined();
    expect(await world.record('ChargePayment#order-7')).toMatchObject({ status: { S: 'COMPLETED' } });
  });

  test('one workflow is deleted with its recovery: the other one completes its keys, and its search goes on', async () => {
    world.faults = async (call, next) => {
      const { executionArn } = call;
      if (call.stateName !== 'Record the result' || (await world.execution(executionArn)).redriveCount > 0) {
        return next();
      }
      void world.stop(executionArn);
      return world.never();
    };
    const charged = await world.deliver(ORDER);
    await refund({ ...ORDER, refundId: 'refund-3' });
    const { machines } = world.stack.runtime;
    const arns = () => machines.items().map(item => item.machine.arn);
    const deleted = arns().filter(isRefund);
    for (const stateMachineArn of deleted) machines.delete(stateMachineArn);
    await world.pass(2 * HOUR);

    expect(deleted).toHaveLength(4);
    expect(await world.execution(charged)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
    expect(await world.record('ChargePayment#order-7')).toMatchObject({ status: { S: 'COMPLETED' } });
    const stateMachineArn = arns().find(arn => /ChargePaymentRecoverySearch/.test(arn)) ?? '';
    const { executions: searches } = await world.stack.runtime.listExecutions({ stateMachineArn });
    expect(new Set(searches.map(({ status }) => status))).toEqual(new Set(['SUCCEEDED']));
    expect(searches.length).toBeGreaterThanOrEqual(2);
  });

  test('one recovery is denied everything: the other one completes its keys in its time', async () => {
    world.faults = async (call, next) => {
      const { executionArn } = call;
      if (isRefund(executionArn) && executionArn.includes('Recovery'))
        return { kind: 'failed', error: 'States.TaskFailed', cause: 'denied' };
      if (
        call.stateName === 'Record the result' &&
        (await world.execution(executionArn)).redriveCount === 0
      ) {
        void world.stop(executionArn);
        return world.never();
      }
      return next();
    };
    const charged = await world.deliver(ORDER);
    const refunded = await refund({ ...ORDER, refundId: 'refund-3' });
    await world.pass(HOUR / 2);

    expect(await world.execution(charged)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
    expect(await world.record('ChargePayment#order-7')).toMatchObject({ status: { S: 'COMPLETED' } });
    expect(await world.execution(refunded)).toMatchObject({ status: 'ABORTED', redriveCount: 0 });

    world.faults = (_, next) => next();
    await world.settle();
    expect(await world.execution(refunded)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
    expect(world.runs).toHaveLength(2);
  });
});
