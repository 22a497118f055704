import { Duration, type Stack } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import {
  FailureDestination,
  IdempotentWorkflow,
  OnFailed,
  OnInProgress,
  Recovery,
  type Step,
  SuccessDestination,
} from 'onceflow';

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

/** A step that is tried again at once where it knows that it has done nothing. */
export function retries(stack: Stack, step: Step): IdempotentWorkflow {
  // #region retry
  return new IdempotentWorkflow(stack, 'BookCourier', {
    idempotencyKey,
    step,
    retry: {
      errors: ['CourierBusy'],
      interval: Duration.seconds(10),
      maxAttempts: 5,
      maxDelay: Duration.minutes(2),
    },
  });
  // #endregion
}

/** An operator is notified of each failure, and of events that are rejected for good. */
export function tells(stack: Stack, step: Step, failures: IQueue): IdempotentWorkflow {
  // #region on-failure
  return new IdempotentWorkflow(stack, 'SendInvoice', {
    idempotencyKey,
    step,
    onFailure: FailureDestination.queue(failures, { rejections: true }),
  });
  // #endregion
}

/** The team is notified of each result. */
export function tellsResults(stack: Stack, step: Step, bus: IEventBus): IdempotentWorkflow {
  // #region on-success
  return new IdempotentWorkflow(stack, 'ReserveStock', {
    idempotencyKey,
    step,
    onSuccess: SuccessDestination.eventBus(bus),
  });
  // #endregion
}

/** A step that never runs again automatically if its end is unknown. */
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

/** A workflow whose failed steps are run again by themselves. */
export function redelivers(stack: Stack, step: Step): IdempotentWorkflow {
  // #region redeliver
  return new IdempotentWorkflow(stack, 'ChargePayment', {
    idempotencyKey,
    step,
    recovery: Recovery.automatic({ redeliverFailed: { maxAttempts: 10, delay: Duration.minutes(5) } }),
  });
  // #endregion
}

/** A workflow whose interrupted executions are resumed automatically. */
export function recovers(stack: Stack, step: Step): IdempotentWorkflow {
  // #region recovery
  return new IdempotentWorkflow(stack, 'ChargePayment', {
    idempotencyKey,
    step,
    recovery: Recovery.automatic({ searchEvery: Duration.minutes(15) }),
  });
  // #endregion
}
