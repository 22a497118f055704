import { Duration, type Stack } from 'aws-cdk-lib';
import { IdempotentWorkflow, OnFailed, OnInProgress, Recovery, type Step } from 'onceflow';

const idempotencyKey = '{% $states.input.detail.orderId %}';

/** A duplicate waits for the first delivery's result, and a failure is final. */
export function waits(stack: Stack, step: Step): IdempotentWorkflow {
  // #region wait-and-return
  return new IdempotentWorkflow(stack, 'ReserveStock', {
    idempotencyKey,
    step,
    onDuplicateInProgress: OnInProgress.wait(Duration.minutes(5)),
    onFailedBefore: OnFailed.returnStoredFailure(),
  });
  // #endregion
}

/** A step that never runs again by itself when nobody knows how it ended. */
export function atMostOnce(stack: Stack, step: Step): IdempotentWorkflow {
  // #region at-most-once
  return new IdempotentWorkflow(stack, 'PayOut', {
    idempotencyKey,
    step,
    delivery: 'at-most-once',
  });
  // #endregion
}

/** A workflow that answers its caller within two minutes. */
export function express(stack: Stack, step: Step): IdempotentWorkflow {
  // #region express
  return new IdempotentWorkflow(stack, 'Quote', {
    idempotencyKey,
    step,
    type: 'EXPRESS',
    timeout: Duration.minutes(2),
  });
  // #endregion
}

/** A workflow whose dead executions are brought to their end by themselves. */
export function recovers(stack: Stack, step: Step): IdempotentWorkflow {
  // #region recovery
  return new IdempotentWorkflow(stack, 'ChargePayment', {
    idempotencyKey,
    step,
    recovery: Recovery.automatic({ searchEvery: Duration.minutes(15) }),
  });
  // #endregion
}
