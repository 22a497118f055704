/** How each command, and each page at its first reading, calls AWS: the operations with their counts. A test counts. */
export const CALLS: Readonly<Record<string, string>> = {
  'show order-7':
    'DescribeExecution 3, DescribeStateMachine 4, GetExecutionHistory 2, GetItem 9, ListExecutions 1, ListStateMachines 1',
  'show order-7 --scope ChargePayment':
    'DescribeExecution 3, DescribeStateMachine 4, GetExecutionHistory 2, GetItem 3, ListExecutions 1, ListStateMachines 1',
  'cost order-7':
    'DescribeExecution 3, DescribeStateMachine 4, GetExecutionHistory 2, GetItem 9, ListExecutions 1, ListStateMachines 1',
  list: 'DescribeStateMachine 4, DescribeTable 3, ListStateMachines 1, Scan 3',
  'list --rejected':
    'DescribeExecution 1, DescribeStateMachine 4, DescribeTable 3, GetExecutionHistory 1, ListExecutions 9, ListStateMachines 1, Scan 3',
  cost: 'DescribeStateMachine 4, GetExecutionHistory 20, ListExecutions 3, ListStateMachines 1',
  'redrive --failed --dry-run':
    'DescribeExecution 2, DescribeStateMachine 4, GetExecutionHistory 1, GetItem 1, ListExecutions 9, ListStateMachines 1',
  'redeliver order-7 --dry-run':
    'DescribeExecution 2, DescribeStateMachine 4, GetItem 9, ListStateMachines 1',
  health: 'DescribeStateMachine 4, GetQueueAttributes 4, ListQueues 1, ListStateMachines 1',
  '/connection': 'DescribeStateMachine 4, ListStateMachines 1',
  '/keys':
    'DescribeExecution 1, DescribeStateMachine 4, DescribeTable 3, GetExecutionHistory 1, GetQueueAttributes 4, ListExecutions 9, ListQueues 1, ListStateMachines 1, Scan 3',
  '/keys/order-7':
    'DescribeExecution 3, DescribeStateMachine 4, GetExecutionHistory 2, GetItem 8, ListExecutions 1, ListStateMachines 1',
  '/workflows/ChargePayment/keys/order-7':
    'DescribeExecution 3, DescribeStateMachine 4, GetExecutionHistory 2, GetItem 3, ListExecutions 1, ListStateMachines 1',
  'resend invoices-dead --dry-run':
    'ChangeMessageVisibility 2, DescribeStateMachine 8, GetItem 6, GetQueueAttributes 4, GetQueueUrl 4, ListDeadLetterSourceQueues 1, ListStateMachines 5, ReceiveMessage 1',
  'show order-7 --markdown':
    'DescribeExecution 3, DescribeStateMachine 4, GetExecutionHistory 2, GetItem 9, ListExecutions 1, ListStateMachines 1',
  'list --duplicates': 'DescribeStateMachine 4, ListStateMachines 1',
  '/queues/invoices-dead':
    'ChangeMessageVisibility 2, DescribeStateMachine 5, GetItem 6, GetQueueAttributes 5, ListDeadLetterSourceQueues 1, ListQueues 1, ListStateMachines 2, ReceiveMessage 1',
  '/health': 'DescribeStateMachine 4, GetQueueAttributes 4, ListQueues 1, ListStateMachines 1',
  '/deliveries': 'GetQueueAttributes 4, ListQueues 1',
  '/cost': 'DescribeStateMachine 4, GetExecutionHistory 20, ListExecutions 3, ListStateMachines 1',
};
