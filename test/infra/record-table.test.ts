import { App, Stack } from 'aws-cdk-lib';
import { RecordTable, type StepEvent } from '../../infra/index';

describe('RecordTable', () => {
  test('its name and ARN: those of the table', () => {
    const stack = new Stack(new App(), 'Orders');
    const records = new RecordTable(stack, 'Records');

    expect(stack.resolve(records.tableName)).toEqual({ Ref: expect.stringMatching(/^Records/) });
    expect(records.tableArn).toBe(records.table.tableArn);
  });
});

describe('StepEvent', () => {
  test('what a handler is typed with: the input is the type that it names', () => {
    const handler = ({ idempotencyKey, attempt, input }: StepEvent<{ readonly orderId: string }>) =>
      `${idempotencyKey} ${attempt} ${input.orderId.toUpperCase()}`;

    expect(handler({ idempotencyKey: 'Pay#a', attempt: 1, input: { orderId: 'a' } })).toBe('Pay#a 1 A');
  });
});
