import { StatesError } from '../requests/errors';
import type { LoggingConfiguration } from './registered-machine';

export type LoggingRequest = Partial<LoggingConfiguration>;

/**
 * The configuration as DescribeStateMachine returns it, with the service's defaults.
 *
 * @param logGroups - the ARNs of the existing ones; any, if absent
 * @throws StatesError `InvalidLoggingConfiguration` if there is not exactly one log destination for the log, or its log
 * group does not exist.
 */
export function loggingConfiguration(
  request: LoggingRequest = {},
  logGroups?: ReadonlySet<string>,
): LoggingConfiguration {
  const { level = 'OFF', includeExecutionData = false, destinations } = request;
  const count = destinations?.length ?? 0;
  if (count > 1 || (level !== 'OFF' && count === 0)) {
    const message = 'Invalid Logging Configuration: Must specify exactly one Log Destination.';
    throw new StatesError('InvalidLoggingConfiguration', message);
  }
  const arns = (destinations ?? []).flatMap(({ cloudWatchLogsLogGroup: group }) => group?.logGroupArn ?? []);
  if (logGroups && !arns.every(arn => logGroups.has(arn))) {
    const message = 'Invalid Logging Configuration: Log Destination not found.';
    throw new StatesError('InvalidLoggingConfiguration', message);
  }
  return { level, includeExecutionData, ...(destinations && { destinations }) };
}

/** @throws StatesError `InvalidArn` for a text that is not the ARN of a role. Whether the role exists is not asked. */
export function requireRoleArn(roleArn: string): void {
  if (!/^arn:[^:]+:iam::\d{12}:role\/./.test(roleArn)) {
    throw new StatesError('InvalidArn', `Invalid Role Arn: '${roleArn}'`);
  }
}
