import type { Json, JsonObject } from '../../json/json';

const TABLE = { TableName: 'Payments' };
const KEY = { orderId: { S: '{% $states.input.orderId %}' } };

function task(Resource: string, Arguments: JsonObject, more: JsonObject): JsonObject {
  return {
    Type: 'Task',
    Resource: `arn:aws:states:::${Resource}`,
    Arguments,
    Output: '{% $states.input %}',
    ...more,
  };
}

const CHARGE = task('lambda:invoke', { FunctionName: 'charge', Payload: '{% $states.input %}' }, {});

function machine(StartAt: string, States: JsonObject): JsonObject {
  return { QueryLanguage: 'JSONata', StartAt, States };
}

/** Looks whether an order was paid, charges it, and writes that down: two that look at once both charge. */
export const READ_THEN_WRITE: Json = machine('Read payment', {
  'Read payment': task(
    'dynamodb:getItem',
    { ...TABLE, Key: KEY, ConsistentRead: true },
    { Assign: { isPaid: '{% $exists($states.result.Item) %}' }, Next: 'Is it paid?' },
  ),
  'Is it paid?': {
    Type: 'Choice',
    Choices: [{ Condition: '{% $isPaid %}', Next: 'Done' }],
    Default: 'Charge',
  },
  Charge: { ...CHARGE, Next: 'Write payment' },
  'Write payment': task('dynamodb:putItem', { ...TABLE, Item: KEY }, { Next: 'Done' }),
  Done: { Type: 'Succeed' },
});

/** Claims the order by a conditional write before it is charged, and charges once, come what may. */
export const CLAIM_FIRST: Json = machine('Claim', {
  Claim: task(
    'dynamodb:putItem',
    { ...TABLE, Item: KEY, ConditionExpression: 'attribute_not_exists(orderId)' },
    { Next: 'Charge', Catch: [{ ErrorEquals: ['DynamoDB.ConditionalCheckFailedException'], Next: 'Done' }] },
  ),
  Charge: { ...CHARGE, Next: 'Done' },
  Done: { Type: 'Succeed' },
});

/** The same in JSONPath. */
export const CLAIM_FIRST_IN_JSONPATH: Json = {
  StartAt: 'Claim',
  States: {
    Claim: {
      Type: 'Task',
      Resource: 'arn:aws:states:::dynamodb:putItem',
      Parameters: {
        ...TABLE,
        Item: { orderId: { 'S.$': '$.orderId' } },
        ConditionExpression: 'attribute_not_exists(orderId)',
      },
      ResultPath: null,
      Catch: [{ ErrorEquals: ['DynamoDB.ConditionalCheckFailedException'], Next: 'Done' }],
      Next: 'Charge',
    },
    Charge: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Parameters: { FunctionName: 'charge', 'Payload.$': '$' },
      Next: 'Done',
    },
    Done: { Type: 'Succeed' },
  },
};

/** The same with a charge that is tried again: its answer may have been lost only. */
export const CHARGED_AGAIN: Json = machine('Claim', {
  ...((CLAIM_FIRST as JsonObject)['States'] as JsonObject),
  Charge: {
    ...CHARGE,
    Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 2, MaxAttempts: 1 }],
    Next: 'Done',
  },
});

/** A charge that is given up after ten seconds, as often as it is delivered. */
export const TIMED: Json = machine('Charge', {
  Charge: {
    ...CHARGE,
    TimeoutSeconds: 10,
    Retry: [{ ErrorEquals: ['States.Timeout'], MaxAttempts: 1 }],
    End: true,
  },
});

export const PAYMENTS = { Payments: { partitionKey: 'orderId' } };
export const ORDER = { orderId: 'order-1' };
