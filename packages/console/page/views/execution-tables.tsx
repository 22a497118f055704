import type { HistoryEvent } from '../../views';
import { detailsOf, textIn } from '../history/details';
import type { ExecutionSnapshot } from '../history/visits';
import { duration, timeOfDay } from '../text';
import { Rows } from './rows';
import { Status } from './status';

const STATE_COLUMNS = [
  ['state', 5],
  ['status', 2],
  ['type', 2],
  ['entered (UTC)', 2],
  ['lasted', 2],
  ['calls', 1],
  ['error', 4],
] as const;

/** Every visit in every state, in order. */
export function VisitTable(props: {
  readonly snapshot: ExecutionSnapshot;
  readonly chosen: number | undefined;
  readonly choose: (id: number) => void;
}) {
  const { visits } = props.snapshot;
  return (
    <Rows
      label="States"
      columns={STATE_COLUMNS}
      count={visits.length}
      row={index => {
        const visit = visits[index];
        if (visit === undefined) return [];
        const { id, name, status, type, enteredAt, exitedAt, calls, failures, parent, iteration } = visit;
        return [
          <button
            type="button"
            class="link"
            aria-pressed={id === props.chosen}
            onClick={() => props.choose(id)}
          >
            {parent === undefined ? '' : `${parent.name}${iteration === undefined ? '' : ` ${iteration}`} › `}
            {name}
          </button>,
          <Status of={status} />,
          type,
          timeOfDay(enteredAt),
          exitedAt === undefined ? '' : duration(exitedAt - enteredAt),
          calls === 0 ? '' : calls,
          failures.at(-1)?.error ?? '',
        ];
      }}
    />
  );
}

const EVENT_COLUMNS = [
  ['event', 1],
  ['time (UTC)', 2],
  ['type', 4],
  ['of', 4],
  ['what it says', 8],
] as const;

/** Every event as it was recorded; a click goes to its moment. */
export function EventTable(props: {
  readonly events: readonly HistoryEvent[];
  readonly count: number;
  readonly move: (to: number) => void;
}) {
  return (
    <Rows
      label="Events"
      columns={EVENT_COLUMNS}
      count={props.events.length}
      row={index => {
        const event = props.events[index];
        if (event === undefined) return [];
        const { name, resource } = detailsOf(event);
        return [
          <button
            type="button"
            class="link"
            aria-pressed={index + 1 === props.count}
            onClick={() => props.move(index + 1)}
          >
            {event.id}
          </button>,
          timeOfDay(event.timestamp),
          event.type,
          textIn(name) ?? textIn(resource) ?? '',
          summaryOf(event),
        ];
      }}
    />
  );
}

const SUMMARIES = new WeakMap<HistoryEvent, string>();

/** What an event says, on a line. Made once: a result may have 256 KiB, and rows are drawn again while they scroll. */
function summaryOf(event: HistoryEvent): string {
  const known = SUMMARIES.get(event);
  if (known !== undefined) return known;
  const { name: _, resource: __, error, ...details } = detailsOf(event);
  const words =
    textIn(error) === undefined
      ? JSON.stringify(details).slice(0, 300)
      : `${textIn(error)} ${textIn(details['cause']) ?? ''}`;
  SUMMARIES.set(event, words);
  return words;
}
