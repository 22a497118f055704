import { BatchWriteItemCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { StartExecutionCommand } from '@aws-sdk/client-sfn';
import { GetQueueUrlCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { listWorkflows } from '../../../cli/aws/find-workflow';
import { type Workflow, workflowIn } from '../../../cli/aws/workflow';
import { each } from '../../../cli/concurrency';
import { assemblyOf } from '../../support/assembly';
import { runs } from '../../support/scale';
import { newDirectory } from '../../support/shared';
import { GRACE_MS } from '../../support/variant';
import { fails, returns } from '../../support/world';
import { type Started, start } from '../dev/started';
import { SCOPES, THREE_WORKFLOWS } from '../three-workflows';
import { type CliWorld, ORDER, openCliWorld } from '../world';

/** Keys of the three workflows that are done. */
export const KEYS = runs(120, 12_000);

/** Items that DynamoDB takes at once. */
const BATCH = 25;

/** Three workflows on one table, after a night in which something of each kind went wrong. */
export interface Night {
  readonly c: CliWorld;
  readonly refund: Workflow;
  readonly invoice: Workflow;
}

/**
 * Opens it, on what `kill -9` of `onceflow dev` has left: all keys that are done, and `cut-off` in its step. `order-7`
 * was stopped, redriven, answered and rejected for another payload; `declined` has failed. `doubt` is held and
 * `gone-too` overdue, of two other workflows; one delivery has no key; two messages are dead letters.
 */
export async function openNight(): Promise<Night> {
  const c = await openCliWorld(THREE_WORKFLOWS, await killed());
  const { world, aws } = c;
  const machines = await listWorkflows(aws, { stateMachine: undefined, stack: undefined, scope: undefined });
  const named = async (id: string) => {
    const machine = machines.find(one => one.name?.includes(`${id}StateMachine`));
    if (machine === undefined) throw new Error(`there is no workflow ${id}`);
    return workflowIn(aws, machine, { table: undefined, scope: undefined, stepTimeoutMs: undefined });
  };
  const [refund, invoice] = [await named('RefundPayment'), await named('SendInvoice')];
  const deliver = (to: Workflow, detail: object) =>
    aws.sfn.send(
      new StartExecutionCommand({ stateMachineArn: to.stateMachineArn, input: JSON.stringify({ detail }) }),
    );
  // What the process was in the middle of goes on first.
  await world.settle();
  await c.ownerStoppedInStep();
  await world.pass(GRACE_MS);
  await c.redrive();
  await world.settle();
  await world.delivered(ORDER);
  await deliver(invoice, { ...ORDER, orderId: 'gone' });
  world.step = async () => world.never();
  await world.pass(1000);
  const { executionArn = '' } = await deliver(invoice, { ...ORDER, orderId: 'gone-too' });
  await world.pass(1000);
  await world.stop(executionArn);
  await world.pass(3 * 3_600_000);
  world.step = () => fails('CardDeclined', 'no money left');
  await deliver(c.workflow, { ...ORDER, orderId: 'declined' });
  await deliver(refund, { ...ORDER, orderId: 'declined-too' });
  await world.pass(60_000);
  world.step = () => returns({ charge: 1 });
  await world.delivered({ ...ORDER, amount: 99 });
  await deliver(refund, { amount: 1 });
  await world.pass(60_000);
  await hold(refund, c, 'doubt', 'Idempotency.InDoubt');
  await hold(refund, c, 'given-up', 'Idempotency.RedrivesExhausted');
  const { QueueUrl } = await aws.sqs.send(new GetQueueUrlCommand({ QueueName: 'invoices' }));
  for (const orderId of ['lost-1', 'lost-2']) {
    await aws.sqs.send(
      new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify({ detail: { ...ORDER, orderId } }) }),
    );
    await aws.sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0 }));
    await aws.sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0 }));
  }
  return { c, refund, invoice };
}

/** The directory of a process that has told of all its writes, and was killed in a step. */
async function killed(): Promise<string> {
  const state = newDirectory();
  const dev = await start('--assembly', assemblyOf(THREE_WORKFLOWS), '--state', state);
  const machines = SCOPES.map(scope => {
    const named = ({ name }: { readonly name: string }) => name.includes(`${scope}StateMachine`);
    return dev.summary.stateMachines.find(named)?.arn ?? '';
  });
  await completed(dev, machines);
  const input = JSON.stringify({ detail: { ...ORDER, orderId: 'cut-off' } });
  const { executionArn } = await dev.sfn.startExecution({ stateMachineArn: machines[2], input });
  for (let isInStep = false; !isInStep; ) {
    const { events = [] } = await dev.sfn.getExecutionHistory({ executionArn });
    const last = events.at(-1);
    isInStep = last?.type === 'TaskStarted' && last.taskStartedEventDetails?.resourceType === 'lambda';
  }
  await dev.end('SIGKILL');
  return state;
}

async function completed({ summary }: Started, machines: readonly string[]): Promise<void> {
  const { endpoint, region, tables } = summary;
  const credentials = { accessKeyId: 'x', secretAccessKey: 'y' };
  const dynamodb = new DynamoDBClient({ endpoint, region, credentials });
  const now = Date.now();
  const items = Array.from({ length: KEYS }, (_, index) => {
    const which = index % SCOPES.length;
    const at = { S: new Date(now - 1000 * index).toISOString() };
    return {
      idempotencyKey: { S: `${SCOPES[which]}#order-${1000 + index}` },
      status: { S: 'COMPLETED' },
      owner: { S: `${machines[which]?.replace(':stateMachine:', ':execution:')}:run-${index}` },
      attempt: { N: '1' },
      claimedAt: at,
      finishedAt: at,
      result: { S: '{}' },
    };
  });
  const batches = Array.from({ length: Math.ceil(KEYS / BATCH) }, (_, index) =>
    items.slice(index * BATCH, (index + 1) * BATCH),
  );
  await each(batches, async batch => {
    const requests = batch.map(Item => ({ PutRequest: { Item } }));
    await dynamodb.send(new BatchWriteItemCommand({ RequestItems: { [tables[0] ?? '']: requests } }));
  });
  dynamodb.destroy();
}

async function hold(
  { scope, table, stateMachineArn }: Workflow,
  { aws, world }: CliWorld,
  key: string,
  error: string,
) {
  const at = { S: new Date(world.clock.now() - 600_000).toISOString() };
  const Item = {
    idempotencyKey: { S: `${scope}#${key}` },
    status: { S: 'HELD' },
    owner: { S: `${stateMachineArn.replace(':stateMachine:', ':execution:')}:run-${key}` },
    attempt: { N: '1' },
    claimedAt: at,
    finishedAt: at,
    error: { S: JSON.stringify({ Error: error, Cause: '{}' }) },
  };
  await aws.dynamodb.send(new PutItemCommand({ TableName: table, Item }));
}
