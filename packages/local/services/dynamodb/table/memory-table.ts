import type { JsonObject } from '../../../json/json';
import type { ServiceResult, ServiceTable } from '../../../runtime/calls/service';
import { rejectionOf } from '../rejection';
import type { Item } from './attribute-value';
import { outcomeIn, type ReadableTable, type TableOperation } from './operation';

const OPERATIONS: readonly TableOperation[] = ['putItem', 'getItem', 'updateItem', 'deleteItem'];

/**
 * The optimized DynamoDB integrations on one table in memory, which answer at once; a request's `TableName` is not
 * looked at. Results have the HTTP status as their only metadata.
 */
export function memoryTable(keyName: string): ServiceTable {
  const items = new Map<string, Item>();
  const source: ReadableTable = {
    schema: { partition: { name: keyName, type: 'S' } },
    itemAt: key => items.get(key),
  };
  const perform = (operation: TableOperation, request: JsonObject): ServiceResult => {
    const { result, write } = outcomeIn(source, operation, request);
    if (write?.item) items.set(write.key, write.item);
    else if (write) items.delete(write.key);
    if (result.kind === 'failed') return result;
    const output = { ...(result.output as JsonObject), SdkHttpMetadata: { HttpStatusCode: 200 } };
    return { kind: 'succeeded', output };
  };
  return new Map(
    OPERATIONS.map(operation => [
      `dynamodb:${operation}`,
      { rejectionOf, call: async ({ arguments: request }) => perform(operation, request as JsonObject) },
    ]),
  );
}
