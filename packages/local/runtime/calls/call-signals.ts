import type { Machine, Signal } from '../../engine/index';
import type { JobResult } from './service';

export function resultSignal(taskId: string, result: JobResult): Signal {
  switch (result.kind) {
    case 'succeeded':
      return { kind: 'taskSucceeded', taskId, output: result.output };
    case 'failed':
      return { kind: 'taskFailed', taskId, error: result.error, cause: result.cause };
    default:
      return result satisfies never;
  }
}

/** The signal for the answer to a callback's call. It is not the task's result: that comes with the token. */
export function callbackSignal(taskId: string, result: JobResult): Signal {
  if (result.kind === 'failed') return resultSignal(taskId, result);
  return { kind: 'taskSubmitted', taskId, output: result.output };
}

/**
 * The signal for an attempt whose answer was lost with the process that waited for it: the call's connection broke,
 * the service's own `SdkClientException`.
 *
 * Whether the call was made, and with which result, is not known. A second call would run a task twice that has no
 * Retry, which the service never does. So the definition decides: its Retry repeats the call, its Catch goes another
 * way, and without either the execution fails and can be redriven.
 */
export function interruptedCallSignal(machine: Machine, taskId: string, stateName: string): Signal {
  const state = machine.definition.states.get(stateName);
  const service = state?.kind === 'task' ? state.resource.service : '';
  const error = `${errorPrefixOf(service)}.SdkClientException`;
  const cause =
    'Unable to execute HTTP request: the connection was lost when the local runtime was restarted';
  return { kind: 'taskFailed', taskId, error, cause };
}

/** What the names of a service's errors begin with: `DynamoDB` for `dynamodb`, `States` for a service of no other. */
export function errorPrefixOf(service: string): string {
  return ERROR_PREFIXES.get(service) ?? 'States';
}

const ERROR_PREFIXES: ReadonlyMap<string, string> = new Map([
  ['dynamodb', 'DynamoDB'],
  ['aws-sdk:dynamodb', 'DynamoDb'],
  ['aws-sdk:cloudwatch', 'CloudWatch'],
  ['lambda', 'Lambda'],
  ['states', 'StepFunctions'],
  ['aws-sdk:sfn', 'Sfn'],
  ['events', 'EventBridge'],
  ['sqs', 'SQS'],
  ['sns', 'SNS'],
  ['aws-sdk:s3', 'S3'],
]);
