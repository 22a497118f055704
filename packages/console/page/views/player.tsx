import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { HistoryEvent } from '../../views';
import { graphOf } from '../graph/graph';
import { calledBy } from '../history/calls';
import { countAt, visitInFocus } from '../history/focus';
import { itemsIn } from '../history/items';
import { timelineOf } from '../history/timeline';
import type { Visit } from '../history/visits';
import { timeOfDay } from '../text';
import { EventTable, VisitTable } from './execution-tables';
import { GraphPicture } from './graph-picture';
import { Items, Variables, VisitPanel } from './visit-panel';

/** A history to go through, forwards and backwards: graph, states, variables and records as they were at each event. */
export function Player({
  events,
  definition,
  executionArn,
  origin,
  moment,
}: {
  readonly events: readonly HistoryEvent[];
  readonly definition: string | null;
  /** Its own, if that is known. */
  readonly executionArn?: string;
  /** The origin of the definition, in words. */
  readonly origin: string;
  /** Epoch milliseconds: what it was like then is shown first, and the state that it was in. */
  readonly moment?: number | undefined;
}) {
  // Until the operator moves it, it is at the requested moment; the end moves on while the execution runs.
  const at = useSignal<number | 'end' | 'moment'>(moment === undefined ? 'end' : 'moment');
  const chosen = useSignal<number | undefined>(undefined);
  const tab = useSignal<Tab>('states');
  const asked = useMemo(() => visitInFocus(timelineOf(events).at(), moment), [events, moment]);
  const count = countOf(at.value, events, asked, moment);
  const items = useMemo(() => itemsIn(events), [events]);
  const snapshot = useMemo(() => timelineOf(events).at(count), [events, count]);
  const graph = useMemo(() => (definition === null ? undefined : graphOf(definition)), [definition]);
  const move = (to: number) => {
    at.value = to >= events.length ? 'end' : Math.max(1, to);
  };
  useKeys(count, move);
  // If the operator goes to another event, the state there is the interesting one.
  const isMoment = at.value === 'moment';
  const wanted = chosen.value ?? (isMoment ? asked?.id : undefined);
  const visit = snapshot.visits.find(({ id }) => id === wanted) ?? visitInFocus(snapshot);
  const choose = (id: number) => {
    chosen.value = id;
  };
  const isStates = tab.value === 'states';
  return (
    <div class="player">
      <Slider events={events} count={count} isEarlier={count < events.length} move={move} />
      <div class="split even">
        {graph === undefined ? (
          <p class="notice">There is no definition to draw. The tables show the path.</p>
        ) : (
          <div>
            <GraphPicture graph={graph} snapshot={snapshot} chosen={visit?.name} choose={choose} />
            <p class="note">The definition: {origin}.</p>
          </div>
        )}
        <div>
          {visit && (
            <VisitPanel
              visit={visit}
              called={calledBy(visit, events, count)}
              executionArn={executionArn}
              siblings={snapshot.visits.filter(({ name }) => name === visit.name)}
              choose={choose}
            />
          )}
          <Variables of={snapshot.variables} />
          <Items items={items.at(count) ?? []} now={events[count - 1]?.id ?? 0} />
        </div>
      </div>
      <Tabs
        chosen={tab.value}
        choose={name => {
          tab.value = name;
        }}
        counts={{ states: snapshot.visits.length, events: events.length }}
      />
      <div role="tabpanel" id="tables" aria-labelledby={isStates ? 'tab-states' : 'tab-events'}>
        {isStates ? (
          <VisitTable snapshot={snapshot} chosen={visit?.id} choose={choose} />
        ) : (
          <EventTable events={events} count={count} move={move} />
        )}
      </div>
    </div>
  );
}

function countOf(
  at: number | 'end' | 'moment',
  events: readonly HistoryEvent[],
  visit: Visit | undefined,
  moment = Number.POSITIVE_INFINITY,
): number {
  if (at === 'end') return events.length;
  return Math.min(at === 'moment' ? countAt(events, visit, moment) : at, events.length);
}

/** `j` and `k` go forwards and backwards. */
function useKeys(count: number, move: (to: number) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
      if (key === 'j') move(count + 1);
      if (key === 'k') move(count - 1);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

/** Moves through the events. */
function Slider(props: {
  readonly events: readonly HistoryEvent[];
  readonly count: number;
  /** Whether this is not the end, as far as there is one. */
  readonly isEarlier: boolean;
  readonly move: (to: number) => void;
}) {
  const { events, count, isEarlier, move } = props;
  const current = events[count - 1];
  return (
    <div class="slider">
      <button type="button" onClick={() => move(count - 1)} disabled={count <= 1} aria-label="One event back">
        ◀
      </button>
      <label>
        <span class="visually-hidden">Event</span>
        <input
          type="range"
          min={1}
          max={events.length}
          value={count}
          aria-valuetext={`event ${count} of ${events.length}, ${current?.type ?? ''}`}
          onInput={({ currentTarget }) => move(Number(currentTarget.value))}
        />
      </label>
      <button
        type="button"
        onClick={() => move(count + 1)}
        disabled={count >= events.length}
        aria-label="One event forward"
      >
        ▶
      </button>
      <output>
        event {count} of {events.length}: {current?.type} at{' '}
        {current === undefined ? '' : timeOfDay(current.timestamp)}
        {isEarlier ? ' (an earlier moment)' : ''}
      </output>
    </div>
  );
}

type Tab = 'states' | 'events';

function Tabs(props: {
  readonly chosen: Tab;
  readonly choose: (tab: Tab) => void;
  readonly counts: Readonly<Record<Tab, number>>;
}) {
  const { chosen, choose, counts } = props;
  return (
    <div class="tabs" role="tablist" aria-label="Tables">
      {(['states', 'events'] as const).map(name => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          aria-selected={chosen === name}
          aria-controls="tables"
          onClick={() => choose(name)}
        >
          {name === 'states' ? 'States' : 'Events'} ({counts[name]})
        </button>
      ))}
    </div>
  );
}
