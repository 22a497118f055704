import type { Data, TaskState } from '../../language/index';
import { movedThread } from '../advance';
import { errorDetails, type Failure } from '../completion';
import type { Thread } from '../execution';
import type { Turn } from '../turn';

// The events of one attempt. A function that is named by its bare ARN and an activity have event types of their own.

/** What limits an attempt, and the role it is made with. */
export interface Attempt {
  readonly timeoutSeconds?: number;
  readonly heartbeatSeconds?: number;
  readonly roleArn?: string;
}

/** Records that the call is scheduled and under way, and returns the id of the second event. */
export function recordStart(
  turn: Turn,
  { resource }: TaskState,
  previousEventId: number,
  { parameters, attempt }: { readonly parameters: Data; readonly attempt: Attempt },
): number {
  const limits = limitsOf(attempt);
  if (resource.pattern === 'function') {
    if (!limits) return turn.appendCall(previousEventId, resource.arn, parameters.text);
    const details = { resource: resource.arn, input: parameters.text, ...limits };
    const scheduled = turn.append('LambdaFunctionScheduled', previousEventId, details);
    return turn.append('LambdaFunctionStarted', scheduled, {});
  }
  if (resource.pattern === 'activity') {
    const details = { resource: resource.arn, input: parameters.text, ...limits };
    return turn.append('ActivityScheduled', previousEventId, details);
  }
  const { service, operation } = resource;
  const scheduled = turn.append('TaskScheduled', previousEventId, {
    resourceType: service,
    resource: operation,
    region: regionOf(turn.machine.arn),
    parameters: parameters.text,
    ...limits,
  });
  return turn.appendStarted(scheduled, service, operation);
}

/** Records that the call was accepted and its result comes later. */
export function recordSubmitted(turn: Turn, { resource }: TaskState, thread: Thread, output: Data): Thread {
  return turn.appendTo(thread, 'TaskSubmitted', { ...resourceDetails(resource), output: output.text });
}

/** Records the result, and returns the thread after it. */
export function recordSucceeded(turn: Turn, { resource }: TaskState, thread: Thread, result: Data): Thread {
  if (resource.pattern === 'function') {
    return movedThread(thread, turn.appendResult(thread.previousEventId, result.text), thread.waits);
  }
  if (resource.pattern === 'activity') {
    return turn.appendTo(thread, 'ActivitySucceeded', { output: result.text });
  }
  const succeeded = turn.appendSucceeded(thread.previousEventId, resource, result.text);
  return movedThread(thread, succeeded, thread.waits);
}

/** Records the failure of the integration, and returns the thread after it. */
export function recordFailed(turn: Turn, state: TaskState, thread: Thread, failure: Failure): Thread {
  return recordUnresulting(turn, state, thread, { failure, how: 'Failed' });
}

/** Records that the attempt took too long, and returns the thread after it. */
export function recordTimedOut(turn: Turn, state: TaskState, thread: Thread, failure: Failure): Thread {
  return recordUnresulting(turn, state, thread, { failure, how: 'TimedOut' });
}

function recordUnresulting(
  turn: Turn,
  { resource }: TaskState,
  thread: Thread,
  { failure, how }: { readonly failure: Failure; readonly how: 'Failed' | 'TimedOut' },
): Thread {
  const details = errorDetails(failure);
  if (resource.pattern === 'function') return turn.appendTo(thread, `LambdaFunction${how}`, details);
  if (resource.pattern === 'activity') return turn.appendTo(thread, `Activity${how}`, details);
  return turn.appendTo(thread, `Task${how}`, { ...resourceDetails(resource), ...details });
}

/** Most attempts have none, and there are very many of them. */
function limitsOf({ timeoutSeconds, heartbeatSeconds, roleArn }: Attempt) {
  if (timeoutSeconds === undefined && heartbeatSeconds === undefined && roleArn === undefined)
    return undefined;
  return {
    ...(timeoutSeconds === undefined ? {} : { timeoutInSeconds: timeoutSeconds }),
    ...(heartbeatSeconds === undefined ? {} : { heartbeatInSeconds: heartbeatSeconds }),
    ...(roleArn === undefined ? {} : { taskCredentials: { roleArn } }),
  };
}

function resourceDetails({ service, operation }: TaskState['resource']) {
  return { resourceType: service, resource: operation };
}

/** The fourth part of an ARN. */
function regionOf(arn: string): string {
  const at = arn.indexOf(':', arn.indexOf(':', arn.indexOf(':') + 1) + 1) + 1;
  return at === 0 ? '' : arn.slice(at, arn.indexOf(':', at));
}
