import type { RegisteredMachine } from './registered-machine';

/** What makes two revisions of a machine the same to the service. The definition counts as it is written. */
export type RevisionContent = Pick<
  RegisteredMachine,
  'definitionText' | 'type' | 'loggingConfiguration' | 'tracingConfiguration'
>;

/** Whether a machine already is what a request asks for. */
export function isSameRevision(machine: RegisteredMachine, content: RevisionContent): boolean {
  return keyOf(machine) === keyOf(content);
}

function keyOf(content: RevisionContent): string {
  const { definitionText, type, loggingConfiguration: logging, tracingConfiguration: tracing } = content;
  const destinations = logging.destinations?.map(
    destination => destination.cloudWatchLogsLogGroup?.logGroupArn,
  );
  return JSON.stringify([
    definitionText,
    type,
    logging.level,
    logging.includeExecutionData,
    destinations ?? [],
    tracing.enabled,
  ]);
}
