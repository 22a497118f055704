import { type LocalStack, startLocal } from '@onceflow/local';
import { lockTable } from '../../guards/lock-table';
import { makeTable } from '../../guards/make-table';
import { openPowertools } from '../../guards/powertools';
import { type CostRow, costsOfFunction, countDynamoDbCalls } from './cost';
import { costsOfWorkflow, counter } from './workflow';

/**
 * What a fresh delivery and a duplicate take: of the synthesized app, of a lock table, and, with the folder it is
 * installed in, of Powertools. All of them run, on one embedded DynamoDB.
 */
export async function costsOfDeliveries(assembly: string, powertoolsFolder?: string): Promise<CostRow[]> {
  const counting = counter();
  // Powertools comes with an SDK of its own, which needs an address to send to.
  const stack = await startLocal({ assembly, port: 0, interceptor: counting.interceptor });
  try {
    const rows = await costsOfWorkflow(stack, counting);
    rows.push(...(await costsOfLockTable(stack)));
    if (powertoolsFolder !== undefined) rows.push(...(await costsOfPowertools(stack, powertoolsFolder)));
    return rows;
  } finally {
    await stack.close();
  }
}

/** The costs of a lock table in a function, on the database of a stack. */
export async function costsOfLockTable({ dynamoDb: { client } }: LocalStack): Promise<CostRow[]> {
  const table = await makeTable(client, 'LockTable');
  const calls = countDynamoDbCalls(client);
  const invoke = lockTable(client, table, { lease: undefined, isLeaseChecked: false, isReleased: false });
  return costsOfFunction({ what: 'a lock table in the function', calls, invoke });
}

async function costsOfPowertools(stack: LocalStack, folder: string): Promise<CostRow[]> {
  const { client: own } = stack.dynamoDb;
  const tableName = await makeTable(own, 'Powertools');
  const config = {
    endpoint: stack.endpoint,
    region: await own.config.region(),
    credentials: await own.config.credentials(),
  };
  const { client, guard } = openPowertools(folder, { tableName, config });
  try {
    return await costsOfFunction({
      what: 'Powertools idempotency',
      calls: countDynamoDbCalls(client),
      invoke: (order, step) => guard(step, { eventKeyJmesPath: 'key' })(order),
    });
  } finally {
    client.destroy();
  }
}
