import { rowOf } from '../variants/table';
import { SHIPPED } from './code';
import type { QueueSubject } from './model';
import { exploreQueue, type QueueExploration } from './search';
import { QUEUE_SUBJECTS } from './subjects';

const COLUMNS = ['queue', 'messages', 'faults, up to', 'states', 'transitions', 'depth', 'violations'];

/** The row of the page for the exploration of the queue. */
export function queueRow({ name, messages, faults }: QueueSubject, exploration: QueueExploration): string {
  const { states, transitions, depth, violation } = exploration;
  const counts = [messages.length, faults, states, transitions, depth].map(count =>
    count.toLocaleString('en-US'),
  );
  return rowOf([name, ...counts, violation?.invariant ?? 'none']);
}

/** Explores all of the queue: the table of the page, and a trace of each violation. Rejects if it is aborted. */
export async function queueTable(
  next: (name: string) => void,
  signal: AbortSignal,
): Promise<{ readonly table: string; readonly traces: readonly string[] }> {
  const lines = [rowOf(COLUMNS), rowOf(COLUMNS.map(() => '---'))];
  const traces: string[] = [];
  for (const subject of QUEUE_SUBJECTS) {
    next(subject.name);
    const exploration = await exploreQueue(subject, SHIPPED, signal);
    lines.push(queueRow(subject, exploration));
    if (exploration.violation) traces.push(exploration.violation.schedule.join(' '));
  }
  return { table: lines.map(line => `${line}\n`).join(''), traces };
}
