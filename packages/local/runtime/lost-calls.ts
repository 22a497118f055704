import type { Machine } from '../engine/execution';
import type { Signal } from '../engine/signals';

/**
 * What an execution is told of an attempt whose answer went down with the process that waited for it: the call's
 * connection broke, the service's own `SdkClientException`.
 *
 * Whether the call was made, and what came of it, nobody knows any more. To make it again would run a task twice that
 * asked for no Retry, which the service never does; so the definition decides: its Retry makes the call again, its
 * Catch goes another way, and without either the execution fails and can be redriven.
 */
export function lostCall(machine: Machine, taskId: string, stateName: string): Signal {
  const state = machine.definition.states.get(stateName);
  const service = state?.kind === 'task' ? state.resource.service : '';
  const error = `${PREFIXES.get(service) ?? 'States'}.SdkClientException`;
  const cause =
    'Unable to execute HTTP request: the connection was lost when the local runtime was restarted';
  return { kind: 'taskFailed', taskId, error, cause };
}

/** What the names of a service's errors begin with. */
const PREFIXES: ReadonlyMap<string, string> = new Map([
  ['dynamodb', 'DynamoDB'],
  ['aws-sdk:dynamodb', 'DynamoDb'],
  ['lambda', 'Lambda'],
  ['states', 'StepFunctions'],
  ['aws-sdk:sfn', 'Sfn'],
  ['events', 'EventBridge'],
  ['sqs', 'SQS'],
]);
