import { type IdempotencyKey, Key } from '../options/key';
import { documentation } from '../words/documentation';
import { isKeyConstant, type KeyForms } from './key-forms';
import { isOfTheEvent, keyPartOf, partsWithin } from './key-parts';
import type { Meeting } from './search';
import {
  type AstNode,
  calledName,
  isConstant,
  nodesOf,
  plain,
  written,
  writtenName,
  writtenText,
} from './syntax';
import { changingCall, type UserExpression } from './user-expression';

/** Why an expression cannot be a key. */
export interface Fault {
  readonly because: string;
  /** What a hash can stand for: the value, which is a list or an object, or the one that it is made of. */
  readonly hashed?: 'value' | 'places';
  /** A member is written as in JavaScript. */
  readonly isMember?: boolean;
  /** No reason makes it right: it is another for each delivery, or never a key. */
  readonly isNeverRight?: boolean;
}

/** Functions that give one text or number for several, with two values of which they make one. */
const MEETING: Readonly<Record<string, readonly [unknown, unknown]>> = {
  abs: [-1, 1],
  ceil: [1.2, 1.4],
  count: [['a'], ['b']],
  decodeUrl: ['a%41', 'aA'],
  decodeUrlComponent: ['a%41', 'aA'],
  length: ['a', 'b'],
  lookup: [
    { a: 1, b: 2 },
    { a: 1, b: 3 },
  ],
  max: [[1, 2], [2]],
  min: [[1, 2], [1]],
  pad: ['a', 'a '],
  parseInteger: ['12a', '12'],
  power: [-2, 2],
  replace: ['+49 1', '491'],
  round: [1.4, 1],
  split: ['a/1', 'a/2'],
  substring: ['order-17', 'order-18'],
  sum: [[1, 2], [3]],
  type: ['a', 'b'],
};

/** Functions whose value is a list or an object. */
const CONTENT = new Set(
  'append clone distinct each filter keys map match merge partition range reverse shuffle sift sort split spread zip'.split(
    ' ',
  ),
);
const COMPARISONS = /^(?:[!<>]?=|[<>]|and|or|in)$/;

/** The fault of an expression that is not in the table of forms. */
export function faultOf(expression: UserExpression): Fault {
  const fault = firstFaultOf(expression);
  const isOrdered = expression.reads.problems.some(({ kind }) => kind === 'order');
  return { ...fault, isNeverRight: fault.isNeverRight || isOrdered };
}

function firstFaultOf({ nodes, reads }: UserExpression): Fault {
  const root = plain(nodes[0]);
  const name = calledName(root) ?? '';
  const changing = changingCall(nodes);
  if (changing !== undefined) {
    const picture = /^\$(?:now|millis)$/.test(changing)
      ? '. For one key a day, use the day of a time that the event has, such as $substring($states.input.time, 0, 10)'
      : changing === '$toMillis'
        ? ', which takes from the clock what its picture leaves out'
        : '';
    return {
      because: `must have the same value for every delivery of an event; it uses ${changing}${picture}`,
      isNeverRight: true,
    };
  }
  const [problem] = reads.problems;
  if (problem?.kind === 'text') {
    const isHash = name === 'hash' && problem.found === '$string';
    return { because: `${NO_TEXT}; it uses ${problem.found}`, ...(isHash && { hashed: 'places' }) };
  }
  const list = nodes.find(({ type, value, expressions = [] }) => {
    return type === 'unary' && value === '[' && expressions.some(item => !isKeyConstant(item));
  });
  const joining = list ? '[…]' : nodes.map(calledIn).find(one => one && /^\$(?:append|zip)$/.test(one));
  if (joining !== undefined) return { because: `${NO_LIST}; it uses ${joining}` };
  if (problem?.kind === 'order')
    return { because: `${NO_ORDER}; it uses ${problem.found}`, hashed: 'places' };
  const never = neverAKey(root);
  if (never !== undefined)
    return { because: never, ...(isObject(root) && { hashed: 'value' }), isNeverRight: true };
  const found = nodes.find(one => lostBy(one) !== undefined);
  if (found !== undefined) {
    const isOfList = /^(?:count|max|min|sum)$/.test(calledName(found) ?? '');
    const because = `gives one key for two events, because ${lostBy(found)}`;
    return { because, ...(isOfList && { hashed: 'places' }) };
  }
  const member = /\[\s*(['"])([^'"]+)\1\s*\]/.exec(written(root) ?? '')?.[2];
  if (member !== undefined)
    return {
      because: `has ['${member}'], which is a filter in JSONata; a member is written .${writtenName(member)}`,
      isMember: true,
    };
  const isContent = CONTENT.has(name) || root.type === 'apply' || root.group !== undefined;
  return { because: `is not a form of a key: ${formIn(nodes)}`, ...(isContent && { hashed: 'value' }) };
}

const lossOf = (name: string, [one, other]: readonly [unknown, unknown]) =>
  `$${name} makes the same of ${JSON.stringify(one)} and ${JSON.stringify(other)}`;

/** The functions that a hash of a value takes all the same. */
export const LOSSY_FORMS: KeyForms = Object.fromEntries(
  Object.entries(MEETING).map(([name, pair]) => [
    `$${name}`,
    { example: `$${name}(_)`, because: lossOf(name, pair), meets: () => pair },
  ]),
);

/** Why a call of a function gives one value for two, in words; undefined for a function without such a sentence. */
function lostBy(node: AstNode): string | undefined {
  const call = plain(node);
  const name = `$${calledName(call)}`;
  if (!Object.hasOwn(LOSSY_FORMS, name)) return undefined;
  return call.arguments?.length === 1
    ? LOSSY_FORMS[name]?.because
    : `${name} makes the same of several values`;
}

/** Why values must not become a text, in a key or a payload. */
export const NO_TEXT =
  'must not turn values into text, because numbers are rounded to 15 digits and missing values become empty';
/** Why a list must not be built of members. */
export const NO_LIST =
  'must not build a list, because missing values are dropped and nested lists are flattened';
/** Why members must not be read without their names. */
export const NO_ORDER = 'must not follow the order of the members of an object, which JSON does not keep';
const NEVER = ', which is not a valid key, for every event';

const isObject = ({ type, value }: AstNode) => type === 'unary' && value === '{';

/** Why an expression, an object, a boolean or a constant, never gives a key; undefined for any other. */
function neverAKey(root: AstNode): string | undefined {
  if (isObject(root)) return `gives an object${NEVER}`;
  if (isTest(root)) return `gives a boolean${NEVER}`;
  if (isKeyConstant(root) || !isConstant(root)) return undefined;
  return `gives ${written(root) === "''" ? 'an empty text' : written(root)}${NEVER}`;
}

/** @throws Error for a part that gives no event a key */
export function requireEverAKey(root: AstNode, text: string): void {
  const never = neverAKey(root);
  if (never !== undefined) throw new Error(`\`idempotencyKey\` ${never}; got ${text}. Leave this part out`);
}

function calledIn({ type, value }: AstNode): string | undefined {
  return type === 'variable' ? `$${value}` : undefined;
}

function isTest(node: AstNode): boolean {
  const isComparison = node.type === 'binary' && COMPARISONS.test(String(node.value));
  return isComparison || /^(?:boolean|contains|exists|not)$/.test(calledName(node) ?? '');
}

/** What of an expression no form has, in words. */
function formIn(nodes: readonly AstNode[]): string {
  const [root] = nodes;
  const words: Readonly<Record<string, string>> = {
    bind: 'it has a variable',
    lambda: 'it has a function of its own',
    regex: 'it has a regular expression',
    sort: 'it sorts',
    transform: 'it changes an object',
    wildcard: 'it reads members without a name, by *',
    descendant: 'it reads members without a name, by **',
  };
  const own = nodes.map(({ type = '' }) => words[type]).find(one => one !== undefined);
  const name = nodes
    .map(calledName)
    .find(one => one !== undefined && keyPartOf(nodes[0] ?? {}) === undefined);
  return (
    own ??
    (name ? `it calls $${name}` : root?.type === 'binary' ? `it uses ${root.value}` : 'it is not a path')
  );
}

/** Keys in place of one of which an expression has this fault, the nearest first. */
export function keysInstead(
  expressions: readonly UserExpression[],
  { example, fault }: { readonly example: string; readonly fault?: Fault | undefined },
): readonly IdempotencyKey[] {
  const [only, ...others] = expressions;
  const one = others.length === 0 ? only : undefined;
  const paths = [...new Set(expressions.flatMap(pathsIn))];
  const hashes = one && { value: [one.text], places: paths.length === 1 ? paths.map(inBraces) : [] };
  const texts = new Set(expressions.flatMap(each => partsOf(each, others.length > 0)));
  const parts = [...([...texts].some(isEvent) ? [] : [example]), ...[...texts].map(inBraces)];
  return [
    ...(fault?.hashed ? (hashes?.[fault.hashed] ?? []) : []).map(text => Key.ofPayload(text)),
    ...(one && fault?.isMember ? [inBraces(withMembers(one.nodes[0]))] : []),
    ...oneOrMore(parts),
    ...oneOrMore(paths.map(inBraces)),
    ...paths.map(inBraces),
  ];
}

const oneOrMore = (parts: readonly string[]): readonly IdempotencyKey[] =>
  parts.length > 1 ? [parts] : [...parts, parts];

const inBraces = (text: string) => `{% ${text} %}`;

/** A path whose members are written as in JavaScript. */
function withMembers(root: AstNode): string {
  return (written(root) ?? '').replaceAll(
    /\[\s*(['"])([^'"]+)\1\s*\]/g,
    (_, __, name: string) => `.${writtenName(name)}`,
  );
}

/** A key as a program has it. */
export function codeOf(key: IdempotencyKey): string {
  if (key instanceof Key) return `Key.ofPayload(${quoted(key.payload ?? '')})`;
  return typeof key === 'string' ? quoted(key) : `[${key.map(quoted).join(', ')}]`;
}

/** What of an expression can be a part, constants only beside others. */
function partsOf(expression: UserExpression, isPart: boolean): readonly string[] {
  const [root] = expression.nodes;
  const text = written(root);
  if (isTest(plain(root)) && text !== undefined && expression.reads.problems.length === 0) {
    return [`${root.type === 'binary' ? `(${text})` : text} ? 'yes' : 'no'`];
  }
  if (isPart && isKeyConstant(root)) return text === undefined ? [] : [text];
  const [within, paths] = [partsWithin(root), pathsIn(expression)];
  // A read of a variable, or of an argument, covers more than the given path.
  const isLess = within.some(part => paths.some(path => path.startsWith(`${part}.`)));
  return keyPartOf(root) === undefined && (isLess || within.length === 0) ? paths : within;
}

/** The paths of the members that an expression reads, but not of all of the input. */
export function pathsIn({ reads }: Pick<UserExpression, 'reads'>): readonly string[] {
  const names = reads.given.filter(([member, ...below]) => member === 'input' && below.length > 0);
  return [...new Set(names.map(path => ['$states', ...path.map(writtenName)].join('.')))];
}

function isEvent(text: string): boolean {
  const part = keyPartOf(nodesOf(text, 'idempotencyKey')[0]);
  return part !== undefined && isOfTheEvent(part);
}

/** A constant text that `&` puts before or between values, and that may have a meaning. */
export function prefixIn(nodes: readonly AstNode[]): string | undefined {
  const texts = nodes.flatMap(({ type, value, lhs, rhs }) =>
    type === 'binary' && value === '&' ? [lhs as AstNode, rhs ?? {}] : [],
  );
  const prefix = texts.find(({ type, value }) => type === 'string' && /\w/.test(String(value)));
  return prefix && writtenText(String(prefix.value));
}

/** A text as a program has it, in the quotes that it does not have itself. */
export function quoted(text: string): string {
  const quote = ["'", '"', '`'].find(each => !text.includes(each)) ?? '"';
  const escaped = JSON.stringify(text).slice(1, -1);
  if (quote === '"') return `"${escaped}"`;
  const plain = escaped.replaceAll('\\"', '"');
  return quote === "'" ? `'${plain}'` : `\`${plain.replaceAll('${', '\\${')}\``;
}

/** A warning's words for two events that get one key. */
export function meetingInWords({ because, events }: Meeting): string {
  const [one, other] = (events ?? []).map(event => JSON.stringify(event));
  return one === other
    ? `all events such as ${one} get one key, whatever else they are, because ${because}`
    : `two events such as ${one} and ${other} get one key, because ${because}`;
}

/** A key with a part that says which member another was taken of. */
export function tagged(
  parts: readonly UserExpression[],
  { part, tag }: Pick<Meeting, 'part' | 'tag'>,
): readonly string[] {
  return parts.map(({ text }) => text).toSpliced(part, 0, `{% ${tag} %}`);
}

export function uncheckedOf(parts: readonly UserExpression[]): string {
  const [only, ...others] = parts.map(({ text }) => text);
  return `Key.unchecked(${codeOf(only !== undefined && others.length === 0 ? only : [only ?? '', ...others])}, { reason: '…' })`;
}

/** Of a list: what comes behind the item that is read never runs. */
export const ONE_BY_ONE =
  'If an event can have several items, those that the key does not read are lost with the duplicate: let each item be an ' +
  `event of its own, as in ${documentation('docs/guide/sources.md#several-records-in-one-message')}`;
export const AS_IT_IS = 'To tell them apart, read the value as it is, or add another part';
