/** A text in which `${Name}` stands for repeated pieces, and these pieces by their names. */
export interface ShortenedText {
  readonly text: string;
  readonly pieces: Readonly<Record<string, string>>;
}

/** Lengths of repeated pieces that are looked for. */
const LENGTHS = [400, 280, 200, 150, 120, 95, 75, 60, 48, 38, 32, 27, 23, 20, 17, 14];

/** Pieces that are taken in one pass over the text, so that not each one costs a pass. */
const PIECES_A_PASS = 10;

/** What a piece must save, in characters of the template's JSON. */
const LEAST_SAVING = 3;

/**
 * Puts pieces that a text repeats in front of it, as the variables of `Fn::Sub`: CloudFormation puts them back. The
 * greatest saving comes first; a piece has no reference in it.
 *
 * @param text a text whose references to resources are `${Name}` already
 *
 * @example
 * shortened('… long … long …').pieces // { a: 'long' }, if that is shorter
 */
export function shortened(text: string): ShortenedText {
  if (text.search(MARKS) >= 0) return { text, pieces: {} };
  const references: string[] = [];
  // One character each, so that no piece cuts a reference.
  const markOf = (reference: string) => String.fromCharCode(MARK + references.push(reference) - 1);
  const names = namesBeside(text);
  const pieces: Record<string, string> = {};
  let rest = text.replaceAll(/\$\{[^}]*\}/g, markOf);
  for (;;) {
    let hasSaved = false;
    for (const candidate of repeatedPieces(rest)) {
      const piece = extended(rest, candidate);
      if (rest.includes(`$${piece}`) || savingOf(piece, rest.split(piece).length - 1) < LEAST_SAVING)
        continue;
      const name = names.next().value;
      pieces[name] = piece;
      rest = rest.replaceAll(piece, markOf(`\${${name}}`));
      hasSaved = true;
    }
    if (!hasSaved) break;
  }
  return { text: rest.replaceAll(MARKS, mark => references[mark.charCodeAt(0) - MARK] ?? ''), pieces };
}

/** The first of the characters that Unicode leaves to private use. A text that has one of them stays as it is. */
const MARK = 0xe000;
const MARKS = /[\ue000-\uf8ff]/g;

/** A text that begins or ends within a character: JSON cannot hold it as it is. */
const HALVES = /^[\udc00-\udfff]|[\ud800-\udbff]$/;

/** Pieces without a reference that a text has twice or more, some of those that save most, the best one first. */
function repeatedPieces(text: string): string[] {
  const repeats = LENGTHS.flatMap(length =>
    repeatsOf(text, length).map(({ start, count }) => {
      // As short as it is in the text: what it saves within JSON is asked of the few that are left.
      return { start, length, saving: count * (length - 4) - length };
    }),
  );
  const pieces: string[] = [];
  for (const { start, length } of repeats.toSorted((one, other) => other.saving - one.saving)) {
    const piece = text.slice(start, start + length);
    if (piece.search(MARKS) < 0 && !HALVES.test(piece)) pieces.push(piece);
    if (pieces.length === PIECES_A_PASS) break;
  }
  return pieces;
}

interface Repeat {
  readonly start: number;
  readonly count: number;
}

/**
 * Where pieces of this length are that a text seems to repeat, by a hash that moves along it. The table of hashes is of
 * numbers alone, since a definition has as many pieces as characters, for each length.
 */
function repeatsOf(text: string, length: number): Repeat[] {
  const bits = Math.ceil(Math.log2(2 * text.length + 2));
  const size = 2 ** bits;
  /** By the place of a hash, the number of its piece, from 1 on. */
  const numbers = new Int32Array(size);
  const [hashes, starts, counts, ends] = Array.from({ length: 4 }, () => new Int32Array(text.length + 1)) as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  let known = 0;
  const first = power(length - 1);
  let hash = 0;
  for (let end = 0; end < text.length; end += 1) {
    if (end >= length) hash = (hash - Math.imul(text.charCodeAt(end - length), first)) | 0;
    hash = (Math.imul(hash, BASE) + text.charCodeAt(end)) | 0;
    const start = end - length + 1;
    if (start < 0) continue;
    let place = Math.imul(hash, SPREAD) >>> (32 - bits);
    while (numbers[place] !== 0 && hashes[numbers[place] as number] !== hash)
      place = (place + 1) & (size - 1);
    const number = numbers[place] as number;
    if (number === 0) {
      known += 1;
      numbers[place] = known;
      hashes[known] = hash;
      starts[known] = start;
      counts[known] = 1;
      ends[known] = end + 1;
    } else if (start >= (ends[number] as number)) {
      counts[number] = (counts[number] as number) + 1;
      ends[number] = end + 1;
    }
  }
  const repeats: Repeat[] = [];
  for (let number = 1; number <= known; number += 1) {
    const count = counts[number] as number;
    if (count > 1) repeats.push({ start: starts[number] as number, count });
  }
  return repeats;
}

/** Spreads hashes over the places of a table, by the highest bits of a product: the lowest bits of a hash say little. */
const SPREAD = 0x9e3779b1;

const BASE = 1_000_003;

function power(exponent: number): number {
  let product = 1;
  for (let times = 0; times < exponent; times += 1) product = Math.imul(product, BASE);
  return product;
}

/** The piece with what precedes and follows it wherever it occurs, without a reference. */
function extended(text: string, piece: string): string {
  const parts = text.split(piece);
  if (parts.length < 3) return piece;
  const before = commonLength(parts.slice(0, -1).map(part => [...part].reverse().join('')));
  const after = commonLength(parts.slice(1));
  const start = text.indexOf(piece);
  const whole = text.slice(start - before, start + piece.length + after);
  return text.split(whole).length === parts.length && !HALVES.test(whole) ? whole : piece;
}

/** How many characters all texts begin with in common, at most up to a reference. */
function commonLength([first = '', ...others]: readonly string[]): number {
  let length = 0;
  while (
    length < first.length &&
    first.charAt(length).search(MARKS) < 0 &&
    others.every(other => other[length] === first[length])
  )
    length += 1;
  return length;
}

function savingOf(piece: string, count: number): number {
  const length = JSON.stringify(piece).length - 2;
  return count * (length - 4) - length - 9;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Names of one letter, then of more, without those that a text refers to. */
function* namesBeside(text: string): Generator<string, never> {
  for (let round = 0; ; round += 1) {
    for (const letter of LETTERS) {
      const name = round === 0 ? letter : `${letter}${round}`;
      if (!text.includes(`\${${name}}`)) yield name;
    }
  }
}
