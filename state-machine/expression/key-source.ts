import { type IdempotencyKey, Key } from '../options/key';
import {
  type AstNode,
  type Checks,
  called,
  expressionIn,
  OF_THE_INPUT,
  type Rule,
  readingStates,
  STABLE,
  type UserExpression,
} from './user-expression';

/** The expression(s) that a key is made of: one, the parts of a composite key, or a payload's. */
export type KeySource =
  | { readonly kind: 'single' | 'payload'; readonly parts: readonly [UserExpression] }
  | { readonly kind: 'composite'; readonly parts: readonly UserExpression[] };

/**
 * The key's expression(s), parsed.
 *
 * @throws Error where the text is no JSONata expression, could not give the same key twice, or could give one key for
 * different events
 */
export function keySource(idempotencyKey: IdempotencyKey): KeySource {
  const key = parseKey(idempotencyKey);
  if (key.kind !== 'payload') for (const part of key.parts) requirePossibleKey(part);
  requireTheEvent(key.parts, optionOf(key));
  return key;
}

/**
 * The expression of the key that a front door takes of its request, without `{% %}`.
 *
 * @throws Error as `keySource` does
 */
export function requestKeySource(text: string): string {
  const expression = expressionIn(text, REQUEST_KEY);
  if (expression.nodes.some(isContext)) {
    throw new Error(
      '`idempotencyKey` reads $states.context, which has other values for each request. Read one value of the ' +
        `request, such as {% $states.input.body.paymentId %}; got ${expression.text}`,
    );
  }
  requireTheEvent([expression], 'idempotencyKey', 'the request', '{% $states.input.body.paymentId %}');
  return expression.jsonata;
}

/** How a message names the option that the key was passed by. */
function optionOf({ kind }: KeySource): string {
  return kind === 'payload' ? 'Key.ofPayload' : 'idempotencyKey';
}

function parseKey(idempotencyKey: IdempotencyKey): KeySource {
  if (idempotencyKey instanceof Key) {
    return { kind: 'payload', parts: [expressionIn(idempotencyKey.payload, KEY_PAYLOAD)] };
  }
  if (!Array.isArray(idempotencyKey)) return { kind: 'single', parts: [expressionIn(idempotencyKey, KEY)] };
  if (idempotencyKey.length === 0)
    throw new Error('`idempotencyKey` needs at least one part, got an empty list');
  // A list with holes has parts as well, which are missing.
  const parts = Array.from(idempotencyKey, (part, i) =>
    expressionIn(part, { ...KEY, prop: `idempotencyKey[${i}]` }),
  );
  return { kind: 'composite', parts };
}

/**
 * The payload's expression, parsed, or undefined where payloads are not compared.
 *
 * @throws Error where the text is no JSONata expression, could not give the same payload twice, or rounds numbers
 */
export function payloadSource(payload: string | undefined): UserExpression | undefined {
  if (payload === undefined) return undefined;
  const expression = expressionIn(payload, { prop: 'payload', rules: PAYLOAD_RULES });
  requireTheEvent([expression], 'payload');
  return expression;
}

const NOT_ROUNDED: Rule = {
  forbids: node => (node.type === 'binary' && node.value === '&' ? '&' : called(node, ['string'])),
  because:
    'must not turn values into text, because numbers are rounded to 15 digits and missing values become empty',
};

const NOT_JOINED: Rule = {
  forbids: node => (node.type === 'unary' && node.value === '[' ? '[…]' : called(node, ['append', 'join'])),
  because: 'must not build a list, because missing values are dropped and nested lists are flattened',
};

const PAYLOAD_RULES: readonly Rule[] = [STABLE, OF_THE_INPUT, NOT_ROUNDED];
const KEY_RULES: readonly Rule[] = [...PAYLOAD_RULES, NOT_JOINED];
const REMEDY =
  "For a composite key, pass its parts as separate expressions: idempotencyKey: ['{% … %}', '{% … %}']";

const KEY: Checks = {
  prop: 'idempotencyKey',
  rules: KEY_RULES,
  remedyFor: rule => (rule === NOT_ROUNDED || rule === NOT_JOINED ? REMEDY : undefined),
};
/** A front door has one expression for its key. */
const REQUEST_KEY: Checks = {
  ...KEY,
  example: '{% $states.input.body.paymentId %}',
  remedyFor: () => 'Read one value of the request, such as {% $states.input.body.paymentId %}',
};
const KEY_PAYLOAD: Checks = { prop: 'Key.ofPayload', rules: KEY_RULES };

/** Rejects a key that no event can have: by its syntax it is never a text or a number. */
function requirePossibleKey({ nodes: [root], text }: UserExpression): void {
  const gives = neverAKey(root);
  if (gives === undefined) return;
  throw new Error(
    `\`idempotencyKey\` gives ${gives}, which is not a valid key, for every event; got ${text}. Read a text or a whole ` +
      "number, such as {% $states.input.detail.orderId %}, or hash an object with Key.ofPayload('{% … %}')",
  );
}

const COMPARISONS = new Set(['=', '!=', '<', '<=', '>', '>=', 'and', 'or', 'in']);

function neverAKey({ type, value, procedure }: AstNode): string | undefined {
  if (type === 'unary' && value === '{') return 'an object';
  if (type === 'binary' && COMPARISONS.has(String(value))) return 'a boolean';
  const isTest =
    type === 'function' && procedure && called(procedure, ['boolean', 'contains', 'exists', 'not']);
  return isTest ? 'a boolean' : undefined;
}

/** Rejects a key or payload of which no part reads the event: it would be the same for all of them. */
function requireTheEvent(
  parts: readonly UserExpression[],
  prop: string,
  event = 'the event',
  example = '{% $states.input.detail.orderId %}',
): void {
  if (parts.some(({ nodes }) => readingStates(nodes).size > 0)) return;
  throw new Error(
    `\`${prop}\` must read ${event} in $states.input, such as ${example}; got ` +
      parts.map(({ jsonata }) => `{% ${jsonata} %}`).join(', '),
  );
}

/** What decides whether a delivery is one of an event that is known. */
export interface KeyAndPayload {
  readonly key: KeySource;
  readonly payload: UserExpression | undefined;
}

function expressionsOf({ key, payload }: KeyAndPayload): readonly UserExpression[] {
  return payload ? [...key.parts, payload] : key.parts;
}

/**
 * Rejects expressions that would say something else of another delivery of the same event: they read a member of the
 * input that differs, which a dispatcher leaves out, or the context of the execution they are evaluated in.
 *
 * @throws Error with the remedy
 */
export function requireOfTheEvent(
  { key, payload }: KeyAndPayload,
  volatile: readonly string[],
  isExpress: boolean,
): void {
  const all = expressionsOf({ key, payload });
  for (const { text, nodes } of all) {
    if (!nodes.some(isContext)) continue;
    throw new Error(
      `\`idempotencyKey\` or \`payload\` reads $states.context, which has other values in ${isExpress ? 'each execution' : 'the dispatcher of the source'}; got ` +
        `${text}. With a source, use only $states.input`,
    );
  }
  for (const part of key.parts) requireMembers(part, volatile, optionOf(key));
  for (const { text, nodes } of all) {
    const read = nodes.map(memberOfInput).find(name => name !== undefined && volatile.includes(name));
    if (read === undefined) continue;
    const of = /^(id|time|replay-name)$/.test(read) ? ' of events (messages that have a `detail-type`)' : '';
    const isLeftOut = isExpress ? '' : `, so this source leaves it out${of}`;
    throw new Error(
      `$states.input.${read} differs between deliveries of one event${isLeftOut}; got ${text}. ` +
        `Use another member, or, if it is the same for every delivery, pass { keep: ['${read}'] } to the source`,
    );
  }
}

/** Whether an expression takes the input as a whole, and with it what a source leaves out. */
export function readsAllOfTheInput({ nodes }: UserExpression): boolean {
  const named = nodes.filter(({ type, steps: [states, input, member] = [] }) => {
    return (
      type === 'path' && states?.value === 'states' && input?.value === 'input' && member?.type === 'name'
    );
  });
  return readingStates(nodes).size > new Set(named.map(({ steps }) => steps?.[0]?.position)).size;
}

/** Rejects a key that takes the input as a whole: what the source leaves out of it can be in there, too. */
function requireMembers(expression: UserExpression, volatile: readonly string[], prop: string): void {
  if (volatile.length === 0) return;
  if (!readsAllOfTheInput(expression)) return;
  throw new Error(
    `\`${prop}\` must name members of $states.input with this source, such as {% $states.input.detail %}, because the ` +
      `whole input contains ${volatile.join(', ')}, which differ between deliveries of one event; got ${expression.text}`,
  );
}

/** Whether expressions say the same in every execution with the same input: none of them reads `$states.context`. */
export function isOfTheInput(keyAndPayload: KeyAndPayload): boolean {
  return !expressionsOf(keyAndPayload).some(({ nodes }) => nodes.some(isContext));
}

/**
 * Rejects a key, or a part of one, that is a value within a member of the input which is always empty with a source:
 * every delivery would end with `Idempotency.InvalidEvent`.
 *
 * @throws Error with the remedy
 */
export function requireContent({ parts }: KeySource, empty: readonly string[]): void {
  for (const { text, nodes } of parts) {
    const member = memberOfInput(nodes[0]);
    if (member === undefined || !empty.includes(member)) continue;
    const has =
      member === 'id'
        ? 'which the events of a schedule do not have'
        : 'which is empty in the events of a schedule';
    throw new Error(
      `\`idempotencyKey\` reads $states.input.${member}, ${has}; got ${text}. ` +
        'Use a member that they have, such as {% $states.input.time %}, the scheduled time',
    );
  }
}

/** Whether an expression does nothing but read a member by its path: then its evaluation cannot fail. */
export function isPath({ nodes: [path] }: UserExpression): boolean {
  const { type, steps = [] } = path;
  // Groups, predicates, sorting and bindings are further members.
  const hasOnly = (node: AstNode, members: readonly string[]) =>
    Object.keys(node).every(member => members.includes(member));
  return (
    type === 'path' &&
    hasOnly(path, ['type', 'steps']) &&
    steps.every((step, index) => step.type === (index === 0 ? 'variable' : 'name')) &&
    steps.every(step => hasOnly(step, ['type', 'value', 'position']))
  );
}

function isContext({ type, steps }: AstNode): boolean {
  return type === 'path' && steps?.[0]?.value === 'states' && steps[1]?.value === 'context';
}

function memberOfInput({ type, steps }: AstNode): string | undefined {
  const isInput = type === 'path' && steps?.[0]?.value === 'states' && steps[1]?.value === 'input';
  return isInput && steps[2] ? String(steps[2].value) : undefined;
}
