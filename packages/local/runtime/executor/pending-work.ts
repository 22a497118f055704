import {
  type Effect,
  type Execution,
  executionTimer,
  type HistoryEvent,
  liveChildren,
  type Machine,
  type Signal,
  type Thread,
  type Timer,
  waitedRuns,
} from '../../engine/index';
import type { Json } from '../../json/json';
import type { ServiceTable } from '../calls/service';
import type { Store, StoredExecution } from '../store/store';

/** The waits of an execution that a new process must take up. */
export interface PendingWork {
  readonly timers: readonly Timer[];
  /** The work that is requested again: ends of pauses, workers for tasks of activities that have none, and Map Runs. */
  readonly effects: readonly Effect[];
  /** Attempts whose answer only the process that made the call could have delivered. */
  readonly calls: readonly PendingCall[];
}

/** An attempt whose call has no answer yet or, for a job, no result. */
export interface PendingCall {
  readonly taskId: string;
  readonly stateName: string;
  /** The integration as a service table names it. */
  readonly resource: string;
  /** The `TaskSubmitted` event of a job that was accepted. */
  readonly submittedEventId?: number;
}

/** Everything an execution waits for that does not outlive a process: timers, pauses, offers and calls. */
export function pendingWork(machine: Machine, execution: Execution): PendingWork {
  const limit = executionTimer(machine, execution);
  const threads = execution.root ? leavesOf(execution.root) : [];
  return {
    timers: [...(limit && execution.lastEventId > 0 ? [limit] : []), ...threads.flatMap(timersOf)],
    effects: threads.flatMap(effectsOf),
    calls: threads.flatMap(thread => callsOf(machine, thread)),
  };
}

function leavesOf(thread: Thread): Thread[] {
  const children = liveChildren(thread);
  return children.length === 0 ? [thread] : children.flatMap(child => leavesOf(child.thread));
}

function timersOf({ waits }: Thread): Timer[] {
  switch (waits?.kind) {
    case 'timer':
    case 'retry':
      return [waits.timer];
    case 'task':
      return [waits.timeout, waits.heartbeat].flatMap(timer => (timer ? [timer] : []));
    default:
      return [];
  }
}

function effectsOf({ state: stateName, waits, retryCount }: Thread): Effect[] {
  if (waits?.kind === 'mapRun') {
    const { taskId, run, source, inputs, destination } = waits;
    return source
      ? [{ kind: 'readItems', taskId, stateName, run, source }]
      : [{ kind: 'runChildren', taskId, stateName, run, inputs, destination }];
  }
  if (waits?.kind === 'pause') return [{ kind: 'pause', pauseId: waits.pauseId }];
  if (waits?.kind !== 'task' || !waits.offer) return [];
  const { activityArn, input } = waits.offer;
  return [{ kind: 'scheduleActivity', taskId: waits.taskId, activityArn, stateName, retryCount, input }];
}

function callsOf(machine: Machine, { state, waits, previousEventId }: Thread): PendingCall[] {
  const definition = machine.definition.states.get(state);
  if (waits?.kind !== 'task' || definition?.kind !== 'task') return [];
  const { pattern, integration } = definition.resource;
  if (pattern === 'activity') return [];
  // The result of a callback is sent to whichever process is running then.
  if (pattern === 'callback' && waits.isSubmitted) return [];
  const call = { taskId: waits.taskId, stateName: state, resource: integration };
  return [waits.isSubmitted ? { ...call, submittedEventId: previousEventId } : call];
}

/**
 * Cancels the jobs that these executions have submitted and do not wait for any more.
 *
 * A process may end after it has saved that a state was left and before it has cancelled that state's job. A job that
 * was cancelled before is cancelled again, which changes nothing.
 */
function cancelOrphanedJobs(executions: Iterable<StoredExecution>, services: ServiceTable): void {
  for (const stored of executions) {
    for (const { resourceType, resource, output } of orphanedJobs(stored)) {
      const service = services.get(`${resourceType}:${resource}`);
      if (output !== undefined) void service?.rejoin?.(JSON.parse(output) as Json, AbortSignal.abort());
    }
  }
}

/** The `TaskSubmitted` events that no event follows and whose result no thread waits for. */
function orphanedJobs({ choice, execution, history }: StoredExecution): readonly HistoryEvent[] {
  const submissions = history.filter(({ type }) => type === 'TaskSubmitted');
  if (submissions.length === 0) return [];
  const followed = new Set(history.map(event => event.previousEventId));
  const { calls } = pendingWork(choice.machine, execution);
  const waited = new Set(calls.map(call => call.submittedEventId));
  return submissions.filter(({ id }) => !followed.has(id) && !waited.has(id));
}

export interface ResumePorts {
  readonly executor: {
    resume(left: readonly StoredExecution[]): void;
    stop(stored: StoredExecution, signal: Signal & { kind: 'stopped' }): Promise<void>;
  };
  readonly store: Store;
  readonly services: ServiceTable;
}

/**
 * Resumes the executions that an earlier process left running; returns their number. Those of these ARNs are left out.
 * Executions of abandoned Map Runs are stopped.
 */
export function resumeLeft({ executor, store, services }: ResumePorts, stop: readonly string[]): number {
  const running = store.running();
  const stopped = notWaitedFor(running, stop);
  const left = running.filter(stored => runs(stored) && !stopped.has(stored));
  executor.resume(left);
  const stopping = [...stopped].map(stored => executor.stop(stored, STOPPED_AT_START));
  // A job is an execution, too: without any that runs there is none to cancel.
  if (running.length > 0) {
    void Promise.allSettled(stopping).then(() => cancelOrphanedJobs(store.all(), services));
  }
  return left.length;
}

/**
 * Those of these ARNs, and those of Map Runs whose own execution has ended, or is among them: the process may have
 * ended before it had stopped them.
 */
function notWaitedFor(
  running: readonly StoredExecution[],
  arns: readonly string[],
): ReadonlySet<StoredExecution> {
  const stopped = new Set(running.filter(({ execution }) => arns.includes(execution.arn)));
  for (let before = -1; before < stopped.size; ) {
    before = stopped.size;
    const waiting = running.filter(stored => !stopped.has(stored));
    const waited = waiting.flatMap(({ execution }) => waitedRuns(execution.root));
    const runArns = new Set(waited.map(({ run }) => run.arn));
    for (const stored of waiting) {
      const { mapRun } = stored.choice;
      if (mapRun && !runArns.has(mapRun.arn)) stopped.add(stored);
    }
  }
  return stopped;
}

const STOPPED_AT_START = { kind: 'stopped', cause: 'Stopped when the local runtime was started' } as const;

/** Whether the definition of an execution is one that this version runs. */
export function runs({ choice }: StoredExecution): boolean {
  return choice.machine.definition.states.size > 0;
}
