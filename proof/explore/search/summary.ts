import { HASH_WORDS } from '../model/hash';
import { hexadecimal } from '../model/interned';

/** What an expansion knows in the end, in words that mean the same in any other. */
export interface Summary {
  /** From which state each transition leads to which. */
  readonly transitions: readonly Uint32Array[];
  /** The hashes of the executions' states that were met. */
  readonly executionStates: Uint32Array;
  /** States of the definitions that no execution has come to. */
  readonly neverEntered: readonly string[];
  /** Those of them that the last delivery comes to, which is tried when everything has ended. */
  readonly enteredInProbe: readonly string[];
  /** The names of steps, by their numbers without the expansion's. */
  readonly names: readonly string[];
}

/** Steps that an expansion has names for at most: what keeps their numbers apart from another expansion's. */
export const NAMES_MAX = 1 << 20;

/** The name of a step by its number, which an expansion has given it. */
export function stepName(summaries: readonly Summary[], step: number): string {
  return summaries[Math.floor(step / NAMES_MAX)]?.names[step % NAMES_MAX] ?? '';
}

/** What several expansions know as one, apart from the names of their steps and the transitions. */
export function together(summaries: readonly Summary[]): Omit<Summary, 'names' | 'transitions'> {
  return {
    executionStates: distinct(summaries.map(({ executionStates }) => executionStates)),
    neverEntered: inAll(summaries.map(({ neverEntered }) => neverEntered)),
    enteredInProbe: [...new Set(summaries.flatMap(({ enteredInProbe }) => enteredInProbe))],
  };
}

/** The elements of the first list that all lists have. */
function inAll(lists: readonly (readonly string[])[]): readonly string[] {
  return (lists[0] ?? []).filter(name => lists.every(list => list.includes(name)));
}

/** Hashes, each once. */
function distinct(lists: readonly Uint32Array[]): Uint32Array {
  const known = new Map<string, Uint32Array>();
  for (const words of lists)
    for (let at = 0; at < words.length; at += HASH_WORDS)
      known.set(hexadecimal(words, at), words.subarray(at, at + HASH_WORDS));
  const all = new Uint32Array(known.size * HASH_WORDS);
  for (const [index, hash] of [...known.values()].entries()) all.set(hash, index * HASH_WORDS);
  return all;
}
