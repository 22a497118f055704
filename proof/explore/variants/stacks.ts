import { type App, Duration, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import {
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  OnFailed,
  OnInProgress,
} from '../../../infra/index';
import { VARIANTS, type VariantName } from './variants';

/** What each variant sets otherwise than the reference app. */
const SETTINGS: Readonly<Record<VariantName, Partial<IdempotentWorkflowProps>>> = {
  express: { type: 'EXPRESS' },
  'at-most-once': { delivery: 'at-most-once' },
  'stored-failure': { onFailedBefore: OnFailed.returnStoredFailure() },
  wait: { onDuplicateInProgress: OnInProgress.wait(Duration.seconds(3)) },
  'composite-key': { idempotencyKey: ['{% $states.input.detail.orderId %}', '{% $states.input.source %}'] },
  timeout: { timeout: Duration.hours(1) },
};

/** Defines a stack for each variant, under its name. */
export function defineVariants(app: App): void {
  for (const { name } of VARIANTS) {
    const stack = new Stack(app, name);
    new IdempotentWorkflow(stack, 'ChargePayment', {
      idempotencyKey: '{% $states.input.detail.orderId %}',
      payload: "{% $states.input.detail.{'amount': amount, 'currency': currency} %}",
      step: new LambdaFunction(stack, 'ChargePaymentFunction', {
        runtime: Runtime.NODEJS_22_X,
        handler: 'index.handler',
        code: Code.fromInline('exports.handler = async () => ({})'),
        timeout: Duration.seconds(10),
      }),
      ...SETTINGS[name],
    });
  }
}
