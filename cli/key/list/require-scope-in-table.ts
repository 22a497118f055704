import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import { answerOf } from '../../aws/aws';
import type { WorkflowAccess } from '../../aws/workflow';
import { EXIT } from '../../program/exit';
import { Rejection } from '../../program/rejection';
import { plural, printable } from '../../text';

/** How many scopes the message names. It counts the rest. */
const NAMED_MAX = 5;

/**
 * Checks that the table has an item with the scope that the operator passed, if that differs from the
 * definition's: a list of a misspelled scope would be empty, as if nothing had failed. Reads at most `readMax`
 * items.
 *
 * @throws Rejection if none of these items has the scope
 */
export async function requireScopeInTable(access: WorkflowAccess, readMax: number): Promise<void> {
  const { table, scope, scopeInDefinition, name } = access.workflow;
  if (scopeInDefinition === undefined) return;
  const found = await readOtherScopes(access, readMax);
  if (found === undefined) return;
  const { scopes, read } = found;
  const named = scopes.slice(0, NAMED_MAX).map(printable).join(', ');
  const more = scopes.length > NAMED_MAX ? `, and ${scopes.length - NAMED_MAX} more` : '';
  const have = read === 1 ? 'has' : 'have';
  const others =
    read === 0 ? 'the table is empty' : `${plural(read, 'item')} of it ${have} other scopes: ${named}${more}`;
  throw new Rejection(
    `table ${table} has no item with the scope ${printable(scope)}; ${others}. The scope of ${printable(name)} is ` +
      `${printable(scopeInDefinition)}. Check --scope`,
    EXIT.usage,
  );
}

/** The scopes of the items that were read, the most frequent first; undefined if an item has the workflow's scope. */
async function readOtherScopes(
  { aws, workflow: { table: TableName, schema, scope } }: WorkflowAccess,
  readMax: number,
): Promise<{ readonly scopes: readonly string[]; readonly read: number } | undefined> {
  const counts = new Map<string, number>();
  let from: Record<string, AttributeValue> | undefined;
  let read = 0;
  do {
    const request = new ScanCommand({
      TableName,
      ProjectionExpression: '#key',
      ExpressionAttributeNames: { '#key': schema.partitionKey },
      ...(from && { ExclusiveStartKey: from }),
    });
    const sent = aws.dynamodb.send(request, { abortSignal: aws.signal });
    const page = await answerOf(aws, 'Scan', `table ${TableName}`, sent);
    for (const item of page?.Items ?? []) {
      const key = item[schema.partitionKey]?.S ?? '';
      if (key.startsWith(`${scope}#`)) return undefined;
      const other = key.split('#', 1)[0] ?? '';
      counts.set(other, (counts.get(other) ?? 0) + 1);
    }
    read += page?.ScannedCount ?? 0;
    from = page?.LastEvaluatedKey;
  } while (from !== undefined && read < readMax);
  const scopes = [...counts].sort(([, one], [, other]) => other - one).map(([other]) => other);
  return { scopes, read };
}
