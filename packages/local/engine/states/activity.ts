import type { Data, TaskState } from '../../language/index';
import { movedThread } from '../advance';
import { type Completion, failureIn, RUNTIME_ERROR } from '../completion';
import type { ActivityOffer, TaskWaiting, Thread } from '../execution';
import { waitId } from '../threads';
import { setTimer } from '../timeout';
import type { Turn } from '../turn';
import { type Attempt, recordStart } from './task-events';

// Activities, which the States Language leaves to the service:
// https://docs.aws.amazon.com/step-functions/latest/dg/concepts-activities.html
//
// 1. If there is no such activity, the execution fails without a catch.
// 2. Record that the task is scheduled, and offer it to the workers of the activity. They may take any time.
// 3. When a worker has it, record that and set the timers.
// 4. The worker sends the result with the task's token: see task-result.ts.

/** Offers a task to the workers of the state's activity. */
export function scheduleActivity(
  turn: Turn,
  state: TaskState,
  thread: Thread,
  task: { readonly taskId: string; readonly parameters: Data; readonly attempt: Attempt },
): Completion {
  const { arn: activityArn } = state.resource;
  // Step 1.
  if (turn.context.hasActivity?.(activityArn) === false) {
    const failure = failureIn(thread, RUNTIME_ERROR, `The activity ${activityArn} does not exist.`);
    return { kind: 'failed', thread, failure };
  }
  // Step 2.
  const { taskId, parameters, attempt } = task;
  const { timeoutSeconds, heartbeatSeconds } = attempt;
  const scheduled = recordStart(turn, state, thread.previousEventId, { parameters, attempt });
  const input = parameters.text;
  const { retryCount } = thread;
  turn.effects.push({
    kind: 'scheduleActivity',
    taskId,
    activityArn,
    stateName: state.name,
    retryCount,
    input,
  });
  const offer: ActivityOffer = {
    activityArn,
    input,
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(heartbeatSeconds !== undefined && { heartbeatSeconds }),
  };
  const waits = {
    kind: 'task' as const,
    taskId,
    isSubmitted: false,
    timeout: null,
    heartbeat: null,
    offer,
  };
  return { kind: 'waiting', thread: movedThread(thread, scheduled, waits) };
}

/** Goes on waiting: a worker has the task. The limits of the attempt begin now. */
export function activityStarted(
  turn: Turn,
  thread: Thread & { readonly waits: TaskWaiting },
  workerName: string | undefined,
): Thread {
  const { offer, ...waits } = thread.waits;
  if (!offer) return thread;
  // Step 3.
  const started = turn.appendTo(thread, 'ActivityStarted', workerName === undefined ? {} : { workerName });
  const { timeoutSeconds, heartbeatSeconds } = offer;
  const timerFor = (kind: 'timeout' | 'heartbeat', seconds: number) =>
    setTimer(turn, waitId(kind, started.previousEventId), turn.context.now + seconds * 1000);
  const timeout = timeoutSeconds === undefined ? null : timerFor('timeout', timeoutSeconds);
  const heartbeat =
    heartbeatSeconds === undefined
      ? null
      : { ...timerFor('heartbeat', heartbeatSeconds), seconds: heartbeatSeconds };
  return { ...started, waits: { ...waits, isSubmitted: true, timeout, heartbeat } };
}
