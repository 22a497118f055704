import type { HistoryEvent } from '../../views';
import { detailsOf, textIn, textsIn } from './details';

/** How a stay in a state stands. */
export type VisitStatus = 'running' | 'succeeded' | 'caught' | 'failed' | 'aborted' | 'timedOut';

/** One stay in one state. Its texts are JSON as the history has them; undefined where it leaves them out. */
export interface Visit {
  /** The id of the event that it began with. */
  readonly id: number;
  readonly name: string;
  readonly type: string;
  /** The Map or Parallel state that it is in; undefined at the top. */
  readonly parent: Visit | undefined;
  /** Of a Map iteration, counted from 0. */
  readonly iteration: number | undefined;
  /** The state that the execution came from, within the same flow. */
  readonly from: Visit | undefined;
  readonly enteredAt: number;
  readonly input: string | undefined;
  status: VisitStatus;
  exitedAt: number | undefined;
  output: string | undefined;
  /** What its task was called with, last. */
  args: string | undefined;
  /** Calls that were begun, the first one and retries. */
  calls: number;
  /** Variables that it assigned as it was left, each JSON text. */
  assigned: Readonly<Record<string, string>>;
  readonly failures: { readonly at: number; readonly error: string; readonly cause: string }[];
  /** Whether the last that it tried failed, with no other try or success behind it. */
  hasFailed: boolean;
}

/** An execution at some point of its history. */
export interface World {
  readonly status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED' | 'TIMED_OUT';
  /** In the order of their beginnings. */
  readonly visits: readonly Visit[];
  /** Those at work, innermost last. */
  readonly running: readonly Visit[];
  /** Variables at the top of the machine, each JSON text. */
  readonly variables: Readonly<Record<string, string>>;
  readonly input: string | undefined;
  readonly output: string | undefined;
  readonly error: string | undefined;
  readonly cause: string | undefined;
  readonly redrives: number;
}

/** Where an event stands: within which visits, and behind which one. */
interface Place {
  readonly visit: Visit | undefined;
  /** Where the Map or Parallel state of the visit stands. */
  readonly outer: Place | undefined;
  readonly last: Visit | undefined;
  readonly iteration: number | undefined;
}

const NOWHERE: Place = { visit: undefined, outer: undefined, last: undefined, iteration: undefined };

/**
 * Reads a history up to an event: `count` events of it, or all. A history whose beginning or middle is missing is read
 * as far as it goes: what an event belongs to is then taken from the event before.
 */
export function worldAt(events: readonly HistoryEvent[], count = events.length): World {
  const reader = new Reader();
  for (let index = 0; index < count; index += 1) {
    const event = events[index];
    if (event !== undefined) reader.read(event);
  }
  return reader.world();
}

class Reader {
  readonly #visits: Visit[] = [];
  /** Those that were neither left nor stopped. */
  readonly #open = new Set<Visit>();
  readonly #places = new Map<number, Place>();
  readonly #end: { -readonly [Name in keyof World]?: World[Name] } = {};
  #variables: Record<string, string> = {};
  #last: Place = NOWHERE;
  #redrives = 0;

  read(event: HistoryEvent): void {
    const before = this.#places.get(event.previousEventId ?? 0) ?? this.#last;
    const place = this.#placeOf(event, before);
    this.#places.set(event.id, place);
    this.#last = place;
  }

  world(): World {
    return {
      status: 'RUNNING',
      input: undefined,
      output: undefined,
      error: undefined,
      cause: undefined,
      ...this.#end,
      visits: this.#visits,
      running: this.#visits.filter(({ status }) => status === 'running'),
      variables: this.#variables,
      redrives: this.#redrives,
    };
  }

  #placeOf(event: HistoryEvent, before: Place): Place {
    const { type } = event;
    if (/^Execution/.test(type)) return this.#execution(event, before);
    if (/StateEntered$/.test(type)) return this.#enter(event, before);
    if (/StateExited$/.test(type)) return this.#exit(event, before);
    if (type === 'MapIterationStarted') {
      const { index } = event.mapIterationStartedEventDetails ?? {};
      const map = placeWithin(before, 'Map');
      return inside(map, typeof index === 'number' ? index : undefined);
    }
    if (/^MapIteration/.test(type)) return this.#iterationEnds(event, before);
    if (type === 'ParallelStateStarted' || type === 'MapStateStarted') {
      const holder = placeWithin(before, type.startsWith('Map') ? 'Map' : 'Parallel');
      if (holder.visit?.exitedAt === undefined) this.#tryAgain(holder.visit);
      return inside(holder, undefined);
    }
    if (/^(?:Map|Parallel)State(?:Succeeded|Failed|Aborted)$/.test(type)) {
      const place = placeWithin(before, type.startsWith('Map') ? 'Map' : 'Parallel');
      if (place.visit === undefined) return place;
      if (type.endsWith('Succeeded')) place.visit.hasFailed = false;
      else this.#fail(place.visit, event);
      this.#stopWithin(place.visit, 'aborted');
      return place;
    }
    this.#try(event, before.visit);
    return before;
  }

  #enter(event: HistoryEvent, before: Place): Place {
    const { name, input } = event.stateEnteredEventDetails ?? {};
    // A state that was not left, and is followed by another: its end is missing in this history.
    const { outer, iteration } = before;
    const type = event.type.replace(/StateEntered$/, '');
    const visit: Visit = {
      id: event.id,
      name: textIn(name) ?? '?',
      type,
      parent: outer?.visit,
      iteration,
      from: before.last,
      enteredAt: event.timestamp,
      input: textIn(input),
      status: 'running',
      exitedAt: undefined,
      output: undefined,
      args: undefined,
      calls: 0,
      assigned: {},
      failures: [],
      hasFailed: type === 'Fail',
    };
    this.#visits.push(visit);
    this.#open.add(visit);
    return { visit, outer, last: before.last, iteration };
  }

  #exit(event: HistoryEvent, before: Place): Place {
    const { name, output, assignedVariables } = event.stateExitedEventDetails ?? {};
    const place = outwards(before, ({ visit }) => visit?.name === name) ?? before;
    const { visit, outer, iteration } = place;
    if (visit === undefined) return before;
    visit.exitedAt = event.timestamp;
    visit.output = textIn(output);
    visit.assigned = textsIn(assignedVariables);
    visit.status = visit.hasFailed ? 'caught' : 'succeeded';
    this.#open.delete(visit);
    this.#stopWithin(visit, 'aborted');
    if (outer?.visit === undefined) this.#variables = { ...this.#variables, ...visit.assigned };
    return { visit: undefined, outer, last: visit, iteration };
  }

  #iterationEnds(event: HistoryEvent, before: Place): Place {
    const map = placeWithin(before, 'Map');
    if (!event.type.endsWith('Succeeded')) {
      const { index } = event.mapIterationFailedEventDetails ?? event.mapIterationAbortedEventDetails ?? {};
      const status = event.type.endsWith('Failed') ? 'failed' : 'aborted';
      this.#stopWithin(map.visit, status, iteration => iteration === index);
    }
    return map;
  }

  #try(event: HistoryEvent, visit: Visit | undefined): void {
    if (visit === undefined) return;
    const details = detailsOf(event);
    if (/(?:TaskScheduled|LambdaFunctionScheduled|ActivityScheduled)$/.test(event.type)) {
      visit.calls += 1;
      visit.args = textIn(details['parameters'] ?? details['input']);
    } else if (/(?:Failed|TimedOut)$/.test(event.type)) this.#fail(visit, event, false);
    else if (/^(?:Task|LambdaFunction|Activity)Succeeded$/.test(event.type)) {
      visit.status = 'succeeded';
      visit.hasFailed = false;
    }
    // It goes on until it is left.
    if (/Scheduled$|Started$/.test(event.type)) this.#tryAgain(visit);
  }

  #tryAgain(visit: Visit | undefined): void {
    if (visit === undefined) return;
    visit.status = 'running';
    visit.hasFailed = false;
    this.#open.add(visit);
  }

  #fail(visit: Visit, event: HistoryEvent, isOver = true): void {
    const { error, cause } = detailsOf(event);
    const last = visit.failures.at(-1);
    const failure = { at: event.timestamp, error: textIn(error) ?? '', cause: textIn(cause) ?? '' };
    if (last?.at !== failure.at || last.error !== failure.error) visit.failures.push(failure);
    visit.hasFailed = true;
    if (isOver && visit.exitedAt === undefined) visit.status = 'failed';
  }

  #execution(event: HistoryEvent, before: Place): Place {
    const details = detailsOf(event);
    if (event.type === 'ExecutionStarted') {
      this.#end.input = textIn(details['input']);
      return NOWHERE;
    }
    if (event.type === 'ExecutionRedriven') {
      this.#redrives += 1;
      this.#end.status = 'RUNNING';
      this.#end.error = undefined;
      this.#end.cause = undefined;
      // Step Functions does not record again that a state was entered.
      const stopped = this.#visits.findLast(({ exitedAt }) => exitedAt === undefined);
      for (let each = stopped; each !== undefined; each = each.parent) this.#tryAgain(each);
      return this.#last.visit === undefined && stopped
        ? { ...NOWHERE, visit: stopped, last: stopped.from }
        : this.#last;
    }
    const status = STATUS_OF[event.type];
    if (status === undefined) return before;
    this.#end.status = status;
    this.#end.output = textIn(details['output']);
    this.#end.error = textIn(details['error']);
    this.#end.cause = textIn(details['cause']);
    for (const visit of this.#open) visit.status = END_OF[status] ?? visit.status;
    return before;
  }

  /** What is still at work in a Map or Parallel state ends with it, or with its iteration. */
  #stopWithin(
    outer: Visit | undefined,
    status: VisitStatus,
    isMeant: (iteration: number | undefined) => boolean = () => true,
  ): void {
    if (outer === undefined) return;
    for (const visit of this.#open) {
      if (!isIn(visit, outer, isMeant)) continue;
      visit.status = visit.hasFailed ? 'failed' : status;
      this.#open.delete(visit);
    }
  }
}

/** Whether a visit is within another, in one of the iterations that are meant. */
function isIn(visit: Visit, outer: Visit, isMeant: (iteration: number | undefined) => boolean): boolean {
  for (let inner: Visit | undefined = visit; inner !== undefined; inner = inner.parent)
    if (inner.parent === outer) return isMeant(inner.iteration);
  return false;
}

const STATUS_OF: Readonly<Record<string, World['status']>> = {
  ExecutionSucceeded: 'SUCCEEDED',
  ExecutionFailed: 'FAILED',
  ExecutionAborted: 'ABORTED',
  ExecutionTimedOut: 'TIMED_OUT',
};

const END_OF: Readonly<Partial<Record<World['status'], VisitStatus>>> = {
  FAILED: 'failed',
  ABORTED: 'aborted',
  TIMED_OUT: 'timedOut',
};

/** The inside of a Map or Parallel state, before its first state. */
function inside(outer: Place, iteration: number | undefined): Place {
  return { visit: undefined, outer, last: undefined, iteration };
}

function placeWithin(place: Place, type: string): Place {
  return outwards(place, ({ visit }) => visit?.type === type) ?? place;
}

function outwards(place: Place, holds: (place: Place) => boolean): Place | undefined {
  for (let each: Place | undefined = place; each !== undefined; each = each.outer)
    if (holds(each)) return each;
  return undefined;
}
