import type { Json } from '../../json/json';
import { errorPrefixOf } from '../../runtime/calls/call-signals';
import type { TableOperation } from '../../services/dynamodb/table/operation';
import { performOn, type Table, type TableAnswer } from '../../services/dynamodb/table/table';

/** A request under way for which its execution does not wait any more: it is carried out by `until`, or never. */
export interface OrphanedRequest<Call> {
  /** The number of the execution that has sent it. */
  readonly execution: number;
  readonly call: Call;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** Those orphaned requests that can still be carried out at a time. */
export function inFlightAt<Orphan extends OrphanedRequest<unknown>>(
  orphans: readonly Orphan[],
  now: number,
): readonly Orphan[] {
  return orphans.filter(({ until }) => until > now);
}

/** The operations that tables carry out. */
export const OPERATIONS: readonly string[] = ['getItem', 'putItem', 'updateItem', 'deleteItem'];

/** The operation of DynamoDB that a Task calls, whatever its name; undefined if it calls another service. */
export function operationOf(resource: string): string | undefined {
  return /^(?:aws-sdk:)?dynamodb:(\w+)$/.exec(resource)?.[1];
}

/** Carries a call of one of {@link OPERATIONS} out: the table after it, and the answer that the Task gets. */
export function carriedOutOn(table: Table, resource: string, given: Json): TableAnswer {
  const { table: after, result } = performOn(table, operationOf(resource) as TableOperation, given);
  if (result.kind === 'succeeded' || !resource.startsWith('aws-sdk:')) return { table: after, result };
  // The integration of the AWS SDK writes the name of the service otherwise.
  return { table: after, result: { ...result, error: result.error.replace(/^DynamoDB\./, 'DynamoDb.') } };
}

/** The error that a Task gets if the answer of its service is lost. */
export function connectionLost(resource: string): string {
  const service = /^(?:aws-sdk:)?[^:]+/.exec(resource)?.[0] ?? '';
  return `${errorPrefixOf(service)}.SdkClientException`;
}
