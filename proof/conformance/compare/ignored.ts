import { literally } from './difference';

/** Tells whether the location a JSON pointer names is left out of a comparison. */
export type Ignored = (path: string) => boolean;

/** Headers and request ids of the service behind an integration; no two calls have the same. */
const METADATA = ['**/SdkHttpMetadata', '**/SdkResponseMetadata'];

/**
 * The places that a case's `ignore` names, and the metadata of service calls everywhere.
 *
 * An entry is a JSON pointer in which `*` stands for one segment and `**` for any number of them. Entries that are no
 * pointers are the case's placeholders, listed there for readers.
 */
export function ignoring(entries: readonly string[]): Ignored {
  const pointers = [...entries, ...METADATA].filter(entry => /^(?:\/|\*\*)/.test(entry));
  const pattern = new RegExp(`^(?:${pointers.map(patternOf).join('|')})$`);
  return path => pattern.test(path);
}

function patternOf(entry: string): string {
  const segments = entry.replace(/^\//, '').split('/');
  return segments.map(segment => WILDCARDS.get(segment) ?? `/${literally(segment)}`).join('');
}

const WILDCARDS: ReadonlyMap<string, string> = new Map([
  ['*', '/[^/]*'],
  ['**', '(?:/[^/]*)*'],
]);
