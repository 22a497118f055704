import type { Json } from '../../../packages/local/json/json';
import { ORIGIN } from './execution-state';
import { ExecutionStates } from './execution-states';
import {
  directName,
  eventName,
  eventOf,
  inputOf,
  renumberedIn,
  requestName,
  requestOf,
  runOrder,
} from './inputs';
import type { Renaming } from './interned';
import { sha256 } from './sha256';
import type { StateSpace } from './state-space';

/** Deliveries that are renamed: those with a higher number keep it, so that there are never more than 24 renamings. */
const RENAMED_MAX = 4;
/** How often an execution may have been redriven for its client tokens to be known. */
const REDRIVES_MAX = 9;
/** Executions that a pattern has room for, four bits each. */
const PATTERN_MAX = 10;

const HASH_TEXT = /\b[0-9a-f]{16,}\b/g;
/** What names a delivery: a name that holds its number, or a hash that may be made of one. */
const NAMED = /\b(?:(direct|event|request|question)-(\d+)|[0-9a-f]{16})\b/g;
const EXECUTION_ARN = /arn:aws:states:[\w-]*:\d*:execution:[\w.:-]+/g;
/** What a dispatcher, or a front door, makes a name its own by: the first characters of a hash of its execution's ARN. */
const SUFFIX_LENGTH = 16;

/** How a state is looked at: with other numbers for deliveries, and its executions in an order of their own. */
export interface View {
  /** Which one it is of its symmetry. */
  readonly index: number;
  readonly renaming: Renaming;
  /** The place of each execution, by its index. */
  readonly places: readonly number[];
}

/**
 * The symmetry of deliveries: the order of deliveries decides nothing. A delivery's number is in the name of what it
 * starts, and so in ARNs, owners, and what is hashed of these; nothing is made of them but comparisons. Two states that
 * differ by the numbers of deliveries that have begun have the same successors. So do two whose executions are listed
 * in another order, because only the name tells an execution apart.
 */
export class Symmetry {
  readonly #space: StateSpace;
  readonly #all: readonly Renaming[];
  /** Those that rename nothing but what has begun, by how many have. */
  readonly #renamings: readonly (readonly Renaming[])[];
  /** Hashes that no name has a part in: of the key, and of the payloads. */
  readonly #constants: ReadonlySet<string>;
  /** What tells the starts of a dispatcher's execution apart, by the delivery. */
  readonly #suffixes: readonly string[];
  readonly #views = new Map<number, readonly View[]>();
  readonly #deliveries: number[] = [];
  #viewCount = 0;

  constructor(space: StateSpace) {
    const { workflow, dispatcher, frontDoor } = space;
    const { orderId } = space.subject;
    this.#space = space;
    const numbers = numbersTo(RENAMED_MAX);
    this.#constants = new Set(
      [0, 1].flatMap(payload => [
        ...constantsIn(workflow, number => [directName(number), inputOf(payload, orderId)]),
        ...constantsIn(dispatcher, number => [eventName(number), eventOf(number, payload, orderId)]),
        ...constantsIn(frontDoor, number => [requestName(number), requestOf(payload, orderId)]),
      ]),
    );
    const [starter, nameOf] = frontDoor ? [frontDoor, requestName] : [dispatcher, eventName];
    this.#suffixes = numbers.flatMap(number =>
      starter ? [sha256(starter.arnOf(nameOf(number))).slice(0, SUFFIX_LENGTH)] : [],
    );
    this.#all = permutations(numbers).map((others, index) => this.#renaming(others, index));
    this.#renamings = [0, ...numbers].map(begun =>
      this.#all.filter(({ numberOf }) =>
        numbers.every(number => number <= begun || numberOf(number) === number),
      ),
    );
  }

  /**
   * All views of a state with so many deliveries begun, and these executions, by the numbers of their states.
   * Undefined if there are too many executions.
   */
  viewsOf(begun: number, executions: Uint32Array): readonly View[] | undefined {
    if (executions.length > PATTERN_MAX) return undefined;
    const count = Math.min(begun, RENAMED_MAX);
    let key = count * 16 + executions.length;
    for (const execution of executions) key = key * 16 + this.#deliveryOf(execution);
    const known = this.#views.get(key);
    if (known) return known;
    const deliveries = [...executions].map(execution => this.#deliveryOf(execution));
    const views = this.renamingsOf(count).map((renaming): View => {
      this.#viewCount += 1;
      return { index: this.#viewCount, renaming, places: placesOf(deliveries, renaming) };
    });
    this.#views.set(key, views);
    return views;
  }

  /** All renamings of so many deliveries that have begun. */
  renamingsOf(begun: number): readonly Renaming[] {
    return this.#renamings[Math.min(begun, RENAMED_MAX)] ?? [];
  }

  /** Writes the hash that a single execution's state has, whichever delivery is which, to the begin of `words`. */
  executionInto(words: Uint32Array, states: ExecutionStates, number: number): void {
    const text = JSON.stringify(states.get(number));
    const named = [...text.matchAll(NAMED)].map(([hash, , delivery]) =>
      delivery === undefined ? 1 + this.#suffixes.indexOf(hash) : Number(delivery),
    );
    const order = [...new Set(named)].filter(delivery => delivery >= 1 && delivery <= RENAMED_MAX);
    // By the order in which a text names deliveries one renaming is as good as any other one.
    const renaming = this.#all.find(({ numberOf }) =>
      order.every((delivery, index) => numberOf(delivery) === index + 1),
    );
    if (!renaming || !states.hashInto(words, 0, number, renaming)) states.hashInto(words, 0, number);
  }

  /** The delivery whose number is in the name of an execution; 0 if there is none. */
  #deliveryOf(execution: number): number {
    const known = this.#deliveries[execution];
    if (known !== undefined) return known;
    const { name } = this.#space.workflow.get(execution).execution;
    const direct = runOrder(name)?.delivery;
    const delivery = direct ?? 1 + this.#suffixes.findIndex(suffix => name.includes(suffix));
    this.#deliveries[execution] = delivery;
    return delivery;
  }

  #renaming(others: readonly number[], index: number): Renaming {
    const numberOf = (delivery: number) => others[delivery - 1] ?? delivery;
    return { index, numberOf, textOf: text => this.#renamed(text, numberOf) };
  }

  #renamed(text: string, numberOf: (delivery: number) => number): string | undefined {
    let isKnown = true;
    const withNames = (of: string) => renumberedIn(this.#withSuffixes(of, numberOf), numberOf);
    const tokens = new Map<string, string>();
    for (const [hash] of text.matchAll(HASH_TEXT)) {
      if (this.#constants.has(hash) || this.#suffixes.includes(hash) || tokens.has(hash)) continue;
      const made = tokenIn(text, hash);
      isKnown &&= made !== undefined;
      if (made) tokens.set(hash, sha256(withNames(made)));
    }
    if (!isKnown) return undefined;
    return withNames(text.replace(HASH_TEXT, hash => tokens.get(hash) ?? hash));
  }

  #withSuffixes(text: string, numberOf: (delivery: number) => number): string {
    return text.replace(HASH_TEXT, hash => {
      const at = this.#suffixes.indexOf(hash);
      return at < 0 ? hash : (this.#suffixes[numberOf(at + 1) - 1] ?? hash);
    });
  }
}

/** What a client token is made of: an execution, of those that a text names, and how often it was redriven. */
function tokenIn(text: string, hash: string): string | undefined {
  for (const [arn] of text.matchAll(EXECUTION_ARN))
    for (let redrives = 0; redrives <= REDRIVES_MAX; redrives += 1)
      if (sha256(`${arn}#${redrives}`) === hash) return `${arn}#${redrives}`;
  return undefined;
}

/** The hashes that are in the first state of two deliveries, each by its name and its input. */
function constantsIn(
  states: ExecutionStates | undefined,
  startOf: (delivery: number) => readonly [name: string, input: Json],
): readonly string[] {
  if (!states) return [];
  const machine = new ExecutionStates(states.explored, 0);
  const [one = [], other = []] = [1, 2].map(delivery => {
    const [name, input] = startOf(delivery);
    const text = JSON.stringify(machine.get(machine.started({ name, input, now: ORIGIN })));
    return [...text.matchAll(HASH_TEXT)].map(([hash]) => hash);
  });
  return one.filter(hash => other.includes(hash));
}

/** The places of executions: first those without a delivery of their own, then the others by its other number. */
function placesOf(deliveries: readonly number[], { numberOf }: Renaming): readonly number[] {
  const by = (index: number) => numberOf(deliveries[index] ?? 0);
  // Sorting is stable: executions of one name stay in the order of their starts, which tells them apart.
  const order = [...deliveries.keys()].sort((a, b) => by(a) - by(b));
  return [...deliveries.keys()].map(index => order.indexOf(index));
}

function numbersTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

/** All orders of these numbers, the one as given first. */
function permutations(numbers: readonly number[]): readonly (readonly number[])[] {
  if (numbers.length === 0) return [[]];
  return numbers.flatMap((first, at) =>
    permutations(numbers.filter((_, index) => index !== at)).map(rest => [first, ...rest]),
  );
}
