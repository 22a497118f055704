import { Aws, Fn, Names, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { type ILogGroup, LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { LogLevel, type LogOptions } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { keyOf, permitLogs } from './customer-key';

/** The log group of a state machine, for a construct that counts there, too. */
export interface Logs extends LogOptions {
  readonly destination: ILogGroup;
}

/**
 * The log of a state machine, without the data of events, kept for a month: errors of an Express one, whose executions
 * can be seen nowhere else, or all that happens, to be counted.
 *
 * The name begins as AWS advises, so that the account's one policy for log delivery, of 5,120 characters, need not name
 * the group.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/bp-cwl.html
 */
export function executionLogs(scope: Construct, level: LogLevel.ERROR | LogLevel.ALL): Logs {
  const destination = logGroup(scope, 'Logs', `/aws/vendedlogs/states/${uniqueName(scope)}`);
  return { destination, level, includeExecutionData: false };
}

/**
 * The log of the functions of the package. Lambda's own one would be kept for ever, and not encrypted with a key. All
 * functions of a stack have one, except for those that a key encrypts: their log is encrypted with the same key.
 */
export function functionLogs(scope: Construct, functionId: string): ILogGroup {
  if (keyOf(scope))
    return logGroup(scope, `${functionId}Logs`, `/aws/lambda/${uniqueName(scope)}-${functionId}`);
  return sharedLogs(scope, 'OnceflowFunctionLogs', '/aws/lambda/');
}

/**
 * The log of the Express state machines that start workflows: errors. All of a stack have one, except for those that a
 * key encrypts, and those whose errors are counted for one workflow.
 */
export function startLogs(scope: Construct, isCounted: boolean): Logs {
  if (isCounted || keyOf(scope)) return executionLogs(scope, LogLevel.ERROR);
  const destination = sharedLogs(scope, 'OnceflowStartLogs', '/aws/vendedlogs/states/');
  return { destination, level: LogLevel.ERROR, includeExecutionData: false };
}

function sharedLogs(scope: Construct, id: string, prefix: string): ILogGroup {
  const stack = Stack.of(scope);
  const known = stack.node.tryFindChild(id) as LogGroup | undefined;
  return known ?? logGroup(stack, id, `${prefix}${uniqueName(stack)}-${id}`);
}

const uniqueName = (scope: Construct) => Names.uniqueResourceName(scope, { maxLength: 128 });

/**
 * It is deleted with what logs into it: retained, its name would be in the way of the deployment that puts a source
 * back. The name ends with the stack's unique id, so that an app can be deployed under two names of its stack.
 */
function logGroup(scope: Construct, id: string, name: string): ILogGroup {
  const stackId = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  const encryptionKey = keyOf(scope);
  permitLogs(scope, `${name}-*`);
  return new LogGroup(scope, id, {
    logGroupName: `${name}-${stackId}`,
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
    ...(encryptionKey && { encryptionKey }),
  });
}

/** The options of a workflow that decide where it logs. */
interface LogChoices {
  readonly logs?: LogOptions;
  readonly metrics?: boolean;
  readonly type?: 'STANDARD' | 'EXPRESS';
}

/** The log of a workflow: as its options say, and by default no more than it needs. */
export function logsOf(scope: Construct, { logs, metrics, type }: LogChoices): LogOptions | undefined {
  if (logs && metrics && (logs.level !== LogLevel.ALL || !logs.destination)) {
    throw new Error(
      '`metrics` are counted in the log of the workflow, so `logs` must have a `destination` and `level`: LogLevel.ALL, ' +
        `got ${logs.level ?? LogLevel.ERROR}. Set both, or leave \`logs\` out`,
    );
  }
  if (logs) return logs;
  if (metrics) return executionLogs(scope, LogLevel.ALL);
  return type === 'EXPRESS' ? executionLogs(scope, LogLevel.ERROR) : undefined;
}
