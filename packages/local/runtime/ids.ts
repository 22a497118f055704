import { randomUUID } from 'node:crypto';

/** Where ids and randomness come from. */
export interface Ids {
  /** A version 4 UUID. */
  uuid(): string;
  /** Uniform in [0, 1). */
  random(): number;
  /** A source of its own for one purpose. From a seeded source the same label always gives the same one. */
  fork(label: string): Ids;
}

/** Ids that differ in every run. */
export function randomIds(): Ids {
  const ids: Ids = { uuid: () => inOnePiece(randomUUID()), random: () => Math.random(), fork: () => ids };
  return ids;
}

/**
 * The same text. It was put together from some twenty pieces, which would take ten times its memory for as long as
 * there is the text; looking at a character makes one piece of it.
 */
function inOnePiece(text: string): string {
  text.charCodeAt(0);
  return text;
}

/** Ids that a seed determines: the same calls on the same seed give the same answers in every run. */
export function seededIds(seed: string): Ids {
  const next = generator(seed);
  return {
    uuid: () => uuidFrom(next),
    random: () => next() / WORD,
    fork: label => seededIds(`${seed}\n${label}`),
  };
}

const WORD = 2 ** 32;

/** Thirty-two random bits at a time (sfc32, seeded by hashing the text four times). */
function generator(seed: string): () => number {
  let [a, b, c, counter] = [hash(seed, 1), hash(seed, 2), hash(seed, 3), 1];
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  // The first outputs still resemble the seed.
  for (let i = 0; i < 12; i += 1) next();
  return next;
}

/** FNV-1a with a final mix. */
function hash(text: string, salt: number): number {
  let value = 0x811c9dc5 ^ salt;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return value ^ (value >>> 13);
}

function uuidFrom(next: () => number): string {
  const hex = Array.from({ length: 4 }, () => next().toString(16).padStart(8, '0')).join('');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-');
}
