/**
 * Numbers in [0, 1) that a seed determines, for each key a row of its own. Executions of different keys are under way
 * at the same time, and which of them makes its next call first hangs on this machine: that decides nothing.
 */
export function chanceByKey(seed: number): (key: string | undefined) => number {
  const rows = new Map<string, () => number>();
  return (key = '') => {
    const row = rows.get(key) ?? seededRandom(seed ^ hashOf(key));
    rows.set(key, row);
    return row();
  };
}

/** A number for a text (FNV-1a, 32 bits). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}

/** Numbers in [0, 1) that a seed determines (mulberry32). Good enough to decide which calls fail. */
function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
