import type { HistoryEvent } from '../../views';
import { detailsOf } from './details';
import type { ExecutionSnapshot, Visit } from './visits';

/**
 * The visit that is shown first: the one that ended at a given moment, or that the execution was in then. Otherwise the
 * one that runs, the one with which the execution failed, or the last one.
 */
export function visitInFocus(
  { visits, running, status, error }: Pick<ExecutionSnapshot, 'visits' | 'running' | 'status' | 'error'>,
  moment?: number,
): Visit | undefined {
  if (moment !== undefined) {
    const ended = visits.filter(({ exitedAt }) => exitedAt === moment);
    // Several may end within a millisecond: the one that has taken its time is the one that is meant.
    const longest = ended.toSorted((one, other) => one.enteredAt - other.enteredAt)[0];
    const found = longest ?? visits.findLast(({ enteredAt }) => enteredAt <= moment);
    if (found !== undefined) return found;
  }
  if (running.length > 0) return running.at(-1);
  const failed = visits.findLast(({ failures }) => failures.some(failure => failure.error === error));
  return (status === 'FAILED' && error ? failed : undefined) ?? visits.at(-1);
}

/** How many events there were at a moment, 1 at least. If `visit` ended then: up to the event that ended it. */
export function countAt(events: readonly HistoryEvent[], visit: Visit | undefined, moment: number): number {
  const until = Math.max(1, events.filter(({ timestamp }) => timestamp <= moment).length);
  if (visit?.exitedAt !== moment) return until;
  const exit = events.findIndex(event => {
    const { id, timestamp, type } = event;
    const isExit = id > visit.id && timestamp === moment && type.endsWith('StateExited');
    return isExit && detailsOf(event)['name'] === visit.name;
  });
  return exit < 0 ? until : exit + 1;
}
