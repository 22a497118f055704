import type { Stack } from 'aws-cdk-lib';
import {
  DefinitionBody,
  type IChainable,
  Parallel,
  QueryLanguage,
  StateMachine,
} from 'aws-cdk-lib/aws-stepfunctions';
import { IdempotentFragment, RecordTable, Recovery, type Step } from 'onceflow';

/** A team's own state machine, whose first step runs once per order. */
export function orders(stack: Stack, reserveFunction: Step, ship: IChainable): StateMachine {
  // #region fragment
  const table = new RecordTable(stack, 'Records');
  const reserve = new IdempotentFragment(stack, 'Reserve', {
    table,
    idempotencyKey: '{% $states.input.orderId %}',
    step: reserveFunction,
  });
  const orders = new StateMachine(stack, 'Orders', {
    queryLanguage: QueryLanguage.JSONATA,
    definitionBody: DefinitionBody.fromChainable(reserve.next(ship)),
  });
  reserve.grantTo(orders);
  // #endregion
  // #region recovery
  const recovery = Recovery.of(orders);
  recovery.stateMachine.metricFailed().createAlarm(stack, 'GivenUp', { threshold: 1, evaluationPeriods: 1 });
  // #endregion
  return orders;
}

/** The same in a state machine in JSONPath, which keeps the order beside the reservation. */
export function ordersInJsonPath(stack: Stack, reserve: IdempotentFragment, ship: IChainable): StateMachine {
  // #region jsonpath
  const reserved = new Parallel(stack, 'Reserve and keep the order', {
    resultSelector: { 'id.$': '$[0].reservationId' },
    resultPath: '$.reservation',
  });
  const orders = new StateMachine(stack, 'Orders', {
    definitionBody: DefinitionBody.fromChainable(reserved.branch(reserve).next(ship)),
  });
  reserve.grantTo(orders);
  // #endregion
  return orders;
}
