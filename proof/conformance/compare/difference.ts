/** Where an answer first differs from what was recorded; `undefined` stands for "it does not". */
export interface Difference {
  /** JSON pointer from the root of the compared value, e.g. `/history/5/type`. */
  readonly path: string;
  readonly message: string;
  /** Absent where nothing was expected at this location, or nothing found. */
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** The pointer of a member of what `path` points to. */
export function pointer(path: string, member: string | number): string {
  return `${path}/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A regular expression that matches this text and nothing else. */
export function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
