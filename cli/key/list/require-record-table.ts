import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { answerOf } from '../../aws/aws';
import type { WorkflowAccess } from '../../aws/workflow';
import { Rejection } from '../../program/rejection';

/**
 * Makes sure that the table can hold records: a scan of any other finds nothing, as if there were no records. Gives
 * about how many items it has, which DynamoDB counts every six hours; undefined if the credentials may not ask.
 *
 * @throws Rejection for a table with another key
 */
export async function requireRecordTable({ aws, workflow }: WorkflowAccess): Promise<number | undefined> {
  const { table: TableName, schema } = workflow;
  const sent = aws.dynamodb.send(new DescribeTableCommand({ TableName }), { abortSignal: aws.signal });
  const subject = `table ${TableName}`;
  const described = await answerOf(aws, 'DescribeTable', subject, sent, 'AccessDeniedException');
  const keys = described?.Table?.KeySchema;
  const wanted = [schema.partitionKey, ...(schema.sortKey ? [schema.sortKey.name] : [])];
  const given = keys?.map(({ AttributeName }) => AttributeName);
  if (given === undefined || given.join() === wanted.join()) return described?.Table?.ItemCount;
  throw new Rejection(
    `${subject} cannot hold records of onceflow: their key is ${wanted.join(' and ')}, and its key is ` +
      `${given.join(' and ')}; check --table`,
  );
}
