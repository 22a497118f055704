import { inOrder, traced } from '../../packages/local/explore/kernel/index';
import type { Violation } from './invariants/invariants';
import { entryCalled, executionOf, nameOfEntry } from './model/entries';
import { currentState } from './model/execution-state';
import type { ModelState } from './model/model-state';
import { recordText, statusOf } from './model/record';
import { entriesOf, executionAt, initialState, StateSpace } from './model/state-space';
import type { Subject } from './model/subject';
import type { Budget } from './search/expansion';
import { systemAlong } from './search/successors';
import { capital, isOfRequest, ofDispatchers, ofRecovery, ofRequests } from './trace-words';
import { isBusiness } from './transition/effects';

export { ImpossibleStep } from '../../packages/local/explore/kernel/index';

/** One step of a schedule as a person reads it. */
export interface TraceStep {
  readonly step: string;
  /** What happened, a sentence. */
  readonly description: string;
  /** Whether it takes one of the faults of the budget. */
  readonly isFault: boolean;
  /** Between whom it happens: an execution, the record, the step, Step Functions, or time. */
  readonly lanes: readonly [from: string, to: string];
  /** The record after it. */
  readonly record: string;
  /** The status of that record; undefined if it is absent. */
  readonly recordStatus: unknown;
  /** The state that each execution is in after it, or how it has ended. */
  readonly executions: string;
  /** When that is, in milliseconds of AWS's clock. */
  readonly at: number;
  /** The executions that are running after it. */
  readonly running: readonly string[];
}

/** A schedule that was gone through again. */
export interface ReplayedTrace {
  readonly trace: readonly TraceStep[];
  readonly violation: Violation | undefined;
}

/** A schedule, and the deliveries and faults that it begins with. */
interface Scheduled {
  readonly deliveries: number;
  readonly faults: number;
  readonly channels: Budget['channels'];
  readonly schedule: readonly string[];
}

/** Goes through a schedule. @throws ImpossibleStep */
export function replayTrace(
  subject: Subject,
  { executions: deliveries, faults, channels }: Budget,
  schedule: readonly string[],
): ReplayedTrace {
  return replayIn(new StateSpace(subject, faults), { deliveries, faults, channels, schedule });
}

/** The same in a state space that is there already. @throws ImpossibleStep */
export function replayIn(
  space: StateSpace,
  { deliveries, faults, channels, schedule }: Scheduled,
): ReplayedTrace {
  const first = initialState(space, deliveries, faults);
  const { steps, problem } = traced(systemAlong(space, first, channels), first, inOrder(schedule));
  const trace = steps.map(({ name, after }, index) =>
    traceStep(space, steps[index - 1]?.after ?? first, name, after),
  );
  return { trace, violation: problem };
}

function traceStep(space: StateSpace, before: ModelState, step: string, after: ModelState): TraceStep {
  const running: string[] = [];
  const executions = entriesOf(space, after).map(entry => {
    const state = executionAt(space, after, entry);
    const { status, end } = state.execution;
    if (status === 'RUNNING') running.push(`E${nameOfEntry(entry)}`);
    const where =
      status === 'RUNNING' ? `in ${currentState(state)}` : `${status}${end?.error ? `, ${end.error}` : ''}`;
    return `E${nameOfEntry(entry)} ${where}`;
  });
  return {
    step,
    description: sentence(space, before, step, after),
    isFault: after.faults < before.faults,
    lanes: lanesOf(space, before, step),
    record: recordText(space.recordOf(after)),
    recordStatus: statusOf(space.recordOf(after)),
    executions: executions.join('; '),
    at: after.now,
    running,
  };
}

/** Verbs of steps that are the step's own, and those of time alone. */
const STEP_INVARIANTS = ['works', 'ends', 'fail', 'lose-answer', 'silence', 'kill'];
const OF_TIME = ['pass', 'outlasts', 'near', 'ttl', 'retention', 'fortnight', 'forgotten', 'again'];
const OF_RECOVERY = ['tell', 'untold', 'search', 'recover', 'wake'];
const REQUESTS = [
  'do',
  'wait',
  'old',
  'throttle',
  'deny',
  'reject',
  'lose',
  'delay',
  'limit',
  'stale',
  'hold-up',
  'slow',
  'pending',
];

/** Between whom a step happens. */
function lanesOf(space: StateSpace, before: ModelState, step: string): readonly [string, string] {
  const [, verb = '', subject = ''] = /^([a-z-]+)(\d*[b-h]?)/.exec(step) ?? [];
  const who = `E${subject}`;
  if (OF_TIME.includes(verb)) return ['time', ['ttl', 'retention'].includes(verb) ? 'record' : 'time'];
  if (STEP_INVARIANTS.includes(verb)) return ['step', who];
  if (/^(?:releas|complete|another)/.test(verb)) return ['record', 'record'];
  if (OF_RECOVERY.includes(verb) || /-re(covery|delivery)$/.test(verb)) return ['recovery', 'recovery'];
  if (isOfRequest(verb)) return ['front door', 'front door'];
  if (verb.endsWith('dispatch') || verb === 'send' || verb === 'batch') return ['dispatcher', 'dispatcher'];
  if (!REQUESTS.includes(verb)) return [who, verb === 'late' ? 'record' : who];
  const call = executionAt(space, before, entryCalled(subject)).call;
  if (!call) return [who, who];
  if (call.resource.startsWith('dynamodb')) return [who, 'record'];
  if (call.resource === 'sqs:sendMessage') return [who, 'queue'];
  return [who, isBusiness(call) ? 'step' : 'Step Functions'];
}

/** What a step's name means. */
function sentence(space: StateSpace, before: ModelState, step: string, after: ModelState): string {
  const [, verb = step, subject = '', detail = ''] = /^([a-z-]+)(\d*[b-h]?)(.*)$/.exec(step) ?? [];
  const entry = entryCalled(subject);
  const who = `E${subject}`;
  const isThere = before.executions[executionOf(entry)] !== undefined;
  const what = isThere ? (executionAt(space, before, entry).call?.stateName ?? '') : '';
  const request = `the request of "${what}"`;
  const other = detail.startsWith('*') ? ', with another payload' : '';
  const [attempt = '', error] = detail.slice(1).split(':');
  const run = `the step that ${who} called with attempt ${attempt}`;
  const which = after.now > before.now ? 'unknown, a quarter of an hour later' : detail.slice(1);
  const sentences: Readonly<Record<string, string>> = {
    start: `Delivery ${subject} starts an execution${other}.`,
    do:
      what === 'Business step'
        ? `The step that ${who} calls begins.`
        : `${who}: ${request} is made and answered.`,
    wait: `${who}: ${request} is made; its answer is on its way.`,
    old: `${who}: ${request} is answered with the record as it was before its last change.`,
    pending: `${who}: ${request} is answered that the owner was redriven and has not gone on yet.`,
    end: `${who} gets its answer and ends.`,
    timer: `${who}: the timer is due.`,
    pass: `Time passes: ${(after.now - before.now) / 1000} s.`,
    near: `Time passes: ${(after.now - before.now) / 1000} s, to the last moment of the grace.`,
    ttl: 'DynamoDB deletes the expired record.',
    works: `${capital(run)} succeeds.`,
    ends: `${capital(run)} ends, with its effect or without, and without an answer.`,
    late: `A request of ${who} that was thought lost is made now.`,
    never: `A request of ${who} that was thought lost is lost indeed.`,
    again: 'Everything has ended; the event is delivered once more.',
    abort: `FAULT: ${who} is stopped; what it had asked for may still happen.`,
    timeout: `FAULT: the time of ${who} is over; what it had asked for may still happen.`,
    throttle: `FAULT: ${who}: ${request} is throttled until no retry is left.`,
    deny: `FAULT: ${who}: the table rejects ${request} until no retry is left.`,
    reject: `FAULT: ${who}: the service does not run the step (${detail.slice(1)}); it has not begun.`,
    lose: `FAULT: ${who}: ${request} is made, its answer is lost, and it is sent again.`,
    delay: `FAULT: ${who}: the connection breaks; ${request} is still on its way, and is sent again.`,
    limit: `FAULT: ${who}: ${limitInWords(request, detail)}.`,
    stale: `FAULT: ${who}: ${request} is answered with an old state of the owner (${which}).`,
    fail: `FAULT: ${run} fails without an effect.`,
    'lose-answer': `FAULT: the answer of ${run} is lost, with ${error}; it works on.`,
    'too-long': `FAULT: the result of ${run} is too long (States.ALL: ${error}).`,
    silence: `FAULT: no answer of ${run} will ever come; it works on.`,
    kill: `FAULT: ${run} is ended by its timeout, before its effect or after.`,
    redrive: `FAULT: an operator redrives ${who}.`,
    restart: `FAULT: Step Functions runs ${who} from its beginning again; what it had asked for may still happen.`,
    over: `The time of ${who} is over.`,
    'hold-up': `FAULT: ${who} is held up for ${detail === '' ? 'a second' : 'two minutes'}.`,
    slow: `FAULT: ${who}: ${request} takes so long that ${detail === '' ? 'its time is nearly' : 'a lease is'} over.`,
    release: `FAULT: a person releases the key${detail === ':killed' ? ': holds its record, and is stopped' : ''}.`,
    complete:
      'FAULT: a person completes the key with a result: reserves its record first, if recovery may act.',
    completed: 'The completion of the key comes to its end: the record has the result, and another owner.',
    released: `The release of the key comes to its end${RELEASED[detail] ?? ''}.`,
    delete: `FAULT: the state machine of ${who} is deleted, and ${who} is not known any more${
      detail === '' ? '' : '; its step had begun a quarter of an hour after its claim'
    }.`,
    another: `FAULT: another ${detail === ':version' ? 'version' : 'workflow'} on the same scope claims the key${
      detail === ':claims' ? '' : ', and finishes it'
    }.`,
    retention: 'FAULT: the retention is nearly over.',
    fortnight: 'FAULT: 14 days pass; the owner cannot be redriven any more.',
    forgotten: 'FAULT: 90 days pass; Step Functions has deleted the owner.',
    ...ofRecovery(before, subject, detail),
    ...ofRequests(subject, detail),
    ...ofDispatchers(subject, other),
    outlasts: `FAULT: a request takes so long that recovery looks again: ${(after.now - before.now) / 1000} s.`,
  };
  return sentences[verb] ?? step;
}

/** Why a release has not released the key. */
const RELEASED: Readonly<Record<string, string>> = {
  ':not': ', and gives the record back: its owner was redriven',
  ':too-late': ': the record is not held any more',
};

function limitInWords(request: string, detail: string): string {
  if (detail === ':result') return `the result in ${request} cannot be evaluated, to the last retry`;
  if (detail !== '')
    return `${request} cannot be evaluated, ${detail === ':request' ? 'time after time' : 'once'}`;
  return request.includes('getItem')
    ? `${request} cannot be evaluated, to the last retry`
    : `${request} is made, and what follows it cannot be evaluated, time after time`;
}
