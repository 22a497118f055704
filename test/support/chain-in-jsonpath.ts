import { Duration, type Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Pass } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { IdempotentWorkflowProps } from '../../infra/index';
import type { Variant } from './variant';

/** For how long a chain may work on when it has failed, milliseconds. */
export const CHAIN_TIMEOUT_MS = 120_000;

/** The state that calls the function of the chain. Its result needs the member `id` of the function's answer. */
export const CALL = 'Charge';

/** The workflow of the reference app with a chain in JSONPath as its step: its result is `{ id }`. */
export function chainInJsonPath(name: string, more: Partial<IdempotentWorkflowProps> = {}): Variant {
  const settings = (stack: Stack) => {
    const charge = new LambdaInvoke(stack, CALL, {
      lambdaFunction: stack.node.findChild('ChargePaymentFunction') as unknown as IFunction,
      resultSelector: { 'id.$': '$.Payload.id' },
      resultPath: '$.charge',
      retryOnServiceExceptions: false,
    });
    const step = charge.next(new Pass(stack, 'Receipt', { outputPath: '$.charge' }));
    return { step, stepTimeout: Duration.millis(CHAIN_TIMEOUT_MS), ...more };
  };
  return { name, settings };
}
