import { type Execution, tokenFor } from '../engine/index';
import type { Json } from '../json/json';
import type { Attempt, Comparison } from './attempt';
import { type Difference, differencesOf, valueAt } from './difference';
import { isWording } from './divergence';
import { type Identity, identitiesIn, identityIn, UNKNOWN } from './identity';
import { NameBindings } from './name-bindings';
import type { RecordedEvent } from './recording';
import { startToldBy } from './remembered-times';
import { TOLERANCE_MS } from './waiting';

/**
 * The values of a transition that a recording does not contain. An absent member is taken from the recording, or is
 * already known.
 */
export interface Draw {
  readonly seed: string;
  /** Epoch milliseconds. */
  readonly now?: number;
  /** Milliseconds by which redrives and entries into states were later. */
  readonly pastMs?: number;
  /** When the execution was started, epoch milliseconds. */
  readonly startedAt?: number;
  /** What the execution is called. */
  readonly identity?: Identity;
}

/** Makes the transition anew, with this draw. */
export type AttemptFactory = (draw: Draw) => Attempt;

/** An attempt, and what it was drawn from. */
export interface Match {
  readonly attempt: Attempt;
  readonly draw: Draw;
}

const FIRST: Draw = { seed: '0' };
/** Seeds to try: with this many, a random choice usually matches the recording once. */
const SEEDS = Array.from({ length: 12 }, (_, index) => String(index + 1));

/**
 * Tells what a definition decides from what chance, the time and names decide. A difference from the recording that
 * changes with another seed is chance. A value that moves with the time must be near the time of the recording. A value
 * with a name that is open in the recording must fit the recording with one value for that name.
 */
export class NondeterminismFilter {
  readonly #names: NameBindings;
  /** When the execution was started, epoch milliseconds; undefined until the recording has said it. */
  #startedAt: number | undefined;

  constructor(names: NameBindings) {
    this.#names = names;
  }

  /** How many facts the recording has taught so far. If a transition teaches one, it is repeated. */
  get factsLearned(): number {
    return this.#names.known.length + (this.#startedAt === undefined ? 0 : 1);
  }

  /** The attempt that agrees with the recording, if one does; otherwise the first. */
  bestMatch(attempt: AttemptFactory, { timestamp }: RecordedEvent, events: readonly RecordedEvent[]): Match {
    const first = attempt(FIRST);
    if (!first.mismatch) return { attempt: first, draw: FIRST };
    const isNamed = this.#names.valueOf(UNKNOWN.execution) !== undefined;
    const identified = isNamed ? [] : identitiesIn(events).map(identity => ({ ...FIRST, identity }));
    // A time that is compared with a limit may have been some moment before or after that of the event.
    const moved = [TOLERANCE_MS, -TOLERANCE_MS].flatMap(ms => [
      { ...FIRST, now: timestamp + ms },
      this.#pastMoved(first, ms, FIRST),
    ]);
    for (const draw of [...identified, ...SEEDS.map(seed => ({ seed })), ...moved]) {
      const other = attempt(draw);
      if (!other.mismatch) return { attempt: other, draw };
    }
    return { attempt: first, draw: FIRST };
  }

  /** The first difference that the definition must answer for. Learns names and the start on the way. */
  unexplained(
    { attempt, draw }: Match,
    again: AttemptFactory,
  ): { readonly comparison: Comparison; readonly difference: Difference } | undefined {
    let others: Others | undefined;
    for (const comparison of attempt.comparisons) {
      const { recorded, replayed } = comparison;
      this.#learnStart(comparison, attempt, startedAt => again({ ...draw, startedAt }));
      for (const difference of differencesOf(recorded, replayed)) {
        if (this.#matchAndBind(difference, attempt) || isOfErrors(difference, recorded)) continue;
        others ??= this.#others(again, { attempt, draw }, comparison);
        if (!isVaried(difference, comparison, others)) return { comparison, difference };
      }
    }
    return undefined;
  }

  /** Binds the names of the state machine and of the execution to these. */
  bindIdentity({ machineName, executionName }: Identity): void {
    this.#names.bind(UNKNOWN.machine, machineName);
    this.#names.bind(UNKNOWN.execution, executionName);
  }

  /** A text of the replay for people: with the names that are known, and words for the execution's own. */
  shown(text: string): string {
    const known = this.#names.substitute(text);
    return known
      .replaceAll(UNKNOWN.machine, '(the state machine)')
      .replaceAll(UNKNOWN.execution, '(the execution)');
  }

  /** The name, ARN and start of an execution, as far as they are known. */
  identityOf({ arn, name, startedAt }: Pick<Execution, 'arn' | 'name' | 'startedAt'>) {
    return {
      arn: this.#names.substitute(arn),
      name: this.#names.substitute(name),
      startedAt: this.#startedAt ?? startedAt,
    };
  }

  #learnStart(comparison: Comparison, { transition }: Attempt, startedAt: (at: number) => Attempt): void {
    if (this.#startedAt !== undefined) return;
    const at = transition.execution.startedAt;
    this.#startedAt = startToldBy(comparison, at, at + 1, () =>
      startedAt(at + 1).comparisons.find(({ key }) => key === comparison.key),
    );
  }

  /** A draw with all that the recording says inexactly of the past so many milliseconds later. */
  #pastMoved({ transition: { execution } }: Attempt, pastMs: number, draw: Draw): Draw {
    const startedAt = this.#startedAt ?? execution.startedAt + pastMs;
    return { ...draw, pastMs, startedAt };
  }

  #matchAndBind({ recorded, replayed }: Difference, { transition }: Attempt): boolean {
    if (isSameTime(recorded, replayed)) return true;
    if (typeof recorded !== 'string' || typeof replayed !== 'string') return false;
    const learned = this.#names.match(replayed, recorded);
    for (const [name, value] of learned ?? []) this.#names.bind(name, value);
    if (learned) return true;
    const { execution, effects } = transition;
    const tokens = effects.flatMap(effect =>
      effect.kind === 'call' ? [tokenFor({ executionArn: execution.arn, taskId: effect.taskId })] : [],
    );
    return new NameBindings(tokens).match(replayed, recorded) !== undefined;
  }

  #others(again: AttemptFactory, { attempt, draw }: Match, { event }: Comparison): Others {
    const seeds = SEEDS.filter(other => other !== draw.seed).slice(0, OTHERS);
    const seeded = seeds.map(seed => again({ ...draw, seed }));
    // A value that contains the name of the execution cannot be judged while the name is unknown.
    const isUnnamed = !draw.identity && this.#names.valueOf(UNKNOWN.execution) === undefined;
    const named = isUnnamed ? OTHER_IDENTITIES.map(identity => again({ ...draw, identity })) : [];
    const moved = MOMENTS.flatMap(ms => [
      again({ ...draw, now: event.timestamp + ms }),
      again(this.#pastMoved(attempt, ms, draw)),
    ]);
    return { seeded, named, moved };
  }
}

/** Milliseconds around an event, of which no two end alike. What leads to an event may be a while before it. */
const MOMENTS = [-2 * TOLERANCE_MS, -3211, -TOLERANCE_MS + 3, 778, TOLERANCE_MS - 1];

/** Enough other seeds to show which values are random. */
const OTHERS = 8;

/** So many that hashes of their names share a beginning or an end only by a rare chance. */
const OTHER_IDENTITIES = ['a', 'b', 'c', 'd', 'e', 'f'].map(name =>
  identityIn(
    { partition: 'aws', region: 'us-east-1', account: '111111111111' },
    { machine: name, execution: name },
  ),
);

interface Others {
  /** With other seeds. */
  readonly seeded: readonly Attempt[];
  /** Of executions with other names. */
  readonly named: readonly Attempt[];
  /** At other times. */
  readonly moved: readonly Attempt[];
}

function isVaried({ path, recorded, replayed }: Difference, { key }: Comparison, others: Others): boolean {
  const valuesIn = (attempts: readonly Attempt[]) =>
    attempts.flatMap(({ comparisons }) => {
      const same = comparisons.find(comparison => comparison.key === key);
      return same ? [valueAt(same.replayed, path)] : [];
    });
  const isOther = (value: Json | undefined) => differencesOf(replayed, value).length > 0;
  const seeded = valuesIn(others.seeded);
  const named = valuesIn(others.named);
  if (seeded.some(isOther)) return sharesTypeAndEnds(recorded, [replayed, ...seeded, ...named]);
  if (named.some(isOther)) return hasFormOfSamples(recorded, [replayed, ...named]);
  const moved = valuesIn(others.moved);
  return moved.some(isOther) && isWithinTimeRange(recorded, moved);
}

/** As {@link sharesTypeAndEnds}; a text also has the length and the hexadecimal form that all samples share. */
function hasFormOfSamples(value: Json | undefined, samples: readonly (Json | undefined)[]): boolean {
  const texts = samples.filter(sample => typeof sample === 'string');
  if (typeof value === 'string' && texts.length === samples.length) {
    const [length] = texts.map(text => text.length);
    if (texts.every(text => text.length === length) && value.length !== length) return false;
    if (texts.every(text => HEXADECIMAL.test(text)) && !HEXADECIMAL.test(value)) return false;
  }
  return sharesTypeAndEnds(value, samples);
}

const HEXADECIMAL = /^[0-9a-f]+$/;

/** Whether a value has the type of the samples, and a text the beginning and end that all samples share. */
function sharesTypeAndEnds(value: Json | undefined, samples: readonly (Json | undefined)[]): boolean {
  const texts = samples.filter(sample => typeof sample === 'string');
  if (typeof value !== 'string' || texts.length < samples.length)
    return samples.some(sample => typeof sample === typeof value);
  const reversed = [...texts].map(text => [...text].reverse().join(''));
  const [begin, end] = [commonBeginning(texts), commonBeginning(reversed)];
  const isBoth = value.startsWith(begin) && [...value].reverse().join('').startsWith(end);
  return isBoth && value.length >= begin.length + end.length;
}

function commonBeginning(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

/** Whether a value that depends on the time is between the values at moments around that of the recording. */
function isWithinTimeRange(value: Json | undefined, moved: readonly (Json | undefined)[]): boolean {
  const orders = moved.map(orderOf).filter(order => order !== undefined);
  if (orders.length < moved.length) return hasFormOfSamples(value, moved);
  const at = orderOf(value);
  return at !== undefined && at >= Math.min(...orders) && at <= Math.max(...orders);
}

function orderOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
  return timeIn(value);
}

function timeIn(value: Json | undefined): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/.test(value))
    return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : at;
}

/** Whether both tell the same moment: events are written some moment after what they tell of. */
function isSameTime(recorded: Json | undefined, replayed: Json | undefined): boolean {
  const [left, right] = [timeIn(recorded), timeIn(replayed)];
  return left !== undefined && right !== undefined && Math.abs(left - right) <= TOLERANCE_MS;
}

function isOfErrors({ path }: Difference, recorded: Json): boolean {
  return isWording(path, valueAt(recorded, path.slice(0, -1)));
}
