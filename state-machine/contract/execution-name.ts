import { sha256 } from './sha256';

/** Step Functions' longest execution name. */
export const NAME_LENGTH_MAX = 80;
/** 128 bits of the key's SHA-256: two keys of one workflow will not share them. */
export const HASH_LENGTH = 32;
/** What tells a key's further executions from its first: hexadecimal digits. */
export const SUFFIX_LENGTH = 16;

/**
 * The execution name of a key: the key's text where that can be a name, else a readable prefix and a hash.
 *
 * Always within `[0-9A-Za-z_-]{1,80}`. Two keys can still share a name (a key may look like another one's prefix and
 * hash), so a taken name never decides anything: the record does.
 */
export function executionName(keyText: string): string {
  if (new RegExp(`^[0-9A-Za-z_-]{1,${NAME_LENGTH_MAX}}$`).test(keyText)) return keyText;
  const readable = keyText.replace(/[^0-9A-Za-z_-]+/g, '-').slice(0, NAME_LENGTH_MAX - HASH_LENGTH - 1);
  return `${readable}-${sha256(keyText).slice(0, HASH_LENGTH)}`;
}
