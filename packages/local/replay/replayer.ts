import {
  EXPIRY_TIMER,
  type Execution,
  executionTimer,
  HISTORY_EVENTS_MAX,
  type HistoryEvent,
  isExpired,
  type Machine,
  newExecution,
  type Signal,
} from '../engine/index';
import { parseJson } from '../json/syntax';
import type { Evaluator } from '../runtime/evaluation/evaluator';
import { Aligner } from './alignment';
import { type Attempt, type AttemptAt, attemptAt } from './attempt';
import { awaiting, type Divergence, divergenceAt, happening, valueDivergence } from './divergence';
import { deploymentOf, type Identity, identifiedBy, identityIn, UNKNOWN } from './identity';
import type { NameBindings } from './name-bindings';
import { type Draw, NondeterminismFilter } from './nondeterminism-filter';
import { withRecordedData } from './recorded-data';
import type { RecordedEvent, Recording } from './recording';
import { Rejections } from './rejected-call';
import { withPastMoved } from './remembered-times';
import { happenedTo, TOLERANCE_MS, type WaitingThread, waitingThreads } from './waiting';

/** How far a replay came. */
export type Replayed =
  | { readonly kind: 'same' }
  | { readonly kind: 'diverged'; readonly divergence: Divergence }
  /** The recording does not say enough to go on. */
  | { readonly kind: 'stopped'; readonly eventId: number; readonly reason: string };

export interface ReplayOf {
  readonly recording: Recording;
  readonly names: NameBindings;
  readonly evaluator: Evaluator;
  /** The machine with what is known of the names by now. */
  machine(): Machine;
}

/** The next event of the recording, and its thread; no thread if it came from outside. */
interface NextEvent {
  readonly thread?: WaitingThread;
  readonly event: RecordedEvent;
}

/** Drives the engine through a recording, event by event. */
export class Replayer {
  /** Differences that are worth a check and decide nothing: other waits, other wording. */
  readonly notes: string[] = [];
  readonly #of: ReplayOf;
  readonly #aligner: Aligner;
  readonly #filter: NondeterminismFilter;
  readonly #states = new Map<number, string>();
  readonly #rejections: Rejections;
  #execution: Execution;
  /** The last events of threads that were cancelled: later events of these threads are not replayed. */
  readonly #cancelledAt = new Set<number>();

  constructor(of: ReplayOf) {
    this.#of = of;
    const { events } = of.recording;
    this.#aligner = new Aligner(events);
    this.#rejections = new Rejections(events);
    this.#execution = executionOf(events);
    this.#filter = new NondeterminismFilter(of.names);
    for (const event of events) this.#states.set(event.id, this.#stateAt(event));
  }

  /** Goes through the recording, to its end or the first divergence. */
  replay(): Replayed {
    const [first] = this.#of.recording.events;
    if (!first) return { kind: 'same' };
    const started = this.#step({ kind: 'started' }, first, '');
    if (started) return started;
    for (;;) {
      const next = this.#next();
      if (!next) return this.#finished();
      const outcome = next.thread ? this.#goOn(next.thread, next.event) : this.#fromOutside(next.event);
      if (outcome) return outcome;
    }
  }

  /** What happens next in the recording: to one of the threads, or from outside. */
  #next(): NextEvent | undefined {
    const outside = this.#aligner.firstFromOutside();
    let first: NextEvent | undefined = outside && { event: outside };
    if (this.#execution.status !== 'RUNNING') return first;
    for (const thread of waitingThreads(this.#execution.root)) {
      const event = this.#eventOf(thread);
      if (event && (!first || event.id < first.event.id)) first = { thread, event };
    }
    return first;
  }

  /** The next event of a thread; branches begin after one and the same, so that an entry is known by its state. */
  #eventOf({ waits, previousEventId }: WaitingThread): RecordedEvent | undefined {
    const at = this.#aligner.idOf(previousEventId);
    const after = at === undefined ? [] : this.#aligner.after(at);
    return waits.kind === 'pause' ? after.find(({ details }) => details['name'] === waits.next) : after[0];
  }

  #goOn(thread: WaitingThread, event: RecordedEvent): Replayed | undefined {
    const timedOut = this.#timedOutBefore(event);
    if (timedOut) return timedOut;
    const happened = happenedTo(thread, event);
    if (happened.kind === 'unknown') return { kind: 'stopped', eventId: event.id, reason: happened.reason };
    if (happened.kind === 'other') return this.#mismatch(thread, event);
    this.#noteTime(thread, event);
    return this.#step(happened.signal, event, thread.path);
  }

  #fromOutside(event: RecordedEvent): Replayed | undefined {
    const { type, timestamp, details } = event;
    const { error, cause } = details;
    const reason = {
      ...(typeof error === 'string' && { error }),
      ...(typeof cause === 'string' && { cause }),
    };
    if (type === 'ExecutionAborted') return this.#step({ kind: 'stopped', ...reason }, event, '');
    if (type === 'ExecutionRedriven') {
      if (this.#execution.status === 'RUNNING') return this.#mismatch(undefined, event);
      // The engine begins again the state that an execution was in.
      if (!this.#execution.root?.state)
        return { kind: 'stopped', eventId: event.id, reason: 'it was redriven before its first state' };
      return this.#step({ kind: 'redriven', at: timestamp }, event, '');
    }
    if (isExpired(this.#execution, timestamp))
      return this.#step({ kind: 'timerDue', timerId: EXPIRY_TIMER }, event, '');
    const timer = executionTimer(this.#of.machine(), this.#execution);
    if (timer && timestamp >= timer.due - TOLERANCE_MS)
      return this.#step({ kind: 'timerDue', timerId: timer.timerId }, event, '');
    const replayed = timer ? `continues until ${new Date(timer.due).toISOString()}` : 'has no TimeoutSeconds';
    return diverged(divergenceAt(event, { state: '', aspect: 'timeout', recorded: 'times out', replayed }));
  }

  /** Makes the transition that brought this event, and takes over what the recording alone knows. */
  #step(signal: Signal, event: RecordedEvent, path: string): Replayed | undefined {
    // A replay has no services: which parameters they take, the recording says.
    const rejected = this.#rejections.behind(event);
    const of = { machine: this.#of.machine(), signal, event, rejected };
    const attempt = (draw: Draw): Attempt => this.#attempt(draw, of);
    const known = this.#filter.factsLearned;
    const found = this.#filter.bestMatch(attempt, event, this.#of.recording.events);
    const { mismatch } = found.attempt;
    const differing = this.#filter.unexplained(found, attempt);
    if (differing && this.#filter.factsLearned > known) {
      // What it says beside the name or the time that it has taught may be made of that.
      this.#execution = { ...this.#execution, ...this.#filter.identityOf(this.#execution) };
      return this.#step(signal, event, path);
    }
    if (differing && (!mismatch || differing.comparison.event.id <= mismatch.recorded.id)) {
      const { comparison, difference } = differing;
      const state = this.#states.get(comparison.event.id) ?? '';
      const divergence = valueDivergence(comparison.event, state, difference);
      return diverged({ ...divergence, replayed: this.#filter.shown(divergence.replayed) });
    }
    if (mismatch) return this.#mismatch(mismatch.replayed, mismatch.recorded);
    const { pairs } = found.attempt.alignment;
    // What happened in the recording must have happened here, or it would happen again and again.
    if (!pairs.some(({ recorded }) => recorded?.id === event.id))
      return this.#mismatch(pairs[0]?.replayed, event);
    this.#keep(found.attempt, path, found.draw.identity);
    if (rejected && found.attempt.isRejected)
      this.notes.push(
        `event ${rejected.id}: the call was rejected because of its parameters, which a replay does not check`,
      );
    return undefined;
  }

  #attempt(
    { seed, now, pastMs = 0, startedAt, identity }: Draw,
    of: Pick<AttemptAt, 'machine' | 'signal' | 'event' | 'rejected'>,
  ): Attempt {
    const past = pastMs === 0 ? this.#execution : withPastMoved(this.#execution, pastMs);
    const execution = startedAt === undefined ? past : { ...past, startedAt };
    const at = { ...of, execution, now: now ?? of.event.timestamp, seed };
    return attemptAt(identity ? identifiedBy(identity, at) : at, this.#aligner, this.#of.evaluator);
  }

  #keep({ transition, alignment, entries }: Attempt, path: string, identity: Identity | undefined): void {
    const before = waitingThreads(this.#execution.root);
    this.#aligner.keep(alignment);
    let execution = withRecordedData(transition.execution, alignment.pairs, path, entries);
    for (const { replayed, recorded } of alignment.pairs) if (recorded) this.#noteCause(replayed, recorded);
    if (identity) this.#filter.bindIdentity(identity);
    execution = { ...execution, ...this.#filter.identityOf(execution) };
    this.#execution = execution;
    const now = new Set(
      execution.status === 'RUNNING' ? waitingThreads(execution.root).map(({ path: one }) => one) : [],
    );
    for (const thread of before) {
      const id = this.#aligner.idOf(thread.previousEventId);
      if (thread.path !== path && !now.has(thread.path) && id !== undefined) this.#cancelledAt.add(id);
    }
  }

  #finished(): Replayed {
    const left = this.#aligner
      .left()
      .find(event => !this.#cancelledAt.has(this.#aligner.lastFoundBefore(event)));
    if (!left) return { kind: 'same' };
    const [thread] = waitingThreads(this.#execution.root);
    return this.#mismatch(this.#execution.status === 'RUNNING' ? thread : undefined, left);
  }

  #mismatch(replayed: HistoryEvent | WaitingThread | undefined, recorded: RecordedEvent): Replayed {
    // The history is full: the service ends the execution wherever it is.
    if (recorded.id === HISTORY_EVENTS_MAX && recorded.type === 'ExecutionFailed') return { kind: 'same' };
    const { root, status } = this.#execution;
    const state = this.#states.get(recorded.previousEventId) || (root?.state ?? '');
    const isThread = replayed !== undefined && 'waits' in replayed;
    const isEntry = isThread && replayed.waits.kind === 'pause';
    const ended = status === 'RUNNING' ? 'does not come to that' : `has ended: ${status}`;
    const did = replayed === undefined ? ended : isThread ? awaiting(replayed) : happening(replayed);
    const isRetry = isThread && replayed.waits.kind === 'retry';
    const wasRetried = /Scheduled$/.test(recorded.type) && !isThread;
    const aspect = isRetry || wasRetried ? 'retry' : isEntry ? 'next' : 'event';
    const again = wasRetried ? `tries ${JSON.stringify(state)} again` : happening(recorded);
    return diverged(divergenceAt(recorded, { state, aspect, recorded: again, replayed: did }));
  }

  #timedOutBefore(event: RecordedEvent): Replayed | undefined {
    const timer = executionTimer(this.#of.machine(), this.#execution);
    if (!timer || event.timestamp <= timer.due + TOLERANCE_MS) return undefined;
    const state = this.#states.get(event.id) ?? '';
    const replayed = `times out at ${new Date(timer.due).toISOString()}`;
    return diverged(divergenceAt(event, { state, aspect: 'timeout', recorded: happening(event), replayed }));
  }

  #noteTime({ waits, state }: WaitingThread, event: RecordedEvent): void {
    if (waits.kind !== 'timer' && waits.kind !== 'retry') return;
    const begun = this.#of.recording.events[event.previousEventId - 1]?.timestamp ?? event.timestamp;
    const [took, would] = [event.timestamp - begun, waits.timer.due - begun];
    const found = this.#of.machine().definition.states.get(state);
    const isChance = found && 'retry' in found && found.retry.some(({ jitter }) => jitter === 'FULL');
    if (isChance || Math.abs(took - would) <= Math.max(TOLERANCE_MS, would / 10)) return;
    const [was, waited] = [seconds(took), seconds(would)];
    this.notes.push(
      waits.kind === 'timer'
        ? `event ${event.id}: ${JSON.stringify(state)} was left after ${was}; this definition waits ${waited}`
        : `event ${event.id}: ${JSON.stringify(state)} was tried again after ${was}; this definition waits ${waited}`,
    );
  }

  #noteCause({ cause }: HistoryEvent, { id, type, details }: RecordedEvent): void {
    if (type !== 'ExecutionFailed' || details['cause'] === undefined || details['cause'] === cause) return;
    this.notes.push(`event ${id}: the cause reads otherwise; wording is not compared`);
  }

  /** The state that an event belongs to. Events before it have been looked at. */
  #stateAt({ type, details, previousEventId }: RecordedEvent): string {
    const { name, state } = details;
    if (/State(?:Entered|Exited)$/.test(type)) return String(name);
    return typeof state === 'string' ? state : (this.#states.get(previousEventId) ?? '');
  }
}

function executionOf(events: readonly RecordedEvent[]): Execution {
  const [first] = events;
  const text = String(first?.details['input'] ?? '{}');
  const { executionArn: arn, executionName: name } = identityIn(deploymentOf(events), UNKNOWN);
  const parsed = parseJson(text);
  const input = { value: parsed.kind === 'json' ? parsed.value : text, text };
  return newExecution({ arn, name, input, startedAt: first?.timestamp ?? 0 });
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

function diverged(divergence: Divergence): Replayed {
  return { kind: 'diverged', divergence };
}
