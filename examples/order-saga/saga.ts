import { Duration } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Fail, type IChainable } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { IdempotentFragment, OnFailed, OnInProgress, type RecordTable } from 'onceflow';
import { ERROR } from 'onceflow/contract';
import { DECIDED_OTHERWISE, decide } from './outcome';

/** A step, and what takes it back. */
export interface Action {
  readonly forward: IFunction;
  readonly undo: IFunction;
}

/** What the saga is made of. */
export interface SagaProps {
  readonly orders: Table;
  readonly records: RecordTable;
  readonly stock: Action;
  readonly payment: Action;
  readonly shipping: Action;
}

/** The start of the saga, and its fragments, which ask for the machine's permissions. */
export interface Saga {
  readonly start: IChainable;
  readonly fragments: readonly IdempotentFragment[];
}

/**
 * A text, as the orders' table has it; any other value is not an order, and is rejected with
 * `Idempotency.InvalidEvent`.
 */
const BY_ORDER = "{% $type($states.input.orderId) = 'string' ? $states.input.orderId %}";
/** What an order must not change when it comes again. */
const WANTED = "{% $states.input.{'quantity': quantity, 'amount': amount, 'country': country} %}";
/** Longer than a step that was cut off may still be working, 40 s: who waits so long can bring its owner back. */
const WAIT = OnInProgress.wait(Duration.minutes(5));

const FAILURE = {
  assign: {
    error: '{% $states.errorOutput.Error %}',
    cause: "{% $exists($states.errorOutput.Cause) ? $states.errorOutput.Cause : '' %}",
  },
  outputs: '{% $states.input %}',
};

/**
 * Reserve, charge, ship, then decide that the order is done; or, after a failure, decide that it is undone, and take
 * all three back, the last first.
 */
export function saga(scope: Construct, { orders, records, stock, payment, shipping }: SagaProps): Saga {
  const shared = { table: records, idempotencyKey: BY_ORDER, onDuplicateInProgress: WAIT };
  const step = (id: string, recordScope: string, { forward }: Action, payload?: { payload: string }) =>
    new IdempotentFragment(scope, id, {
      ...shared,
      ...payload,
      scope: recordScope,
      step: forward,
      onFailedBefore: OnFailed.returnStoredFailure(),
    });
  const reserve = step('Reserve', 'reserve', stock, { payload: WANTED });
  const charge = step('Charge', 'charge', payment);
  const ship = step('Ship', 'ship', shipping);

  const back = (id: string, recordScope: string, { undo }: Action) =>
    new IdempotentFragment(scope, id, {
      ...shared,
      scope: recordScope,
      step: undo,
      onFailedBefore: OnFailed.retry(),
    }).addRetry({ interval: Duration.seconds(10), backoffRate: 2, maxAttempts: 5 });
  const undoShip = back('Undo ship', 'ship-undo', shipping);
  const undoCharge = back('Undo charge', 'charge-undo', payment);
  const undoReserve = back('Undo reserve', 'reserve-undo', stock);

  const done = decide(scope, 'DONE', orders);
  const undone = decide(scope, 'UNDONE', orders);
  const orderUndone = Fail.jsonata(scope, 'Order undone', { error: 'OrderUndone', cause: '{% $error %}' });
  const open = Fail.jsonata(scope, 'Nothing decided', { error: '{% $error %}', cause: '{% $cause %}' });

  reserve.next(charge).next(ship).next(done);
  undone.next(undoShip).next(undoCharge).next(undoReserve).next(orderUndone);
  for (const one of [reserve, charge, ship]) {
    // Another execution is at it, or this is not the order of this id: nothing has failed that had to be undone.
    one.addCatch(open, { errors: Object.values(ERROR), ...FAILURE });
    one.addCatch(undone, FAILURE);
  }
  done.addCatch(undone, { errors: [DECIDED_OTHERWISE], ...FAILURE });
  // Another execution did the work that failed here: a sender that delivers the order again gets its results.
  undone.addCatch(open, { errors: [DECIDED_OTHERWISE], outputs: '{% $states.input %}' });
  return { start: reserve, fragments: [reserve, charge, ship, undoShip, undoCharge, undoReserve] };
}
