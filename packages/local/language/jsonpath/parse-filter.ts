import type { Json } from '../../json/json';
import { NotReadable, type Reader } from './reader';
import { type Condition, OPERATORS, type Operand, type Operator, type Path } from './syntax';

/** Levels of parentheses and filters within one another. */
const DEPTH_MAX = 50;

/** Reads the steps of a path in a filter that stands so deep. */
export type ReadSteps = (depth: number) => Path;

/**
 * Reads what stands between the parentheses of `[?(...)]`.
 *
 * @throws NotReadable if it is not a condition
 */
export function readCondition(reader: Reader, depth: number, readSteps: ReadSteps): Condition {
  if (depth > DEPTH_MAX) throw new NotReadable(`a filter nests at most ${DEPTH_MAX} levels deep`);
  return readJoined(reader, 'or', '||', () =>
    readJoined(reader, 'and', '&&', () => readTest(reader, depth, readSteps)),
  );
}

function readJoined(reader: Reader, kind: 'and' | 'or', sign: string, read: () => Condition): Condition {
  const first = read();
  const conditions = [first];
  reader.skipSpace();
  while (reader.takes(sign)) {
    conditions.push(read());
    reader.skipSpace();
  }
  return conditions.length === 1 ? first : { kind, conditions };
}

function readTest(reader: Reader, depth: number, readSteps: ReadSteps): Condition {
  reader.skipSpace();
  if (reader.takes('(')) {
    const inner = readCondition(reader, depth + 1, readSteps);
    reader.expect(')');
    return inner;
  }
  if (reader.next === '!') {
    reader.expect('!');
    if (depth >= DEPTH_MAX) throw new NotReadable(`a filter nests at most ${DEPTH_MAX} levels deep`);
    return { kind: 'not', condition: readTest(reader, depth + 1, readSteps) };
  }
  const left = readOperand(reader, depth, readSteps);
  reader.skipSpace();
  const operator = readOperator(reader);
  if (operator !== undefined) {
    reader.skipSpace();
    return { kind: 'comparison', left, operator, right: readOperand(reader, depth, readSteps) };
  }
  if (left.kind === 'path') return { kind: 'exists', operand: left };
  throw reader.unexpected('expected an operator');
}

const OPERATOR_WORD = /[a-z]+/iy;

function readOperator(reader: Reader): Operator | undefined {
  if (reader.takes('=~')) throw new NotReadable('regular expressions in filters are not supported');
  const sign = OPERATORS.find(known => !/[a-z]/.test(known) && reader.takes(known));
  if (sign !== undefined) return sign;
  const word = reader.match(OPERATOR_WORD);
  if (word === '') return undefined;
  const operator = OPERATORS.find(known => known === word.toLowerCase());
  if (operator === undefined) throw new NotReadable(`there is no operator '${word}'`);
  return operator;
}

function readOperand(reader: Reader, depth: number, readSteps: ReadSteps): Operand {
  if (reader.takes('@')) {
    return { kind: 'path', from: 'item', path: readSteps(depth) };
  }
  if (reader.takes('$')) return { kind: 'path', from: 'root', path: readSteps(depth) };
  return { kind: 'literal', value: readLiteral(reader, depth) };
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
const CONSTANTS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function readLiteral(reader: Reader, depth: number): Json {
  if (reader.next === "'" || reader.next === '"') return reader.quoted();
  if (reader.takes('[')) return readList(reader, depth);
  const number = reader.match(NUMBER);
  if (number !== '') return Number(number);
  const word = reader.match(WORD);
  if (word === '') throw reader.unexpected('expected a path or a literal');
  // Definitions that AWS publishes compare with words without quotes.
  return CONSTANTS.has(word) ? (CONSTANTS.get(word) ?? null) : word;
}

function readList(reader: Reader, depth: number): Json {
  if (depth >= DEPTH_MAX) throw new NotReadable(`a filter nests at most ${DEPTH_MAX} levels deep`);
  const items: Json[] = [];
  reader.skipSpace();
  if (reader.takes(']')) return items;
  do {
    reader.skipSpace();
    items.push(readLiteral(reader, depth + 1));
    reader.skipSpace();
  } while (reader.takes(','));
  reader.expect(']');
  return items;
}
