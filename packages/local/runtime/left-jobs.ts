import type { HistoryEvent } from '../engine/history';
import type { Json } from '../json/json';
import { openEnds } from './open-ends';
import type { ServiceTable } from './service';
import type { Stored } from './store';

/**
 * Gives the jobs up that these executions have submitted and do not wait for any more.
 *
 * A process may end after it has kept that a state was left and before it could tell the job, which would go on with
 * nobody waiting for it. Jobs that were told before are told again; that changes nothing for them.
 */
export function abandonLeftJobs(executions: Iterable<Stored>, services: ServiceTable): void {
  for (const stored of executions) {
    for (const { resourceType, resource, output } of leftJobs(stored)) {
      const service = services.get(`${resourceType}:${resource}`);
      if (output !== undefined) void service?.rejoin?.(JSON.parse(output) as Json, AbortSignal.abort());
    }
  }
}

/** The submissions that nothing follows and nobody waits behind. */
function leftJobs({ choice, execution, history }: Stored): readonly HistoryEvent[] {
  const submissions = history.filter(({ type }) => type === 'TaskSubmitted');
  if (submissions.length === 0) return [];
  const followed = new Set(history.map(event => event.previousEventId));
  const { calls } = openEnds(choice.machine, execution);
  const waited = new Set(calls.map(call => call.submittedEventId));
  return submissions.filter(({ id }) => !followed.has(id) && !waited.has(id));
}
