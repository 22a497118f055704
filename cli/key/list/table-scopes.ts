import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import { answerOf } from '../../aws/aws';
import type { WorkflowAccess } from '../../aws/workflow';
import { EXIT } from '../../program/exit';
import { Refusal } from '../../program/refusal';
import { plural, printable } from '../../text';

/** Scopes that are named; more are only counted. */
const NAMED = 5;

/**
 * Makes sure that a scope that the definition does not have is one of the table's, such as a former one: nothing found
 * of a scope that there is not would be taken for an all-clear. Reads at most `readMax` items.
 *
 * @throws Refusal where the table has no item of the scope
 */
export async function requireScopeInTable({ aws, workflow }: WorkflowAccess, readMax: number): Promise<void> {
  const { table: TableName, schema, scope, scopeInDefinition, name } = workflow;
  if (scopeInDefinition === undefined) return;
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
      if (key.startsWith(`${scope}#`)) return;
      const other = key.split('#', 1)[0] ?? '';
      counts.set(other, (counts.get(other) ?? 0) + 1);
    }
    read += page?.ScannedCount ?? 0;
    from = page?.LastEvaluatedKey;
  } while (from !== undefined && read < readMax);
  const scopes = [...counts].sort(([, one], [, other]) => other - one).map(([other]) => printable(other));
  const more = scopes.length > NAMED ? `, and ${scopes.length - NAMED} more` : '';
  const others =
    read === 0
      ? 'the table is empty'
      : `${plural(read, 'item')} of it ${read === 1 ? 'has' : 'have'} other scopes: ` +
        `${scopes.slice(0, NAMED).join(', ')}${more}`;
  throw new Refusal(
    `table ${TableName} has no item with the scope ${printable(scope)}; ${others}. The scope of ${printable(name)} is ` +
      `${printable(scopeInDefinition)}. Check --scope`,
    EXIT.usage,
  );
}
