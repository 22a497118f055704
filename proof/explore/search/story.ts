import { Trail } from '../endless';
import { shown, type Violation, violationIn } from '../invariants';
import type { Subject } from '../subject';
import { placeOf } from '../world/local-state';
import { stateAt } from '../world/moves';
import { firstWorld, Universe, type World } from '../world/world';
import { type Budget, lookAt } from './search';

/** One step of a schedule as a person reads it. */
export interface Told {
  readonly step: string;
  /** What happened. */
  readonly says: string;
  /** The record after it. */
  readonly record: string;
  /** Where the executions are after it. */
  readonly places: string;
}

/** A schedule that was gone through again. */
export interface Replayed {
  readonly told: readonly Told[];
  readonly violation: Violation | undefined;
}

/** A schedule, and what the world begins with. */
interface Way {
  readonly deliveries: number;
  readonly faults: number;
  readonly entries: Budget['entries'];
  readonly schedule: readonly string[];
}

/** A schedule has a step that is not possible where it comes: it is a schedule of another definition or budget. */
export class ImpossibleStep extends Error {}

/** Goes through a schedule. @throws ImpossibleStep */
export async function replay(
  subject: Subject,
  { executions: deliveries, faults, entries }: Budget,
  schedule: readonly string[],
): Promise<Replayed> {
  return follow(new Universe(subject, faults), { deliveries, faults, entries, schedule });
}

/** The steps of a schedule, told. */
export async function tellCourse(universe: Universe, way: Way): Promise<readonly Told[]> {
  return (await follow(universe, way)).told;
}

async function follow(universe: Universe, { deliveries, faults, entries, schedule }: Way): Promise<Replayed> {
  let world = firstWorld(universe, deliveries, faults);
  const trail = new Trail(world);
  const told: Told[] = [];
  for (const name of schedule) {
    const { steps } = await lookAt(universe, world, entries);
    const step = steps.find(candidate => candidate.name === name);
    if (!step) {
      const possible = steps.map(candidate => candidate.name).join(' ') || 'nothing';
      throw new ImpossibleStep(
        `step ${told.length + 1}, ${name}, is not possible here; possible: ${possible}`,
      );
    }
    const violation = violationIn(universe, world, step) ?? trail.goTo(step.after);
    told.push(tell(universe, world, step.name, step.after));
    world = step.after;
    if (violation) return { told, violation };
  }
  const { stuck } = await lookAt(universe, world, entries);
  return { told, violation: stuck };
}

function tell(universe: Universe, before: World, step: string, after: World): Told {
  const places = after.executions.map((_, place) => {
    const state = stateAt(universe, after, place);
    const { status, end } = state.execution;
    const where =
      status === 'RUNNING' ? `in ${placeOf(state)}` : `${status}${end?.error ? `, ${end.error}` : ''}`;
    return `E${place + 1} ${where}`;
  });
  return {
    step,
    says: sentence(universe, before, step, after),
    record: shown(universe.recordOf(after)),
    places: places.join('; '),
  };
}

/** What a step's name means. */
function sentence(universe: Universe, before: World, step: string, after: World): string {
  const [, verb = step, subject = '', detail = ''] = /^([a-z-]+)(\d*)(.*)$/.exec(step) ?? [];
  const place = Number(subject) - 1;
  const who = `E${subject}`;
  const what =
    before.executions[place] === undefined ? '' : (stateAt(universe, before, place).call?.stateName ?? '');
  const request = `the request of "${what}"`;
  const other = detail.startsWith('*') ? ', with another payload' : '';
  const [attempt = '', error] = detail.slice(1).split(':');
  const run = `the step that ${who} called with attempt ${attempt}`;
  const sentences: Readonly<Record<string, string>> = {
    start: `Delivery ${subject} starts an execution${other}.`,
    send: `Delivery ${subject} comes to the dispatcher${other}.`,
    dispatch: `The dispatcher of delivery ${subject} makes its request and gets the answer.`,
    'old-dispatch': `The dispatcher of delivery ${subject} reads the record as it was before its last change.`,
    do:
      what === 'Business step'
        ? `The step that ${who} calls begins.`
        : `${who}: ${request} is made and answered.`,
    wait: `${who}: ${request} is made; its answer is on its way.`,
    old: `${who}: ${request} is answered with the record as it was before its last change.`,
    end: `${who} gets its answer and ends.`,
    timer: `${who}: the timer is due.`,
    pass: `Time passes: ${(after.now - before.now) / 1000} s.`,
    ttl: 'DynamoDB deletes the expired record.',
    works: `${capital(run)} succeeds.`,
    ends: `${capital(run)} ends, with its effect or without; nobody hears of it.`,
    late: `A request of ${who} that was thought lost is made now.`,
    never: `A request of ${who} that was thought lost is lost indeed.`,
    again: 'Everything has ended; the event is delivered once more.',
    abort: `FAULT: ${who} is stopped; what it had asked for may still happen.`,
    timeout: `FAULT: the time of ${who} is over; what it had asked for may still happen.`,
    throttle: `FAULT: ${who}: ${request} is throttled until no retry is left.`,
    lose: `FAULT: ${who}: ${request} is made, its answer is lost, and it is sent again.`,
    delay: `FAULT: ${who}: the connection breaks; ${request} is still on its way, and is sent again.`,
    limit: `FAULT: ${who}: ${request} is made, and what follows it meets a limit of evaluation, time after time.`,
    stale: `FAULT: ${who}: ${request} is answered with an old state of the owner (${detail.slice(1)}).`,
    fail: `FAULT: ${run} fails without an effect.`,
    'lose-answer': `FAULT: the answer of ${run} is lost, with ${error}; it works on.`,
    silence: `FAULT: no answer of ${run} will ever come; it works on.`,
    kill: `FAULT: ${run} is ended by its timeout, before its effect or after.`,
    redrive: `FAULT: an operator redrives ${who}.`,
    retention: 'FAULT: the retention is nearly over.',
    fortnight: 'FAULT: 14 days pass; the owner cannot be redriven any more.',
    forgotten: 'FAULT: 90 days pass; Step Functions has deleted the owner.',
    'throttle-dispatch': `FAULT: the dispatcher of delivery ${subject} is throttled until no retry is left.`,
    'lose-dispatch': `FAULT: the dispatcher of delivery ${subject} starts an execution, and loses the answer.`,
  };
  return sentences[verb] ?? step;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
