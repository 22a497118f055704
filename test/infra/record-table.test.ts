import { App, Stack } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { IdempotentWorkflow, RecordTable, type StepEvent } from '../../infra/index';
import { someFunction, synthesized } from '../support/synthesize';

describe('RecordTable', () => {
  test('its name and ARN: those of the table', () => {
    const stack = new Stack(new App(), 'Orders');
    const records = new RecordTable(stack, 'Records');

    expect(stack.resolve(records.tableName)).toEqual({ Ref: expect.stringMatching(/^Records/) });
    expect(records.tableArn).toBe(records.table.tableArn);
  });
});

test('a provisioned table, for traffic that is known: taken as it is, and its capacity stays', () => {
  const template = synthesized(stack => {
    const table = new Table(stack, 'Shop', {
      partitionKey: { name: 'idempotencyKey', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiry',
      billingMode: BillingMode.PROVISIONED,
      readCapacity: 50,
      writeCapacity: 200,
    });
    const step = someFunction(stack);
    new IdempotentWorkflow(stack, 'Pay', {
      idempotencyKey: '{% $states.input.id %}',
      scope: 'Pay',
      table,
      step,
    });
  });

  template.resourceCountIs('AWS::DynamoDB::Table', 1);
  template.hasResourceProperties('AWS::DynamoDB::Table', {
    BillingMode: Match.absent(),
    ProvisionedThroughput: { ReadCapacityUnits: 50, WriteCapacityUnits: 200 },
  });
});

describe('StepEvent', () => {
  test('what a handler is typed with: the input is the type that it names', () => {
    const handler = ({ idempotencyKey, attempt, input }: StepEvent<{ readonly orderId: string }>) =>
      `${idempotencyKey} ${attempt} ${input.orderId.toUpperCase()}`;

    expect(handler({ idempotencyKey: 'Pay#a', attempt: 1, input: { orderId: 'a' } })).toBe('Pay#a 1 A');
  });
});
