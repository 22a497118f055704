import type { Json, JsonObject } from '../../../../json/json';
import type { RequestError } from '../../../../services/dynamodb/table/request-error';
import { openDatabase } from './sdk';

export const TableName = 'things';
export const attribute = (AttributeName: string, AttributeType = 'S') => ({ AttributeName, AttributeType });
export const key = (AttributeName: string, KeyType = 'HASH') => ({ AttributeName, KeyType });
export const ALL = { ProjectionType: 'ALL' };
export const TABLE: JsonObject = {
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [key('id')],
  AttributeDefinitions: [attribute('id'), attribute('customer'), attribute('day')],
  GlobalSecondaryIndexes: [
    { IndexName: 'by-day', KeySchema: [key('customer'), key('day', 'RANGE')], Projection: ALL },
  ],
};

export type Request = readonly [operation: string, request: Json];

/** Sends requests one after the other; each is its answer, or its error's code and message. */
export async function asked(...requests: readonly Request[]) {
  const { database } = openDatabase({ now: () => 0 });
  await database.perform('CreateTable', TABLE);
  const answers: Json[] = [];
  for (const [operation, request] of requests) {
    const answer = database.perform(operation, request).catch((error: RequestError) => ({
      code: error.code,
      message: error.message,
      ...error.members,
    }));
    answers.push(await answer);
  }
  return answers;
}

/** The last of them. */
export const last = async (...requests: readonly Request[]) => (await asked(...requests)).at(-1);
export const rejected = (message: unknown, code = 'ValidationException') =>
  expect.objectContaining({ code, message });
export const text = (S: string) => ({ S });
