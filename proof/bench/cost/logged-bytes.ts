import type { LocalStack } from '@onceflow/local';
import { ASSUMED } from '../../../cli/program/prices';

/** What CloudWatch Logs would bill of all that the state machines of a stack have logged so far, in bytes. */
export function loggedBytes({ assembly, logs }: Pick<LocalStack, 'assembly' | 'logs'>): number {
  const destinations = assembly.stateMachines.flatMap(
    ({ loggingConfiguration }) => loggingConfiguration?.destinations ?? [],
  );
  const groups = new Set(destinations.flatMap(one => one.cloudWatchLogsLogGroup?.logGroupArn ?? []));
  const lines = [...groups].flatMap(group => logs.events(group));
  return lines.reduce((sum, { message }) => sum + Buffer.byteLength(message) + ASSUMED.logLineBytes, 0);
}
