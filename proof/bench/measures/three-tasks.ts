/** What the handlers of all three states do: answer with what they were given. */
export async function passThrough<Value>(value: Value): Promise<Value> {
  return value;
}

/** The names of the states. */
export const TASKS = ['First', 'Second', 'Third'] as const;

/** The function that the states name as their resource. */
export const FUNCTION_ARN = 'arn:aws:lambda:us-east-1:111111111111:function:pass-through';

/** Three Task states in a row, without a field that contains an expression. */
export const THREE_TASKS = {
  StartAt: TASKS[0],
  States: {
    [TASKS[0]]: { Type: 'Task', Resource: FUNCTION_ARN, Next: TASKS[1] },
    [TASKS[1]]: { Type: 'Task', Resource: FUNCTION_ARN, Next: TASKS[2] },
    [TASKS[2]]: { Type: 'Task', Resource: FUNCTION_ARN, End: true },
  },
} as const;

/** What execution number `index` is given: an order as events bring them. */
export function inputOf(index: number): object {
  return { detail: { orderId: `order-${index}`, amount: 1200 + index, currency: 'EUR' } };
}
