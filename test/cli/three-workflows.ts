import { Duration, type Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { IdempotentWorkflow, Recovery } from '../../infra/index';
import { STEP_TIMEOUT_MS, type Variant } from '../support/variant';

export const SCOPES = ['ChargePayment', 'RefundPayment', 'SendInvoice'] as const;
/** Three workflows on one table, and a queue with its dead-letter queue. */
export const THREE_WORKFLOWS: Variant = {
  name: 'three workflows at night',
  more: (stack, workflow) => {
    another(stack, workflow, 'RefundPayment');
    another(stack, workflow, 'SendInvoice');
    new Queue(stack, 'Inbox', {
      queueName: 'invoices',
      deadLetterQueue: {
        queue: new Queue(stack, 'Dead', { queueName: 'invoices-dead' }),
        maxReceiveCount: 1,
      },
    });
  },
};

/** As long as its function may run for one order, and at once for all others. */
const STEP = `exports.handler = async ({ input }) =>
  input.detail.orderId === 'cut-off' ? new Promise(done => setTimeout(done, ${STEP_TIMEOUT_MS - 500})) : 1`;

function another(stack: Stack, { table }: IdempotentWorkflow, id: string): void {
  new IdempotentWorkflow(stack, id, {
    idempotencyKey: '{% $states.input.detail.orderId %}',
    payload: "{% $states.input.detail.{'amount': amount} %}",
    table,
    recovery: Recovery.none(),
    step: new LambdaFunction(stack, `${id}Step`, {
      runtime: Runtime.NODEJS_22_X,
      handler: 'index.handler',
      code: Code.fromInline(STEP),
      timeout: Duration.millis(STEP_TIMEOUT_MS),
    }),
  });
}
