import { type LocalStack, startLocal } from '@onceflow/local';
import { type CostRow, costsOfFunction } from './cost';
import { lockTable } from './lock-table';
import { makeTable } from './make-table';
import { powertools } from './powertools';
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

async function costsOfLockTable({ dynamoDb: { client } }: LocalStack): Promise<CostRow[]> {
  const table = await makeTable(client, 'LockTable');
  const runs = { count: 0 };
  const fn = lockTable(client, table, () => ({ charge: ++runs.count }));
  return costsOfFunction(fn, runs);
}

async function costsOfPowertools(stack: LocalStack, folder: string): Promise<CostRow[]> {
  const { client } = stack.dynamoDb;
  const tableName = await makeTable(client, 'Powertools');
  const { region, credentials } = client.config;
  const config = {
    endpoint: stack.endpoint,
    region: await region(),
    credentials: await credentials(),
  };
  const runs = { count: 0 };
  const { fn, close } = powertools(folder, config, tableName, () => ({ charge: ++runs.count }));
  try {
    return await costsOfFunction(fn, runs);
  } finally {
    close();
  }
}
