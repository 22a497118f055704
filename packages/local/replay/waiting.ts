import { liveChildren, type Signal, type Thread, type Waiting } from '../engine/index';
import { isJsonObject, type Json, jsonOr } from '../json/json';
import { isTruncated } from './comparable-details';
import type { RecordedEvent } from './recording';
import { rejectionIn } from './rejected-call';

/** A thread that something has to happen to before it goes on. */
export type WaitingThread = Thread & { readonly waits: Waiting };

/** The threads at and below this one that wait for something themselves. */
export function waitingThreads(thread: Thread | null): readonly WaitingThread[] {
  if (!thread?.waits) return [];
  const { waits } = thread;
  if (waits.kind !== 'branches' && waits.kind !== 'iterations') return [{ ...thread, waits }];
  return liveChildren(thread).flatMap(child => waitingThreads(child.thread));
}

/** What the recording says has happened to a thread: as a signal, or why it cannot be told or is something else. */
export type Happened =
  | { readonly kind: 'signal'; readonly signal: Signal }
  /** The definition waits for something else here. */
  | { readonly kind: 'other' }
  /** The recording has not all of it. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** What an event of the recording means for a thread that waits. */
export function happenedTo({ waits }: WaitingThread, event: RecordedEvent): Happened {
  const { type } = event;
  switch (waits.kind) {
    case 'pause':
      return type.endsWith('StateEntered') && event.details['name'] === waits.next
        ? signal({ kind: 'pauseEnded', pauseId: waits.pauseId })
        : OTHER;
    case 'timer':
      return /^(?:WaitStateExited|EvaluationFailed)$/.test(type)
        ? signal({ kind: 'timerDue', timerId: waits.timer.timerId })
        : OTHER;
    case 'retry':
      return ATTEMPT.test(type) || rejectionIn(event) !== undefined
        ? signal({ kind: 'timerDue', timerId: waits.timer.timerId })
        : OTHER;
    case 'task':
      return answeredBy(waits, event);
    case 'mapRun':
    case 'branches':
    case 'iterations':
      return OTHER;
    default:
      return waits satisfies never;
  }
}

const OTHER: Happened = { kind: 'other' };

/** What another attempt begins with: its call, its threads, or what is wrong with its fields. */
const ATTEMPT =
  /^(?:(?:Task|LambdaFunction|Activity)Scheduled|(?:Parallel|Map)StateStarted|MapRunStarted|EvaluationFailed)$/;

function signal(given: Signal): Happened {
  return { kind: 'signal', signal: given };
}

function answeredBy(waits: Waiting & { readonly kind: 'task' }, event: RecordedEvent): Happened {
  const { type, details } = event;
  const { taskId } = waits;
  if (type === 'ActivityStarted') {
    const workerName = textOf(details['workerName']);
    return signal({ kind: 'activityStarted', taskId, ...(workerName !== undefined && { workerName }) });
  }
  if (/^(?:Task|LambdaFunction|Activity)Succeeded$/.test(type) || type === 'TaskSubmitted') {
    const output = outputOf(event);
    if (!output)
      return { kind: 'unknown', reason: `the recording has not all of the output of event ${event.id}` };
    const kind = type === 'TaskSubmitted' ? 'taskSubmitted' : 'taskSucceeded';
    return signal({ kind, taskId, output: output.value, text: output.text });
  }
  if (/^(?:Task|LambdaFunction|Activity)TimedOut$/.test(type)) {
    const timer = timerOf(waits, event.timestamp);
    if (timer) return signal({ kind: 'timerDue', timerId: timer.timerId });
  }
  if (/^(?:Task|LambdaFunction|Activity)(?:\w*Failed|TimedOut)$/.test(type)) {
    const error = textOf(details['error']);
    const cause = textOf(details['cause']);
    return signal({
      kind: 'taskFailed',
      taskId,
      ...(error !== undefined && { error }),
      ...(cause !== undefined && { cause }),
    });
  }
  return OTHER;
}

/** Which of the two timers it was that was due: the heartbeat's where it was due by then and the timeout was not. */
function timerOf({ timeout, heartbeat }: Waiting & { readonly kind: 'task' }, at: number) {
  if (!timeout || !heartbeat) return timeout ?? heartbeat;
  return at + TOLERANCE_MS >= timeout.due ? timeout : heartbeat;
}

/** How exactly times are compared: an event is written some moment after what it tells of. */
export const TOLERANCE_MS = 2000;

function outputOf({ details }: RecordedEvent): { readonly value: Json; readonly text: string } | undefined {
  const { output } = details;
  if (typeof output !== 'string' || isTruncated(details, 'output')) return undefined;
  const value = jsonOr(output, undefined);
  return value === undefined ? undefined : { value, text: output };
}

function textOf(value: Json | undefined): string | undefined {
  if (isJsonObject(value)) return JSON.stringify(value);
  return typeof value === 'string' ? value : undefined;
}
