import { explore, type Seen } from '@onceflow/local/explore';

const payment = { orderId: { S: '{% $states.input.orderId %}' } };

/** Claims an order by a conditional write, and charges it then. */
const claimsFirst = {
  QueryLanguage: 'JSONata',
  StartAt: 'Claim',
  States: {
    Claim: {
      Type: 'Task',
      Resource: 'arn:aws:states:::dynamodb:putItem',
      Arguments: {
        TableName: 'Payments',
        Item: payment,
        ConditionExpression: 'attribute_not_exists(orderId)',
      },
      Output: '{% $states.input %}',
      Catch: [{ ErrorEquals: ['DynamoDB.ConditionalCheckFailedException'], Next: 'Done' }],
      Next: 'Charge',
    },
    Charge: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Arguments: { FunctionName: 'charge', Payload: '{% $states.input %}' },
      Next: 'Done',
    },
    Done: { Type: 'Succeed' },
  },
};

const chargedOnce = ({ effects }: Seen) =>
  effects.filter(({ stateName }) => stateName === 'Charge').length <= 1 || 'charged twice';

test('whatever happens: an order is charged once at most', () => {
  const { violation, isComplete, neverEntered } = explore({
    definition: claimsFirst,
    inputs: [{ orderId: 'order-1' }],
    tables: { Payments: { partitionKey: 'orderId' } },
    invariant: chargedOnce,
  });

  expect(violation?.trace).toBeUndefined();
  expect(isComplete).toBe(true);
  expect(neverEntered).toEqual([]);
});
