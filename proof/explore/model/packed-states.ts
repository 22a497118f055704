import { EXECUTIONS_MAX, placedEntry } from './entries';
import { ORIGIN } from './execution-state';
import { HASH_WORDS, Hashes, hashOfText, hashOfWords } from './hash';
import { Interned } from './interned';
import {
  answersIn,
  type Dispatcher,
  type HttpRequest,
  type Lambda,
  type ModelState,
  type OrphanedRequest,
  type Past,
  RECOVERY_PHASES,
  type Recovery,
  type Redelivering,
  SEEN_BY_REQUEST,
} from './model-state';
import type { StateSpace } from './state-space';
import { Symmetry, type View } from './symmetry';

/** The words of a packed state before those of its executions, one each. */
const NOW = 0;
const NOW_HIGH = 1;
const TABLE = 2;
const TABLE_BEFORE = 3;
const LAMBDAS = 4;
const ORPHANS = 5;
const DISPATCHERS = 6;
const PAST = 7;
const COUNTS = 8;
const RECOVERIES = 9;
const REQUESTS = 10;
const HEAD_WORDS = 11;

/** Before the executions' hashes: the time, the counts, and the hashes of the other parts. */
const HASHED_HEAD_WORDS = 3 + 8 * HASH_WORDS;

const WORD = 2 ** 32;

/**
 * States as a few 32-bit words each, in which lists and memories are numbers: what waits to be explored takes little
 * room so. The words mean something in their state space alone, their hash everywhere the same.
 */
export class PackedStates {
  /** The words of the last packed state; `length` of them count. */
  readonly words = new Uint32Array(HEAD_WORDS + EXECUTIONS_MAX);
  length = 0;
  readonly space: StateSpace;
  readonly #lambdas: HashedLists<Lambda>;
  readonly #orphans: HashedLists<OrphanedRequest>;
  readonly #dispatchers: HashedLists<Dispatcher>;
  readonly #recoveries: HashedLists<Recovery>;
  readonly #requests: HashedLists<HttpRequest>;
  readonly #pasts = new Interned<Past>();
  /** The hashes of what the invariants remember, by the view. */
  readonly #seenPasts: Hashes[] = [];
  #symmetry: Symmetry | undefined;
  readonly #hashed = new Uint32Array(HASHED_HEAD_WORDS + EXECUTIONS_MAX * HASH_WORDS);
  readonly #hash = new Uint32Array(HASH_WORDS);
  readonly #least = new Uint32Array(HASH_WORDS);

  constructor(space: StateSpace) {
    this.space = space;
    this.#lambdas = new HashedLists(({ execution, attempt, until, isAwaited }, words, view) => {
      words.set([placeIn(view, execution), attempt, ...lowAndHigh(until), Number(isAwaited)]);
      return 5;
    });
    this.#orphans = new HashedLists(({ execution, call, until }, words, view) => {
      words.set([placeIn(view, execution), ...lowAndHigh(until)]);
      if (view && !space.calls.renamedInto(words, 3, call, view.renaming)) return undefined;
      if (!view) space.calls.hashInto(words, 3, call);
      return 3 + HASH_WORDS;
    });
    this.#dispatchers = new HashedLists(({ delivery, state, isStarted, isDeadLettered }, words, view) => {
      const number = view ? view.renaming.numberOf(delivery) : delivery;
      words.set([number, Number(isStarted), Number(isDeadLettered)]);
      if (view && !space.dispatcher?.renamedInto(words, 3, state, view.renaming)) return undefined;
      if (!view) space.dispatcher?.hashInto(words, 3, state);
      return 3 + HASH_WORDS;
    });
    this.#requests = new HashedLists(({ delivery, payload, since, state, asks, start, saw }, words, view) => {
      const number = view ? view.renaming.numberOf(delivery) : delivery;
      const seen = saw === undefined ? 0 : 1 + SEEN_BY_REQUEST.indexOf(saw);
      const began = start && [1 + placeIn(view, start.execution), Number(start.isJoined ?? false)];
      words.set([number, payload, seen, ...(began ?? [0, 0])]);
      const times = [since, asks ?? ORIGIN - 1, start?.at ?? ORIGIN];
      words.set(
        times.flatMap(time => lowAndHigh(time - ORIGIN)),
        5,
      );
      if (view && !space.frontDoor?.renamedInto(words, 11, state, view.renaming)) return undefined;
      if (!view) space.frontDoor?.hashInto(words, 11, state);
      return 11 + HASH_WORDS;
    });
    this.#recoveries = new HashedLists(
      ({ execution, redrives, called, redelivers, phase, state, knows }, words, view) => {
        const { end = 0 } = knows;
        words.set([placeIn(view, execution), redrives, RECOVERY_PHASES.indexOf(phase)]);
        words.set([answersIn(knows), ...lowAndHigh(end)], 3);
        words.set(called ? [called.attempt, called.quarter] : [0, 0], 6);
        if (redelivers) {
          const { last, at, saw } = redelivers;
          words.set([placeIn(view, last), ...lowAndHigh(at - ORIGIN), SAW.indexOf(saw)], 8);
        }
        const length = redelivers ? 12 : 8;
        if (state === undefined) return length;
        const states = space.recoverers;
        if (view && !states?.renamedInto(words, length, state, view.renaming)) return undefined;
        if (!view) states?.hashInto(words, length, state);
        return length + HASH_WORDS;
      },
    );
  }

  /** By what states are alike; it is made when it is asked for. */
  get symmetry(): Symmetry {
    this.#symmetry ??= new Symmetry(this.space);
    return this.#symmetry;
  }

  /** Packs a state: its words are in `words` until the next one is packed. */
  pack(model: ModelState): void {
    const { words } = this;
    const { executions, delivered, deliveries, faults } = model;
    [words[NOW], words[NOW_HIGH]] = lowAndHigh(model.now - ORIGIN);
    words[TABLE] = model.table;
    words[TABLE_BEFORE] = model.tableBefore;
    words[LAMBDAS] = this.#lambdas.numberOf(model.lambdas);
    words[ORPHANS] = this.#orphans.numberOf(model.orphans);
    words[DISPATCHERS] = this.#dispatchers.numberOf(model.dispatchers);
    words[RECOVERIES] = this.#recoveries.numberOf(model.recoveries);
    words[REQUESTS] = this.#requests.numberOf(model.requests);
    words[PAST] = this.#pasts.numberOf(model.past);
    words[COUNTS] = delivered | (deliveries << 8) | (faults << 16) | (executions.length << 24);
    for (let i = 0; i < executions.length; i += 1) words[HEAD_WORDS + i] = executions[i] ?? 0;
    this.length = HEAD_WORDS + executions.length;
  }

  /**
   * The hash of the packed state, in an array that the next call writes anew. Two states share it if and only if they
   * are the same in all that matters: in whatever order runs, late requests and dispatchers have come.
   */
  hash(): Uint32Array {
    const [words, hashed, space] = [this.words, this.#hashed, this.space];
    hashed[0] = words[NOW] ?? 0;
    hashed[1] = words[NOW_HIGH] ?? 0;
    hashed[2] = words[COUNTS] ?? 0;
    space.tables.hashInto(hashed, 3, words[TABLE] ?? 0);
    space.tables.hashInto(hashed, 3 + HASH_WORDS, words[TABLE_BEFORE] ?? 0);
    this.#lambdas.hashInto(hashed, 3 + 2 * HASH_WORDS, words[LAMBDAS] ?? 0);
    this.#orphans.hashInto(hashed, 3 + 3 * HASH_WORDS, words[ORPHANS] ?? 0);
    this.#dispatchers.hashInto(hashed, 3 + 4 * HASH_WORDS, words[DISPATCHERS] ?? 0);
    this.#pasts.hashInto(hashed, 3 + 5 * HASH_WORDS, words[PAST] ?? 0);
    this.#recoveries.hashInto(hashed, 3 + 6 * HASH_WORDS, words[RECOVERIES] ?? 0);
    this.#requests.hashInto(hashed, 3 + 7 * HASH_WORDS, words[REQUESTS] ?? 0);
    let at = HASHED_HEAD_WORDS;
    for (let i = HEAD_WORDS; i < this.length; i += 1, at += HASH_WORDS)
      space.workflow.hashInto(hashed, at, words[i] ?? 0);
    hashOfWords(hashed, at, this.#hash);
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
      if (!this.#seenBy(view)) return this.hash();
      if (isFirst || isLess(this.#hash, this.#least)) this.#least.set(this.#hash);
      isFirst = false;
    }
    return isFirst ? this.hash() : this.#least;
  }

  /** Works the hash out of what a view has in place of the state; false where that cannot be said. */
  #seenBy(view: View): boolean {
    const [words, hashed, { tables, workflow }] = [this.words, this.#hashed, this.space];
    const { renaming } = view;
    hashed[0] = words[NOW] ?? 0;
    hashed[1] = words[NOW_HIGH] ?? 0;
    hashed[2] = words[COUNTS] ?? 0;
    let isKnown =
      tables.renamedInto(hashed, 3, words[TABLE] ?? 0, renaming) &&
      tables.renamedInto(hashed, 3 + HASH_WORDS, words[TABLE_BEFORE] ?? 0, renaming) &&
      this.#lambdas.hashInto(hashed, 3 + 2 * HASH_WORDS, words[LAMBDAS] ?? 0, view) &&
      this.#orphans.hashInto(hashed, 3 + 3 * HASH_WORDS, words[ORPHANS] ?? 0, view) &&
      this.#dispatchers.hashInto(hashed, 3 + 4 * HASH_WORDS, words[DISPATCHERS] ?? 0, view) &&
      this.#recoveries.hashInto(hashed, 3 + 6 * HASH_WORDS, words[RECOVERIES] ?? 0, view) &&
      this.#requests.hashInto(hashed, 3 + 7 * HASH_WORDS, words[REQUESTS] ?? 0, view);
    this.#pastInto(hashed, 3 + 5 * HASH_WORDS, words[PAST] ?? 0, view);
    for (let i = HEAD_WORDS; isKnown && i < this.length; i += 1) {
      const at = HASHED_HEAD_WORDS + placeIn(view, i - HEAD_WORDS) * HASH_WORDS;
      isKnown = workflow.renamedInto(hashed, at, words[i] ?? 0, renaming);
    }
    const length = HASHED_HEAD_WORDS + (this.length - HEAD_WORDS) * HASH_WORDS;
    if (isKnown) hashOfWords(hashed, length, this.#hash);
    return isKnown;
  }

  #pastInto(words: Uint32Array, at: number, number: number, view: View): void {
    this.#seenPasts[view.index] ??= new Hashes();
    this.#seenPasts[view.index]?.into(words, at, number, hash => {
      const { successes, finishers, lastRun, claimant, waiting, heard, redelivered, ...past } =
        this.#pasts.get(number);
      const seen = <Of extends { readonly execution: number }>(run: Of): Of => {
        return { ...run, execution: placeIn(view, run.execution) };
      };
      const moved: Past = {
        ...past,
        successes: successes.map(seen),
        finishers: finishers.map(index => placeIn(view, index)),
        lastRun: lastRun && seen(lastRun),
        ...(claimant !== undefined && { claimant: placeIn(view, claimant) }),
        // In whatever order they began to wait: who waits says so by its place.
        ...(waiting && { waiting: waiting.map(seen).sort((a, b) => a.execution - b.execution) }),
        ...(heard && { heard: heard.map(seen).sort((a, b) => a.execution - b.execution) }),
        ...(redelivered && {
          redelivered: redelivered
            .map(each => ({ ...seen(each), of: placeIn(view, each.of) }))
            .sort((a, b) => a.execution - b.execution),
        }),
      };
      hashOfText(JSON.stringify(moved), hash);
      return true;
    });
  }

  /** How many words the packed state that begins at a place has. */
  static lengthAt(words: Uint32Array, at: number): number {
    return HEAD_WORDS + ((words[at + COUNTS] ?? 0) >>> 24);
  }

  /** The state whose words begin at a place. */
  unpacked(words: Uint32Array, at: number): ModelState {
    const counts = words[at + COUNTS] ?? 0;
    const executions: number[] = [];
    for (let i = 0; i < counts >>> 24; i += 1) executions.push(words[at + HEAD_WORDS + i] ?? 0);
    return {
      now: ORIGIN + (words[at + NOW] ?? 0) + (words[at + NOW_HIGH] ?? 0) * WORD,
      skewMs: this.space.skewMs,
      table: words[at + TABLE] ?? 0,
      tableBefore: words[at + TABLE_BEFORE] ?? 0,
      executions,
      dispatchers: this.#dispatchers.get(words[at + DISPATCHERS] ?? 0),
      recoveries: this.#recoveries.get(words[at + RECOVERIES] ?? 0),
      requests: this.#requests.get(words[at + REQUESTS] ?? 0),
      lambdas: this.#lambdas.get(words[at + LAMBDAS] ?? 0),
      orphans: this.#orphans.get(words[at + ORPHANS] ?? 0),
      delivered: counts & 0xff,
      deliveries: (counts >>> 8) & 0xff,
      faults: (counts >>> 16) & 0xff,
      past: this.#pasts.get(words[at + PAST] ?? 0),
    };
  }
}

/** What a redelivery may have seen of its executions, by its number. */
const SAW: readonly Redelivering['saw'][] = [undefined, 'failed', 'atWork'];

function lowAndHigh(number: number): [number, number] {
  return [number >>> 0, Math.floor(number / WORD)];
}

/** Words that any element of a list is hashed by. */
const ELEMENT_WORDS_MAX = 16;

/** Writes what an element is to an array, and gives how many words that are; undefined where that cannot be said. */
type WordsOf<Element> = (element: Element, words: Uint32Array, view: View | undefined) => number | undefined;

/** Numbers for lists, each with a hash that does not depend on the order of its elements. */
class HashedLists<Element extends object> {
  readonly #lists = new Interned<readonly Element[]>();
  /** The hashes of the lists, by the view; as they are at 0. */
  readonly #hashes: Hashes[] = [];
  readonly #wordsOf: WordsOf<Element>;
  readonly #words = new Uint32Array(ELEMENT_WORDS_MAX);

  constructor(wordsOf: WordsOf<Element>) {
    this.#wordsOf = wordsOf;
  }

  numberOf(list: readonly Element[]): number {
    return this.#lists.numberOf(list);
  }

  get(number: number): readonly Element[] {
    return this.#lists.get(number);
  }

  hashInto(words: Uint32Array, at: number, number: number, view?: View): boolean {
    const index = view?.index ?? 0;
    this.#hashes[index] ??= new Hashes();
    return this.#hashes[index].into(words, at, number, hash =>
      this.#sum(this.#lists.get(number), hash, view),
    );
  }

  #sum(list: readonly Element[], sum: Uint32Array, view: View | undefined): boolean {
    const hash = new Uint32Array(HASH_WORDS);
    for (const element of list) {
      const length = this.#wordsOf(element, this.#words, view);
      if (length === undefined) return false;
      hashOfWords(this.#words, length, hash);
      for (let word = 0; word < HASH_WORDS; word += 1) sum[word] = (sum[word] ?? 0) + (hash[word] ?? 0);
    }
    return true;
  }
}

/** The place of an execution, or of an entry: its number, or where a view has it. */
function placeIn(view: View | undefined, entry: number): number {
  return view ? placedEntry(view.places, entry) : entry;
}

function isLess(hash: Uint32Array, than: Uint32Array): boolean {
  for (let word = 0; word < HASH_WORDS; word += 1) {
    const [a = 0, b = 0] = [hash[word], than[word]];
    if (a !== b) return a < b;
  }
  return false;
}
