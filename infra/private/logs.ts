import { Aws, Fn, Names } from 'aws-cdk-lib';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { LogLevel, type LogOptions } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';

/**
 * The log of an Express state machine, whose executions can be seen nowhere else: errors, without the data of events,
 * kept for a month.
 *
 * The name begins as AWS advises, so that the account's one policy for log delivery, of 5,120 characters, need not name
 * the group. It ends with the stack's unique id: what stays of a stack that was deleted is not in the way of the next.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/bp-cwl.html
 */
export function errorLogs(scope: Construct): LogOptions {
  const stackId = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  const destination = new LogGroup(scope, 'Logs', {
    logGroupName: `/aws/vendedlogs/states/${Names.uniqueResourceName(scope, { maxLength: 128 })}-${stackId}`,
    retention: RetentionDays.ONE_MONTH,
  });
  return { destination, level: LogLevel.ERROR, includeExecutionData: false };
}
