import type { HistoryEvent } from '../../views';
import { detailsOf, textIn, textsIn } from './details';
import { Versions } from './versions';
import type { Visit, VisitStart, VisitStatus, World } from './visits';

/** Where an event stands: within which visits, and behind which one. */
interface Place {
  readonly visit: Stay | undefined;
  /** Where the Map or Parallel state of the visit stands. */
  readonly outer: Place | undefined;
  readonly last: VisitStart | undefined;
  readonly iteration: number | undefined;
}

/** States that others are in. */
const HOLDERS: ReadonlySet<string> = new Set(['Map', 'Parallel']);

const NOWHERE: Place = { visit: undefined, outer: undefined, last: undefined, iteration: undefined };

/** A visit, as it was at each point. */
class Stay {
  readonly start: VisitStart;
  readonly outer: Stay | undefined;
  readonly versions: Versions<Visit>;

  constructor(visit: Visit, outer: Stay | undefined, point: number) {
    this.start = visit;
    this.outer = outer;
    this.versions = new Versions(point, visit);
  }
}

type End = Pick<World, 'status' | 'input' | 'output' | 'error' | 'cause' | 'redrives'>;

const BEGINNING: End = {
  status: 'RUNNING',
  input: undefined,
  output: undefined,
  error: undefined,
  cause: undefined,
  redrives: 0,
};

const TIMELINES = new WeakMap<readonly HistoryEvent[], Timeline>();

/** The timeline of a history; of the same list it is the same. */
export function timelineOf(events: readonly HistoryEvent[]): Timeline {
  const known = TIMELINES.get(events) ?? new Timeline(events);
  TIMELINES.set(events, known);
  return known;
}

/**
 * A history, to be looked at as it was at any of its events. It is read once, and keeps of each visit what it was when:
 * a look at another moment is no other reading. A history whose beginning or middle is missing is read as far as it
 * goes: what an event belongs to is then taken from the event before.
 */
export class Timeline {
  readonly #stays: Stay[] = [];
  /** Those that were neither left nor stopped. */
  readonly #open = new Set<Stay>();
  readonly #places = new Map<number, Place>();
  readonly #end = new Versions(0, BEGINNING);
  readonly #variables = new Versions<World['variables']>(0, {});
  #last: Place = NOWHERE;
  /** How many events were read. */
  #point = 0;

  constructor(events: readonly HistoryEvent[]) {
    for (const event of events) {
      this.#point += 1;
      const before = this.#places.get(event.previousEventId ?? 0) ?? this.#last;
      const place = this.#placeOf(event, before);
      this.#places.set(event.id, place);
      this.#last = place;
    }
  }

  /** The execution after so many of its events; by default after all. */
  at(point = this.#point): World {
    const visits: Visit[] = [];
    for (const { versions } of this.#stays) {
      const visit = point >= this.#point ? versions.last : versions.at(point);
      // They stand in the order of their beginnings.
      if (visit === undefined) break;
      visits.push(visit);
    }
    return {
      ...(this.#end.at(point) ?? BEGINNING),
      visits,
      running: visits.filter(({ status }) => status === 'running'),
      variables: this.#variables.at(point) ?? {},
    };
  }

  #change(visit: Stay, changed: Partial<Visit>): void {
    visit.versions.set(this.#point, { ...visit.versions.last, ...changed });
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
      if (holder.visit?.versions.last.exitedAt === undefined) this.#tryAgain(holder.visit);
      return inside(holder, undefined);
    }
    if (/^(?:Map|Parallel)State(?:Succeeded|Failed|Aborted)$/.test(type)) {
      const place = placeWithin(before, type.startsWith('Map') ? 'Map' : 'Parallel');
      if (place.visit === undefined) return place;
      if (type.endsWith('Succeeded')) this.#change(place.visit, { hasFailed: false });
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
    const start: Visit = {
      id: event.id,
      name: textIn(name) ?? '?',
      type,
      parent: outer?.visit?.start,
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
    const visit = new Stay(start, outer?.visit, this.#point);
    this.#stays.push(visit);
    this.#open.add(visit);
    return { visit, outer, last: before.last, iteration };
  }

  #exit(event: HistoryEvent, before: Place): Place {
    const { name, output, assignedVariables } = event.stateExitedEventDetails ?? {};
    const place = outwards(before, ({ visit }) => visit?.start.name === name) ?? before;
    const { visit, outer, iteration } = place;
    if (visit === undefined) return before;
    const assigned = textsIn(assignedVariables);
    const status = visit.versions.last.hasFailed ? 'caught' : 'succeeded';
    this.#change(visit, { exitedAt: event.timestamp, output: textIn(output), assigned, status });
    this.#open.delete(visit);
    // Of thousands of iterations that are under way at once, each exit must not look at all others.
    if (HOLDERS.has(visit.start.type)) this.#stopWithin(visit, 'aborted');
    if (outer?.visit === undefined && Object.keys(assigned).length > 0) {
      this.#variables.set(this.#point, { ...this.#variables.last, ...assigned });
    }
    return { visit: undefined, outer, last: visit.start, iteration };
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

  #try(event: HistoryEvent, visit: Stay | undefined): void {
    if (visit === undefined) return;
    const details = detailsOf(event);
    if (/(?:TaskScheduled|LambdaFunctionScheduled|ActivityScheduled)$/.test(event.type)) {
      const args = textIn(details['parameters'] ?? details['input']);
      this.#change(visit, { calls: visit.versions.last.calls + 1, args });
    } else if (/(?:Failed|TimedOut)$/.test(event.type)) this.#fail(visit, event, false);
    else if (/^(?:Task|LambdaFunction|Activity)Succeeded$/.test(event.type)) {
      this.#change(visit, { status: 'succeeded', hasFailed: false });
    }
    // It goes on until it is left.
    if (/Scheduled$|Started$/.test(event.type)) this.#tryAgain(visit);
  }

  #tryAgain(visit: Stay | undefined): void {
    if (visit === undefined) return;
    this.#change(visit, { status: 'running', hasFailed: false });
    this.#open.add(visit);
  }

  #fail(visit: Stay, event: HistoryEvent, isOver = true): void {
    const { error, cause } = detailsOf(event);
    const { failures, exitedAt, status } = visit.versions.last;
    const last = failures.at(-1);
    const failure = { at: event.timestamp, error: textIn(error) ?? '', cause: textIn(cause) ?? '' };
    const isKnown = last?.at === failure.at && last.error === failure.error;
    this.#change(visit, {
      failures: isKnown ? failures : [...failures, failure],
      hasFailed: true,
      status: isOver && exitedAt === undefined ? 'failed' : status,
    });
  }

  #execution(event: HistoryEvent, before: Place): Place {
    const details = detailsOf(event);
    if (event.type === 'ExecutionStarted') {
      this.#end.set(this.#point, { ...this.#end.last, input: textIn(details['input']) });
      return NOWHERE;
    }
    if (event.type === 'ExecutionRedriven') {
      const redrives = this.#end.last.redrives + 1;
      const again = {
        ...this.#end.last,
        status: 'RUNNING',
        error: undefined,
        cause: undefined,
        redrives,
      } as const;
      this.#end.set(this.#point, again);
      // Step Functions does not record again that a state was entered.
      const stopped = this.#stays.findLast(({ versions }) => versions.last.exitedAt === undefined);
      for (let each = stopped; each !== undefined; each = each.outer) this.#tryAgain(each);
      return this.#last.visit === undefined && stopped
        ? { ...NOWHERE, visit: stopped, last: stopped.start.from }
        : this.#last;
    }
    const status = STATUS_OF[event.type];
    if (status === undefined) return before;
    const [output, error, cause] = [details['output'], details['error'], details['cause']].map(textIn);
    this.#end.set(this.#point, { ...this.#end.last, status, output, error, cause });
    const end = END_OF[status];
    if (end !== undefined) for (const visit of this.#open) this.#change(visit, { status: end });
    return before;
  }

  /** What is still at work in a Map or Parallel state ends with it, or with its iteration. */
  #stopWithin(
    outer: Stay | undefined,
    status: VisitStatus,
    isMeant: (iteration: number | undefined) => boolean = () => true,
  ): void {
    if (outer === undefined) return;
    for (const visit of this.#open) {
      if (!isIn(visit, outer, isMeant)) continue;
      this.#change(visit, { status: visit.versions.last.hasFailed ? 'failed' : status });
      this.#open.delete(visit);
    }
  }
}

/** Whether a visit is within another, in one of the iterations that are meant. */
function isIn(visit: Stay, outer: Stay, isMeant: (iteration: number | undefined) => boolean): boolean {
  for (let inner: Stay | undefined = visit; inner !== undefined; inner = inner.outer)
    if (inner.outer === outer) return isMeant(inner.start.iteration);
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
  return outwards(place, ({ visit }) => visit?.start.type === type) ?? place;
}

function outwards(place: Place, holds: (place: Place) => boolean): Place | undefined {
  for (let each: Place | undefined = place; each !== undefined; each = each.outer)
    if (holds(each)) return each;
  return undefined;
}
