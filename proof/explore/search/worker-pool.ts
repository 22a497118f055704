import type { Found } from '../../../packages/local/explore/kernel/index';
import type { Violation } from '../invariants/invariants';
import type { Subject } from '../model/subject';
import { type Budget, type Expansion, TURN_STATES, type Turn } from './expansion';
import { type Asked, ExpansionThread } from './expansion-thread';
import type { MovedStates } from './moved-states';
import type { SeenStates } from './seen';
import type { Summary } from './summary';

/** States of a level from which on threads are worth it: each has to learn anew what the engine answers. */
const SHARED_FROM = 10_000;
/** A difference that is not worth sending states for. */
const FEW = 1000;
/** How much more than its share of a level a thread may have before it must give some away. */
const UNEVEN = 1.25;

/** Explores a part of each level, in this thread or one of its own. */
interface Worker {
  ask<Name extends Asked>(
    name: Name,
    ...given: Parameters<Expansion[Name]>
  ): Promise<ReturnType<Expansion[Name]>> | ReturnType<Expansion[Name]>;
}

/** A worker, and the states of its next level, as its turns have told. */
interface Share<Of extends Worker = Worker> {
  readonly worker: Of;
  next: number;
}

/** How many threads explore, and from how many states of a level on. */
export interface Sharing {
  /** With 1 the expansion does it all. @default 1 */
  readonly workers?: number | undefined;
  /** @default - from the number that makes threads faster */
  readonly sharedFrom?: number | undefined;
  /** How many new states each finds at most before it can be ended. @default - as many as one turn has room for */
  readonly turnStates?: number | undefined;
}

/** What all workers together came to in one turn each. */
export interface PoolTurn extends Pick<Turn, 'isDone' | 'states' | 'transitions' | 'isFull'> {
  readonly found: readonly Found<Violation>[];
}

/**
 * Those who explore: one expansion, and from the first level on that is large enough several, each in a thread, which
 * share what was seen. Who finds a state first explores it, so that who explores what is left to chance; what there is
 * in each level is not.
 */
export class WorkerPool {
  readonly #first: Expansion;
  readonly #seen: SeenStates;
  readonly #threads: Share<ExpansionThread>[] = [];
  readonly #subject: Subject;
  readonly #budget: Budget;
  readonly #threadsMax: number;
  readonly #sharedFrom: number;
  readonly #turnStates: number;
  #shares: Share[];
  /** Those who have more of the level to explore. */
  #busy: Share[] = [];
  #waiting = new Map<Share, { readonly waiting: number; readonly bytes: number }>();

  constructor(subject: Subject, budget: Budget, seen: SeenStates, first: Expansion, sharing: Sharing) {
    this.#first = first;
    this.#seen = seen;
    this.#subject = subject;
    this.#budget = budget;
    this.#threadsMax = sharing.workers ?? 1;
    this.#sharedFrom = sharing.sharedFrom ?? SHARED_FROM;
    this.#turnStates = sharing.turnStates ?? TURN_STATES;
    const ask = (name: Asked, ...given: never[]) =>
      (first[name] as (...given: never[]) => unknown).apply(first, given);
    this.#shares = [{ worker: { ask: ask as Worker['ask'] }, next: first.nextLevel }];
  }

  /** States of the next level. */
  get next(): number {
    return this.#shares.reduce((sum, { next }) => sum + next, 0);
  }

  /** States that wait to be explored. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** Bytes in which they wait. */
  get bytes(): number {
    return [...this.#waiting.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Begins the next level: shares it out, if that is worth it. */
  async goDeeper(): Promise<void> {
    if (this.#threads.length > 0) await this.#even();
    else if (this.#threadsMax > 1 && this.next >= this.#sharedFrom) await this.#share();
    await Promise.all(this.#shares.map(({ worker }) => worker.ask('goDeeper')));
    for (const share of this.#shares) share.next = 0;
    this.#busy = [...this.#shares];
  }

  /** Adds states to the next level that were kept elsewhere. */
  async importStates(states: MovedStates): Promise<void> {
    const share = [...this.#shares].sort((a, b) => a.next - b.next)[0];
    await share?.worker.ask('importStates', states);
    if (share) share.next += states.length;
  }

  /** All pieces of what waits, to be kept elsewhere: of the level that is being explored, or of the next one. */
  async *copies(which: 'level' | 'next'): AsyncGenerator<MovedStates> {
    for (const { worker } of this.#shares) {
      for (let piece = 0; ; piece += 1) {
        const states = await worker.ask('exportChunk', which, piece);
        if (!states) break;
        yield states;
      }
    }
  }

  /** One turn of each worker that has more of the level to explore. */
  async turn(): Promise<PoolTurn> {
    const busy = this.#busy;
    // Each thread may keep one number back.
    this.#seen.reserve(busy.length * this.#turnStates + this.#threadsMax);
    const turns = await Promise.all(busy.map(({ worker }) => worker.ask('turn', this.#turnStates)));
    const sum = (of: 'states' | 'transitions') => turns.reduce((total, turn) => total + turn[of], 0);
    for (const [index, share] of busy.entries()) {
      const { states = 0, waiting = 0, bytes = 0 } = turns[index] ?? {};
      share.next += states;
      this.#waiting.set(share, { waiting, bytes });
    }
    this.#busy = busy.filter((_, index) => !turns[index]?.isDone);
    return {
      found: turns.flatMap(({ found }) => found ?? []),
      isDone: this.#busy.length === 0,
      states: sum('states'),
      transitions: sum('transitions'),
      isFull: turns.some(({ isFull }) => isFull),
    };
  }

  /** What each expansion knows in the end, by its index. */
  async summaries(): Promise<readonly Summary[]> {
    const others = this.#threads.map(({ worker }) => worker.ask('summary'));
    return [this.#first.summary(), ...(await Promise.all(others))];
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ worker }) => worker.close()));
  }

  async #share(): Promise<void> {
    const { next } = this;
    const data = { subject: this.#subject, budget: this.#budget };
    for (let index = 1; index <= this.#threadsMax; index += 1)
      this.#threads.push({ worker: new ExpansionThread({ ...data, index }, this.#seen), next: 0 });
    for (const share of this.#threads) {
      const states = this.#first.exportStates(Math.ceil(next / this.#threadsMax));
      await share.worker.ask('importStates', states);
      share.next = states.length;
    }
    this.#shares = this.#threads;
    this.#waiting = new Map();
  }

  /** Moves states from the workers with the most to those with the fewest. */
  async #even(): Promise<void> {
    const mean = this.next / this.#threads.length;
    if (mean < FEW) return;
    const byNext = () => [...this.#threads].sort((a, b) => a.next - b.next);
    for (let tries = this.#threads.length; tries > 0; tries -= 1) {
      const [least, most] = [byNext()[0], byNext().at(-1)];
      if (!least || !most || most.next < mean * UNEVEN) return;
      const count = Math.floor(Math.min(most.next - mean, mean - least.next));
      const states = await most.worker.ask('exportStates', count);
      await least.worker.ask('importStates', states);
      most.next -= states.length;
      least.next += states.length;
    }
  }
}
