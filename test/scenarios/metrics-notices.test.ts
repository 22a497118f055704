import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { FailureDestination, Recovery } from '../../infra/index';
import { totalsOf } from '../support/cloudwatch/cloudwatch';
import { failing, noFault } from '../support/faults';
import type { Variant } from '../support/variant';
import { fails, openWorld } from '../support/world';

describe('the notices of a workflow with a failure destination', () => {
  const variant: Variant = {
    name: 'measured notices',
    workflow: { metrics: true, recovery: Recovery.none() },
    settings: stack => ({ onFailure: FailureDestination.queue(new Queue(stack, 'Failures')) }),
    more: (stack, payments) => {
      const metrics = { sent: payments.metricNoticesSent(), unsent: payments.metricNoticesUnsent() };
      for (const [id, metric] of Object.entries(metrics))
        new Alarm(stack, id, { metric, threshold: 1, evaluationPeriods: 1 });
    },
  };

  test('two are sent, one after some tries; one is rejected for hours, and sent by a redrive', async () => {
    const world = await openWorld(variant);
    const figures = () => [...totalsOf(world, variant)];
    try {
      world.step = () => fails('Shop.CardDeclined');
      await world.delivered({ orderId: 'order-1', amount: 1, currency: 'EUR' });
      world.faults = async (call, next) =>
        call.stateName === 'Send failure' && call.retryCount < 3 ? fails('SQS.SdkClientException') : next();
      await world.delivered({ orderId: 'order-2', amount: 1, currency: 'EUR' });
      expect(figures()).toEqual([
        ['sent', 2],
        ['unsent', 0],
      ]);
      world.faults = failing('Send failure', 'SQS.SdkClientException');
      const { executionArn } = await world.delivered({ orderId: 'order-3', amount: 1, currency: 'EUR' });
      expect(figures()).toEqual([
        ['sent', 2],
        ['unsent', 1],
      ]);
      world.faults = noFault;
      await world.stack.runtime.redriveExecution({ executionArn });
      await world.settle();
      expect(figures()).toEqual([
        ['sent', 3],
        ['unsent', 1],
      ]);
    } finally {
      await world.close();
    }
  });
});
