import type { Json, JsonObject } from '@onceflow/local';

/** Uniform in [0, 1). */
export type Random = () => number;

/** One of several. */
export function oneOf<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

/** A request with some of what it is made of replaced, left out, doubled or buried. */
export function mutated(random: Random, request: Json): Json {
  let value = request;
  const times = 1 + Math.floor(random() * 3);
  for (let time = 0; time < times; time += 1) value = mutatedSomewhere(random, value);
  return value;
}

function mutatedSomewhere(random: Random, value: Json): Json {
  if (random() < 0.15) return oddValue(random, value);
  if (Array.isArray(value) && value.length > 0) {
    const at = Math.floor(random() * value.length);
    if (random() < 0.1) return [...value, ...value];
    return value.map((element, index) => (index === at ? mutatedSomewhere(random, element) : element));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const names = Object.keys(value);
    const name = oneOf(random, names);
    if (name === undefined) return oddValue(random, value);
    return mutatedMember(random, value as JsonObject, name);
  }
  // Definitions, inputs and events are JSON within a text: half of the time it is that which is wrong.
  const within = typeof value === 'string' && random() < 0.5 ? jsonWithin(value) : undefined;
  return within === undefined ? oddValue(random, value) : JSON.stringify(mutatedSomewhere(random, within));
}

function jsonWithin(text: string): Json | undefined {
  try {
    return text.startsWith('{') ? (JSON.parse(text) as Json) : undefined;
  } catch {
    return undefined;
  }
}

function mutatedMember(random: Random, object: JsonObject, name: string): JsonObject {
  const { [name]: member = null, ...others } = object;
  const kind = random();
  if (kind < 0.1) return others;
  if (kind < 0.2) return { ...others, [oneOf(random, ODD_NAMES)]: member };
  if (kind < 0.25) return { ...object, [oneOf(random, ODD_NAMES)]: oddValue(random, member) };
  return { ...object, [name]: mutatedSomewhere(random, member) };
}

const ODD_NAMES = [
  '',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'N',
  'S',
  'L',
  'M',
  'a'.repeat(300),
  'Ü',
];

/** Levels of needless nesting. */
const LEVELS = [2, 40, 101, 400];

/** A value that no client sends there: of another type, too long, too deep, or the value itself damaged. */
function oddValue(random: Random, value: Json): Json {
  const kind = Math.floor(random() * 12);
  switch (kind) {
    case 0:
    case 1:
      return null;
    case 2:
      return oneOf(random, [0, -1, 1e308, -0.5, 2 ** 53, 1e-320]);
    case 3:
      return oneOf(random, [
        '',
        ' ',
        '\u0000',
        '\ud800',
        '𝔘',
        'a'.repeat(3_000),
        '../..',
        '%00',
        '\uffff\udfff\ud800',
        '\'"<b>',
        '${x}',
      ]);
    case 4:
      return oneOf<Json>(random, [true, false, [], {}, [[]], [null], { S: null }, { L: [null] }]);
    case 5:
      return nested(value, oneOf(random, LEVELS), level => [level]);
    case 6:
      return nested(value, oneOf(random, LEVELS), level => ({ L: [level] }));
    case 7:
      return nested(value, oneOf(random, LEVELS), level => ({ M: { a: level } }));
    case 8:
      return typeof value === 'string' ? `${value}${value}` : [value];
    case 9:
      return typeof value === 'string' ? value.slice(0, Math.floor(random() * value.length)) : { value };
    case 10:
      return typeof value === 'string' ? oddText(random, value) : JSON.stringify(value);
    default:
      return typeof value === 'number' ? String(value) : 7;
  }
}

/** Parts that mean something in expressions of DynamoDB, JSONata, patterns, or ARNs. */
const PARTS = [
  '(',
  ')',
  '((',
  '))',
  '{%',
  '%}',
  '#a',
  ':v',
  '/(a+)+$/',
  '[0]',
  '.',
  '=',
  ' AND ',
  ' OR NOT ',
  '$',
  '*',
  ',',
];

/** The text with a part of an expression at a random position, beside or instead of its character. */
function oddText(random: Random, text: string): string {
  const at = Math.floor(random() * text.length);
  const part = oneOf(random, PARTS).repeat(random() < 0.1 ? 30 : 1);
  return `${text.slice(0, at)}${part}${text.slice(random() < 0.5 ? at : at + 1)}`;
}

function nested(value: Json, levels: number, wrap: (value: Json) => Json): Json {
  let wrapped = value;
  for (let level = 0; level < levels; level += 1) wrapped = wrap(wrapped);
  return wrapped;
}
