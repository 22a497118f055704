// #region naive
import type { JsonObject } from '@onceflow/local';

const table = { TableName: 'Payments' };
const key = { orderId: { S: '{% $states.input.orderId %}' } };

/** Looks whether an order is paid, charges it, and writes down that it is. */
export const naive: JsonObject = {
  QueryLanguage: 'JSONata',
  StartAt: 'Read payment',
  States: {
    'Read payment': {
      Type: 'Task',
      Resource: 'arn:aws:states:::dynamodb:getItem',
      Arguments: { ...table, Key: key, ConsistentRead: true },
      Assign: { isPaid: '{% $exists($states.result.Item) %}' },
      Output: '{% $states.input %}',
      Next: 'Is it paid?',
    },
    'Is it paid?': {
      Type: 'Choice',
      Choices: [{ Condition: '{% $isPaid %}', Next: 'Done' }],
      Default: 'Charge',
    },
    Charge: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Arguments: { FunctionName: 'charge', Payload: '{% $states.input %}' },
      Output: '{% $states.input %}',
      Next: 'Write payment',
    },
    'Write payment': {
      Type: 'Task',
      Resource: 'arn:aws:states:::dynamodb:putItem',
      Arguments: { ...table, Item: key },
      Next: 'Done',
    },
    Done: { Type: 'Succeed' },
  },
};
// #endregion
