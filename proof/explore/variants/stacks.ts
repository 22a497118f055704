import { type App, Duration, Stack } from 'aws-cdk-lib';
import { Code, type IFunction, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Fail, type IChainable, TaskInput, Timeout, Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import {
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  OnFailed,
  OnInProgress,
  Redrive,
} from '../../../infra/index';
import { VARIANTS, type VariantName } from './variants';

/** For how long what the chain has begun may work on: the timeout of its function, and what a start takes. */
const CHAIN_TIMEOUT = Duration.seconds(40);

/** What each variant sets otherwise than the reference app. */
type Settings = Partial<IdempotentWorkflowProps>;

const SETTINGS: Readonly<Record<VariantName, Settings | ((stack: Stack, charge: IFunction) => Settings)>> = {
  express: { type: 'EXPRESS' },
  'at-most-once': { delivery: 'at-most-once' },
  'stored-failure': { onFailedBefore: OnFailed.returnStoredFailure() },
  wait: { onDuplicateInProgress: OnInProgress.wait(Duration.seconds(3)) },
  'composite-key': { idempotencyKey: ['{% $states.input.detail.orderId %}', '{% $states.input.source %}'] },
  timeout: { timeout: Duration.hours(1) },
  'redrive-direct': { redrive: Redrive.direct() },
  chain: (stack, charge) => ({ step: chainOf(stack, charge), stepTimeout: CHAIN_TIMEOUT }),
};

/** Charges, and lets that settle. Whatever goes wrong has one name then, also where the function works on. */
function chainOf(stack: Stack, charge: IFunction): IChainable {
  const task = LambdaInvoke.jsonata(stack, 'Charge', {
    lambdaFunction: charge,
    payload: TaskInput.fromText('{% $states.input %}'),
    outputs: '{% $states.result.Payload %}',
    taskTimeout: Timeout.duration(CHAIN_TIMEOUT),
    retryOnServiceExceptions: false,
  });
  task.addCatch(Fail.jsonata(stack, 'Not charged', { error: 'PaymentDeclined' }));
  return task.next(Wait.jsonata(stack, 'Settle', { time: WaitTime.duration(Duration.seconds(5)) }));
}

/** Defines a stack for each variant, under its name. */
export function defineVariants(app: App): void {
  for (const { name } of VARIANTS) {
    const stack = new Stack(app, name);
    const charge = new LambdaFunction(stack, 'ChargePaymentFunction', {
      runtime: Runtime.NODEJS_22_X,
      handler: 'index.handler',
      code: Code.fromInline('exports.handler = async () => ({})'),
      timeout: Duration.seconds(10),
    });
    const settings = SETTINGS[name];
    new IdempotentWorkflow(stack, 'ChargePayment', {
      idempotencyKey: '{% $states.input.detail.orderId %}',
      payload: "{% $states.input.detail.{'amount': amount, 'currency': currency} %}",
      step: charge,
      ...(typeof settings === 'function' ? settings(stack, charge) : settings),
    });
  }
}
