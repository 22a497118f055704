import type { HistoryEvent } from '../engine/history';
import type { Json } from '../json/json';
import { pendingWork } from './pending-work';
import type { ServiceTable } from './service';
import type { StoredExecution } from './store';

/**
 * Cancels the jobs that these executions have submitted and do not wait for any more.
 *
 * A process may end after it has saved that a state was left and before it has cancelled that state's job. A job that
 * was cancelled before is cancelled again, which changes nothing.
 */
export function cancelOrphanedJobs(executions: Iterable<StoredExecution>, services: ServiceTable): void {
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
