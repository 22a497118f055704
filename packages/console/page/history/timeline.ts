import type { HistoryEvent } from '../../views';
import { detailsOf, textIn, textsIn } from './details';
import { Versions } from './versions';
import type { ExecutionSnapshot, Visit, VisitStart, VisitStatus } from './visits';

/** The position of an event: within which visits, and after which one. */
interface Position {
  readonly visit: VisitHistory | undefined;
  /** The position of the Map or Parallel state around the visit. */
  readonly outer: Position | undefined;
  readonly last: VisitStart | undefined;
  readonly iteration: number | undefined;
}

/** States that contain other states. */
const CONTAINER_STATES: ReadonlySet<string> = new Set(['Map', 'Parallel']);

const ROOT: Position = { visit: undefined, outer: undefined, last: undefined, iteration: undefined };

/** A visit, as it was at each point. */
class VisitHistory {
  readonly start: VisitStart;
  readonly outer: VisitHistory | undefined;
  readonly versions: Versions<Visit>;

  constructor(visit: Visit, outer: VisitHistory | undefined, point: number) {
    this.start = visit;
    this.outer = outer;
    this.versions = new Versions(point, visit);
  }
}

type End = Pick<ExecutionSnapshot, 'status' | 'input' | 'output' | 'error' | 'cause' | 'redrives'>;

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
 * A history, to be looked at as it was at any of its events. It is read once, and keeps the times of each visit:
 * another moment needs no other read. A history whose beginning or middle is missing is read as far as it goes: what an
 * event belongs to is then taken from the event before.
 */
export class Timeline {
  readonly #histories: VisitHistory[] = [];
  /** Those that were neither left nor stopped. */
  readonly #open = new Set<VisitHistory>();
  readonly #positions = new Map<number, Position>();
  readonly #end = new Versions(0, BEGINNING);
  readonly #variables = new Versions<ExecutionSnapshot['variables']>(0, {});
  #last: Position = ROOT;
  /** How many events were read. */
  #point = 0;

  constructor(events: readonly HistoryEvent[]) {
    for (const event of events) {
      this.#point += 1;
      const before = this.#positions.get(event.previousEventId ?? 0) ?? this.#last;
      const position = this.#positionOf(event, before);
      this.#positions.set(event.id, position);
      this.#last = position;
    }
  }

  /** The execution after so many of its events; by default after all. */
  at(point = this.#point): ExecutionSnapshot {
    const visits: Visit[] = [];
    for (const { versions } of this.#histories) {
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

  #change(visit: VisitHistory, changed: Partial<Visit>): void {
    visit.versions.set(this.#point, { ...visit.versions.last, ...changed });
  }

  #positionOf(event: HistoryEvent, before: Position): Position {
    const { type } = event;
    if (/^Execution/.test(type)) return this.#execution(event, before);
    if (/StateEntered$/.test(type)) return this.#enter(event, before);
    if (/StateExited$/.test(type)) return this.#exit(event, before);
    if (type === 'MapIterationStarted') {
      const { index } = event.mapIterationStartedEventDetails ?? {};
      const map = positionWithin(before, 'Map');
      return inside(map, typeof index === 'number' ? index : undefined);
    }
    if (/^MapIteration/.test(type)) return this.#iterationEnds(event, before);
    if (type === 'ParallelStateStarted' || type === 'MapStateStarted') {
      const holder = positionWithin(before, type.startsWith('Map') ? 'Map' : 'Parallel');
      if (holder.visit?.versions.last.exitedAt === undefined) this.#tryAgain(holder.visit);
      return inside(holder, undefined);
    }
    if (/^(?:Map|Parallel)State(?:Succeeded|Failed|Aborted)$/.test(type)) {
      const position = positionWithin(before, type.startsWith('Map') ? 'Map' : 'Parallel');
      if (position.visit === undefined) return position;
      if (type.endsWith('Succeeded')) this.#change(position.visit, { hasFailed: false });
      else this.#fail(position.visit, event);
      this.#stopWithin(position.visit, 'aborted');
      return position;
    }
    this.#try(event, before.visit);
    return before;
  }

  #enter(event: HistoryEvent, before: Position): Position {
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
      redrives: 0,
      assigned: {},
      failures: [],
      hasFailed: type === 'Fail',
    };
    const visit = new VisitHistory(start, outer?.visit, this.#point);
    this.#histories.push(visit);
    this.#open.add(visit);
    return { visit, outer, last: before.last, iteration };
  }

  #exit(event: HistoryEvent, before: Position): Position {
    const { name, output, assignedVariables } = event.stateExitedEventDetails ?? {};
    const position = outwards(before, ({ visit }) => visit?.start.name === name) ?? before;
    const { visit, outer, iteration } = position;
    if (visit === undefined) return before;
    const assigned = textsIn(assignedVariables);
    const status = visit.versions.last.hasFailed ? 'caught' : 'succeeded';
    this.#change(visit, { exitedAt: event.timestamp, output: textIn(output), assigned, status });
    this.#open.delete(visit);
    // Of thousands of iterations that are under way at once, each exit must not look at all others.
    if (CONTAINER_STATES.has(visit.start.type)) this.#stopWithin(visit, 'aborted');
    if (outer?.visit === undefined && Object.keys(assigned).length > 0) {
      this.#variables.set(this.#point, { ...this.#variables.last, ...assigned });
    }
    return { visit: undefined, outer, last: visit.start, iteration };
  }

  #iterationEnds(event: HistoryEvent, before: Position): Position {
    const map = positionWithin(before, 'Map');
    if (!event.type.endsWith('Succeeded')) {
      const { index } = event.mapIterationFailedEventDetails ?? event.mapIterationAbortedEventDetails ?? {};
      const status = event.type.endsWith('Failed') ? 'failed' : 'aborted';
      this.#stopWithin(map.visit, status, iteration => iteration === index);
    }
    return map;
  }

  #try(event: HistoryEvent, visit: VisitHistory | undefined): void {
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

  #tryAgain(visit: VisitHistory | undefined): void {
    if (visit === undefined) return;
    this.#change(visit, { status: 'running', hasFailed: false });
    this.#open.add(visit);
  }

  #fail(visit: VisitHistory, event: HistoryEvent, isOver = true): void {
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

  #execution(event: HistoryEvent, before: Position): Position {
    const details = detailsOf(event);
    if (event.type === 'ExecutionStarted') {
      this.#end.set(this.#point, { ...this.#end.last, input: textIn(details['input']) });
      return ROOT;
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
      const stopped = this.#histories.findLast(({ versions }) => versions.last.exitedAt === undefined);
      for (let each = stopped; each !== undefined; each = each.outer) {
        this.#tryAgain(each);
        this.#change(each, { redrives: each.versions.last.redrives + 1 });
      }
      return this.#last.visit === undefined && stopped
        ? { ...ROOT, visit: stopped, last: stopped.start.from }
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

  /** A state that is still at work in a Map or Parallel state ends with it, or with its iteration. */
  #stopWithin(
    outer: VisitHistory | undefined,
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
function isIn(
  visit: VisitHistory,
  outer: VisitHistory,
  isMeant: (iteration: number | undefined) => boolean,
): boolean {
  for (let inner: VisitHistory | undefined = visit; inner !== undefined; inner = inner.outer)
    if (inner.outer === outer) return isMeant(inner.start.iteration);
  return false;
}

const STATUS_OF: Readonly<Record<string, ExecutionSnapshot['status']>> = {
  ExecutionSucceeded: 'SUCCEEDED',
  ExecutionFailed: 'FAILED',
  ExecutionAborted: 'ABORTED',
  ExecutionTimedOut: 'TIMED_OUT',
};

const END_OF: Readonly<Partial<Record<ExecutionSnapshot['status'], VisitStatus>>> = {
  FAILED: 'failed',
  ABORTED: 'aborted',
  TIMED_OUT: 'timedOut',
};

/** The inside of a Map or Parallel state, before its first state. */
function inside(outer: Position, iteration: number | undefined): Position {
  return { visit: undefined, outer, last: undefined, iteration };
}

function positionWithin(position: Position, type: string): Position {
  return outwards(position, ({ visit }) => visit?.start.type === type) ?? position;
}

function outwards(position: Position, holds: (position: Position) => boolean): Position | undefined {
  for (let each: Position | undefined = position; each !== undefined; each = each.outer)
    if (holds(each)) return each;
  return undefined;
}
