import { Duration, type Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { TaskInput } from 'aws-cdk-lib/aws-stepfunctions';
import {
  DynamoAttributeValue,
  DynamoReturnValues,
  DynamoUpdateItem,
  EventBridgePutEvents,
  SqsSendMessage,
} from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { IdempotentWorkflow, type StepEvent } from 'onceflow';

const idempotencyKey = '{% $states.input.detail.orderId %}';
/** Nothing that is sent is on its way for longer. */
const stepTimeout = Duration.minutes(1);

/** A step that sends to a FIFO queue, which drops what it is sent again within five minutes. */
export function packs(stack: Stack, parcels: IQueue): IdempotentWorkflow {
  // #region queue
  const send = SqsSendMessage.jsonata(stack, 'Have it packed', {
    queue: parcels,
    messageGroupId: '{% $states.input.input.detail.orderId %}',
    // A key may be longer than the 128 characters that an ID has, and have others in it.
    messageDeduplicationId: "{% $hash($states.input.idempotencyKey, 'SHA-256') %}",
    messageBody: TaskInput.fromObject({
      idempotencyKey: '{% $states.input.idempotencyKey %}',
      order: '{% $states.input.input.detail %}',
    }),
  });
  return new IdempotentWorkflow(stack, 'Pack', { idempotencyKey, stepTimeout, step: send });
  // #endregion
}

/** A step that writes into a table of the team's own: what is there already stays. */
export function reserves(stack: Stack, seats: ITable): IdempotentWorkflow {
  // #region table
  const text = (jsonata: string) => DynamoAttributeValue.fromString(`{% ${jsonata} %}`);
  const write = DynamoUpdateItem.jsonata(stack, 'Reserve the seat', {
    table: seats,
    key: { seat: text('$states.input.input.detail.seat') },
    updateExpression:
      'SET reservedBy = if_not_exists(reservedBy, :key), reservedAt = if_not_exists(reservedAt, :now)',
    expressionAttributeValues: { ':key': text('$states.input.idempotencyKey'), ':now': text('$now()') },
    returnValues: DynamoReturnValues.ALL_NEW,
    outputs: "{% {'reservedBy': $states.result.Attributes.reservedBy.S} %}",
  });
  return new IdempotentWorkflow(stack, 'Reserve', { idempotencyKey, stepTimeout, step: write });
  // #endregion
}

/** A step that puts an event on a bus, with the key in its detail. */
export function announces(stack: Stack, bus: IEventBus): IdempotentWorkflow {
  // #region bus
  const put = EventBridgePutEvents.jsonata(stack, 'Announce it', {
    entries: [
      {
        eventBus: bus,
        source: 'shop.orders',
        detailType: 'OrderPacked',
        detail: TaskInput.fromObject({
          idempotencyKey: '{% $states.input.idempotencyKey %}',
          orderId: '{% $states.input.input.detail.orderId %}',
        }),
      },
    ],
  });
  return new IdempotentWorkflow(stack, 'Announce', { idempotencyKey, stepTimeout, step: put });
  // #endregion
}

/** What the handler answers with. */
export interface Receipt {
  readonly receipt: string;
}

/** A handler that hands the key to a provider in the header that it looks at. */
export function charges(url: string) {
  // #region header
  return async ({ idempotencyKey, input }: StepEvent<{ readonly amount: number }>): Promise<Receipt> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': JSON.stringify(idempotencyKey) },
      body: JSON.stringify({ amount: input.amount }),
    });
    if (!response.ok) throw new Error(`the provider answers ${response.status}`);
    return (await response.json()) as Receipt;
  };
  // #endregion
}
