import { EXECUTIONS_MAX } from './entries';
import { ORIGIN } from './execution-state';
import { HASH_WORDS, hashOfText, hashOfWords } from './hash';
import { HashedValues, indexIn, listHash, lowAndHigh, ofLowAndHigh, Words } from './hashed-values';
import {
  answersIn,
  type Dispatcher,
  type HttpRequest,
  type Lambda,
  type ModelState,
  type OrphanedRequest,
  RECOVERY_PHASES,
  type Recovery,
  type Redelivering,
  SEEN_BY_REQUEST,
} from './model-state';
import { movedPast, type Past } from './past';
import type { StateSpace } from './state-space';
import { Symmetry, type View } from './symmetry';

/** The words of a packed state before those of its executions, one each. */
const NOW = 0;
const NOW_HIGH = 1;
const COUNTS = 2;
const TABLE = 3;
const TABLE_BEFORE = 4;
const LAMBDAS = 5;
const ORPHANS = 6;
const DISPATCHERS = 7;
const PAST = 8;
const RECOVERIES = 9;
const REQUESTS = 10;
const HEAD_WORDS = 11;

/** What a packed state is hashed by at most: the hash of what each of its words is the number of. */
const HASHED_WORDS_MAX = (HEAD_WORDS + EXECUTIONS_MAX) * HASH_WORDS;

/**
 * States as a few 32-bit words each, in which lists and memories are numbers: what waits to be explored takes little
 * room so. The words mean something in their state space alone, their hash everywhere the same.
 */
export class PackedStates {
  /** The words of the last packed state; `length` of them count. */
  readonly words = new Uint32Array(HEAD_WORDS + EXECUTIONS_MAX);
  length = 0;
  readonly space: StateSpace;
  readonly #parts: ReturnType<typeof partsOf>;
  #symmetry: Symmetry | undefined;
  readonly #hashed = new Words(HASHED_WORDS_MAX);
  readonly #hash = new Uint32Array(HASH_WORDS);
  readonly #least = new Uint32Array(HASH_WORDS);

  constructor(space: StateSpace) {
    this.space = space;
    this.#parts = partsOf(space);
  }

  /** By what states are alike; it is made when it is asked for. */
  get symmetry(): Symmetry {
    this.#symmetry ??= new Symmetry(this.space);
    return this.#symmetry;
  }

  /** Packs a state: its words are in `words` until the next one is packed. */
  pack(model: ModelState): void {
    const [words, parts] = [this.words, this.#parts];
    const { executions, delivered, deliveries, faults } = model;
    [words[NOW], words[NOW_HIGH]] = lowAndHigh(model.now - ORIGIN);
    words[COUNTS] = delivered | (deliveries << 8) | (faults << 16) | (executions.length << 24);
    words[TABLE] = model.table;
    words[TABLE_BEFORE] = model.tableBefore;
    words[LAMBDAS] = parts.lambdas.numberOf(model.lambdas);
    words[ORPHANS] = parts.orphans.numberOf(model.orphans);
    words[DISPATCHERS] = parts.dispatchers.numberOf(model.dispatchers);
    words[PAST] = parts.past.numberOf(model.past);
    words[RECOVERIES] = parts.recoveries.numberOf(model.recoveries);
    words[REQUESTS] = parts.requests.numberOf(model.requests);
    for (let i = 0; i < executions.length; i += 1) words[HEAD_WORDS + i] = executions[i] ?? 0;
    this.length = HEAD_WORDS + executions.length;
  }

  /** How many words the packed state that begins at a place has. */
  static lengthAt(words: Uint32Array, at: number): number {
    return HEAD_WORDS + ((words[at + COUNTS] ?? 0) >>> 24);
  }

  /** The state whose words begin at a place. */
  unpacked(words: Uint32Array, at: number): ModelState {
    const parts = this.#parts;
    const counts = words[at + COUNTS] ?? 0;
    const executions: number[] = [];
    for (let i = 0; i < counts >>> 24; i += 1) executions.push(words[at + HEAD_WORDS + i] ?? 0);
    return {
      now: ORIGIN + ofLowAndHigh(words[at + NOW], words[at + NOW_HIGH]),
      skewMs: this.space.skewMs,
      table: words[at + TABLE] ?? 0,
      tableBefore: words[at + TABLE_BEFORE] ?? 0,
      executions,
      dispatchers: parts.dispatchers.get(words[at + DISPATCHERS] ?? 0),
      recoveries: parts.recoveries.get(words[at + RECOVERIES] ?? 0),
      requests: parts.requests.get(words[at + REQUESTS] ?? 0),
      lambdas: parts.lambdas.get(words[at + LAMBDAS] ?? 0),
      orphans: parts.orphans.get(words[at + ORPHANS] ?? 0),
      delivered: counts & 0xff,
      deliveries: (counts >>> 8) & 0xff,
      faults: (counts >>> 16) & 0xff,
      past: parts.past.get(words[at + PAST] ?? 0),
    };
  }

  /**
   * The hash of the packed state, in an array that the next call writes anew. Two states share it if and only if they
   * are the same in all that matters: in whatever order runs, late requests and dispatchers have come.
   */
  hash(): Uint32Array {
    this.#hashAs(undefined);
    return this.#hash;
  }

  /**
   * The same for all states that differ only by which delivery is which: the least hash of those that the state has
   * with other numbers for deliveries that have begun. In an array that the next call writes anew.
   */
  orbitHash(): Uint32Array {
    const { words, length } = this;
    const begun = (words[COUNTS] ?? 0) & 0xff;
    const views = this.symmetry.viewsOf(begun, words.subarray(HEAD_WORDS, length)) ?? [];
    let isFirst = true;
    for (const view of views) {
      // What one view cannot say, none can.
      if (!this.#hashAs(view)) return this.hash();
      if (isFirst || isLess(this.#hash, this.#least)) this.#least.set(this.#hash);
      isFirst = false;
    }
    return isFirst ? this.hash() : this.#least;
  }

  /** Works out the hash of the packed state, or of what a view has in its place; false if the view cannot say that. */
  #hashAs(view: View | undefined): boolean {
    const [words, hashed, parts] = [this.words, this.#hashed, this.#parts];
    const { tables, workflow } = this.space;
    const renaming = view?.renaming;
    hashed.length = COUNTS + 1;
    for (let i = NOW; i <= COUNTS; i += 1) hashed.all[i] = words[i] ?? 0;
    const isHeadKnown =
      hashed.addHash(tables, words[TABLE], renaming) &&
      hashed.addHash(tables, words[TABLE_BEFORE], renaming) &&
      hashed.addHash(parts.lambdas, words[LAMBDAS], view) &&
      hashed.addHash(parts.orphans, words[ORPHANS], view) &&
      hashed.addHash(parts.dispatchers, words[DISPATCHERS], view) &&
      hashed.addHash(parts.past, words[PAST], view) &&
      hashed.addHash(parts.recoveries, words[RECOVERIES], view) &&
      hashed.addHash(parts.requests, words[REQUESTS], view);
    if (!isHeadKnown) return false;
    const executions = this.length - HEAD_WORDS;
    for (let i = 0; i < executions; i += 1) {
      const at = hashed.length + indexIn(view, i) * HASH_WORDS;
      if (!workflow.hashInto(hashed.all, at, words[HEAD_WORDS + i] ?? 0, renaming)) return false;
    }
    hashOfWords(hashed.all, hashed.length + executions * HASH_WORDS, this.#hash);
    return true;
  }
}

/** The lists and the memory of states, with numbers and hashes. */
function partsOf(space: StateSpace) {
  return {
    lambdas: new HashedValues(
      listHash<Lambda>(({ execution, attempt, until, isAwaited }, words, view) => {
        words.add(indexIn(view, execution), attempt, Number(isAwaited));
        words.addTime(until);
        return true;
      }),
    ),
    orphans: new HashedValues(
      listHash<OrphanedRequest>(({ execution, call, until }, words, view) => {
        words.add(indexIn(view, execution));
        words.addTime(until);
        return words.addHash(space.calls, call, view?.renaming);
      }),
    ),
    dispatchers: new HashedValues(
      listHash<Dispatcher>((dispatcher, words, view) => {
        const { delivery, state, isStarted, isDeadLettered } = dispatcher;
        words.add(deliveryIn(view, delivery), Number(isStarted), Number(isDeadLettered));
        return words.addHash(space.dispatcher, state, view?.renaming);
      }),
    ),
    requests: new HashedValues(
      listHash<HttpRequest>((request, words, view) => {
        const { delivery, payload, since, state, asks = ORIGIN - 1, start, saw } = request;
        words.add(deliveryIn(view, delivery), payload, saw ? 1 + SEEN_BY_REQUEST.indexOf(saw) : 0);
        words.add(start ? 1 + indexIn(view, start.execution) : 0, Number(start?.isJoined ?? false));
        for (const time of [since, asks, start?.at ?? ORIGIN]) words.addTime(time - ORIGIN);
        return words.addHash(space.frontDoor, state, view?.renaming);
      }),
    ),
    recoveries: new HashedValues(
      listHash<Recovery>((recovery, words, view) => {
        const { execution, redrives, called, redelivery, phase, state, knows } = recovery;
        words.add(indexIn(view, execution), redrives, RECOVERY_PHASES.indexOf(phase), answersIn(knows));
        words.addTime(knows.end ?? 0);
        words.add(called?.attempt ?? 0, called?.quarter ?? 0);
        if (redelivery) {
          words.add(indexIn(view, redelivery.last), SAW.indexOf(redelivery.saw));
          words.addTime(redelivery.at - ORIGIN);
        }
        return state === undefined || words.addHash(space.recoverers, state, view?.renaming);
      }),
    ),
    past: new HashedValues<Past>((past, hash, view) => {
      const placed = view ? movedPast(past, entry => indexIn(view, entry)) : past;
      hashOfText(JSON.stringify(placed), hash);
      return true;
    }),
  };
}

/** What a redelivery may have seen of its executions, by its number. */
const SAW: readonly Redelivering['saw'][] = [undefined, 'failed', 'atWork'];

/** The number of a delivery: its own, or the one that a view gives it. */
function deliveryIn(view: View | undefined, delivery: number): number {
  return view ? view.renaming.numberOf(delivery) : delivery;
}

function isLess(hash: Uint32Array, than: Uint32Array): boolean {
  for (let word = 0; word < HASH_WORDS; word += 1) {
    const [a = 0, b = 0] = [hash[word], than[word]];
    if (a !== b) return a < b;
  }
  return false;
}
