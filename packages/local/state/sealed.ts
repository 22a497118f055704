import { createHash } from 'node:crypto';

/** Hex digits of a seal: 64 bits, which no accident hits. */
const SEAL_DIGITS = 16;

/**
 * A text with what shows later that it is still the one that was written under this key. LevelDB itself checks its
 * checksums only where it reads its log, not where it reads its tables.
 */
export function sealed(key: string, text: string): string {
  return `${sealOf(key, text)} ${text}`;
}

/** The text that was sealed under this key, or undefined where it is not that any more. */
export function unsealed(key: string, value: string): string | undefined {
  const text = value.slice(SEAL_DIGITS + 1);
  return value.startsWith(`${sealOf(key, text)} `) ? text : undefined;
}

function sealOf(key: string, text: string): string {
  return createHash('sha256').update(`${key} ${text}`).digest('hex').slice(0, SEAL_DIGITS);
}
