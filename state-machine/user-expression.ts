import jsonata from 'jsonata206';
import { describeValue } from './contract/describe-value';
import { expressionsOf, type IdempotencyKey, Key } from './key';
import { requireQuotedNames } from './member-names';

/** The expression(s) a key is made of: one, the parts of a composite key, or a payload's. Without `{% %}`. */
export type KeySource =
  | { readonly kind: 'single'; readonly jsonata: string }
  | { readonly kind: 'composite'; readonly parts: readonly string[] }
  | { readonly kind: 'payload'; readonly jsonata: string };

/**
 * The key's expression(s) without `{% %}`.
 *
 * @throws Error where the text is no JSONata expression, could not give the same key twice, or could give one key for
 * different events
 */
export function keySource(idempotencyKey: IdempotencyKey): KeySource {
  if (idempotencyKey instanceof Key) {
    const jsonata = checked(idempotencyKey.payload, KEY_PAYLOAD);
    requireTheEvent([jsonata]);
    return { kind: 'payload', jsonata };
  }
  if (!Array.isArray(idempotencyKey)) {
    const jsonata = checked(idempotencyKey, KEY);
    requireTheEvent([jsonata]);
    return { kind: 'single', jsonata };
  }
  if (idempotencyKey.length === 0)
    throw new Error('`idempotencyKey` needs at least one part, got an empty list');
  const parts = idempotencyKey.map((part, i) => checked(part, { ...KEY, prop: `idempotencyKey[${i}]` }));
  requireTheEvent(parts);
  return { kind: 'composite', parts };
}

/**
 * The payload's expression without `{% %}`, or undefined where payloads are not compared.
 *
 * @throws Error where the text is no JSONata expression, could not give the same payload twice, or rounds numbers
 */
export function payloadSource(payload: string | undefined): string | undefined {
  return payload === undefined ? undefined : checked(payload, { prop: 'payload', rules: PAYLOAD_RULES });
}

/** Refuses a key of which no part reads the event: it would be the same for all of them. */
function requireTheEvent(parts: readonly string[]): void {
  const nodes = parts.flatMap(part => nodesIn(parsed(part, 'idempotencyKey')));
  if (nodes.some(({ type, value }) => type === 'variable' && value === 'states')) return;
  throw new Error(
    '`idempotencyKey` must read the event in $states.input, such as {% $states.input.detail.orderId %}; got ' +
      parts.map(part => `{% ${part} %}`).join(', '),
  );
}

/**
 * Refuses expressions that would say something else in a dispatcher than in the workflow: they read a member of the
 * input which the source leaves out, or the context of the execution they are evaluated in.
 *
 * @throws Error with the remedy
 */
export function requireOfTheEvent(
  {
    idempotencyKey,
    payload,
  }: { readonly idempotencyKey: IdempotencyKey; readonly payload?: string | undefined },
  volatile: readonly string[],
): void {
  if (idempotencyKey instanceof Key) requireMembers(idempotencyKey.payload, volatile);
  for (const text of [...expressionsOf(idempotencyKey), payload ?? []].flat()) {
    const nodes = nodesIn(parsed(text.slice(2, -2), 'idempotencyKey'));
    if (nodes.some(isContext)) {
      throw new Error(
        '`idempotencyKey` or `payload` reads $states.context, which has other values in the dispatcher of the source; got ' +
          `${text}. With a source, use only $states.input`,
      );
    }
    const read = nodes.map(memberOfInput).find(name => name !== undefined && volatile.includes(name));
    if (read === undefined) continue;
    const of = /^(id|time|replay-name)$/.test(read) ? ' of events (messages that have a `detail-type`)' : '';
    throw new Error(
      `$states.input.${read} differs between deliveries of one event, so this source leaves it out${of}; got ${text}. ` +
        `Use another member, or, if it is the same for every delivery, pass { keep: ['${read}'] } to the source`,
    );
  }
}

/** Whether an expression takes the input as a whole, and with it what a source leaves out. */
export function readsAllOfTheInput(text: string): boolean {
  const nodes = nodesIn(parsed(text.slice(2, -2), 'payload'));
  const named = nodes.filter(({ type, steps: [states, input, member] = [] }) => {
    return (
      type === 'path' && states?.value === 'states' && input?.value === 'input' && member?.type === 'name'
    );
  });
  return readingStates(nodes).size > new Set(named.map(({ steps }) => steps?.[0]?.position)).size;
}

/** Refuses a payload as the key that takes the input as a whole: what the source leaves out of it is in there, too. */
function requireMembers(text: string, volatile: readonly string[]): void {
  if (volatile.length === 0) return;
  if (!readsAllOfTheInput(text)) return;
  throw new Error(
    `\`Key.ofPayload\` must name members of $states.input with this source, such as {% $states.input.detail %}, because ` +
      `the whole input contains ${volatile.join(', ')}, which differ between deliveries of one event; got ${text}`,
  );
}

/** Where an expression reads `$states`, by position. */
export function readingStates(nodes: readonly AstNode[]): ReadonlySet<number | undefined> {
  const reads = nodes.filter(({ type, value }) => type === 'variable' && value === 'states');
  return new Set(reads.map(({ position }) => position));
}

/** Whether expressions say the same in every execution with the same input: none of them reads `$states.context`. */
export function isOfTheInput(expressions: readonly string[]): boolean {
  return !expressions.some(text => nodesIn(parsed(text.slice(2, -2), 'idempotencyKey')).some(isContext));
}

/**
 * Refuses a key, or a part of one, that is a value within a member of the input which is always empty with a source:
 * every delivery would end with `Idempotency.InvalidEvent`.
 *
 * @throws Error with the remedy
 */
export function requireContent(idempotencyKey: IdempotencyKey, empty: readonly string[]): void {
  for (const text of expressionsOf(idempotencyKey)) {
    const member = memberOfInput(parsed(text.slice(2, -2), 'idempotencyKey') as AstNode);
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

function isContext({ type, steps }: AstNode): boolean {
  return type === 'path' && steps?.[0]?.value === 'states' && steps[1]?.value === 'context';
}

function memberOfInput({ type, steps }: AstNode): string | undefined {
  const isInput = type === 'path' && steps?.[0]?.value === 'states' && steps[1]?.value === 'input';
  return isInput && steps[2] ? String(steps[2].value) : undefined;
}

/** What must not stand anywhere in an expression, and why. */
export interface Rule {
  forbids(node: AstNode): string | undefined;
  readonly because: string;
}

/** The members of a node that the rules look at; `position` is where its last token ends in the text. */
export interface AstNode {
  readonly type?: string;
  readonly value?: unknown;
  readonly position?: number;
  readonly steps?: readonly AstNode[];
  readonly lhs?: AstNode;
  /** What a call calls. */
  readonly procedure?: AstNode;
  readonly arguments?: readonly AstNode[];
}

/** A call that gives another value each time; undefined where a node is none. */
export function changingCall(node: AstNode): string | undefined {
  return called(node, ['now', 'millis', 'random', 'uuid', 'shuffle', 'eval']);
}

/** What differs between two evaluations must not stand in an expression. */
export const STABLE: Rule = {
  forbids: node => changingCall(node) ?? contextIn(node),
  because: 'must have the same value for every delivery of an event',
};

/** Nothing but the input may. */
export const OF_THE_INPUT: Rule = {
  forbids: resultIn,
  because: 'can read only the input of the execution',
};

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

const KEY: Checks = { prop: 'idempotencyKey', rules: KEY_RULES };
const KEY_PAYLOAD: Checks = { prop: 'Key.ofPayload', rules: [...PAYLOAD_RULES, NOT_JOINED] };

/** How an option's expression is checked. */
export interface Checks {
  /** The option, as messages name it. */
  readonly prop: string;
  readonly rules: readonly Rule[];
  /** @default {@link EXAMPLE} */
  readonly example?: string;
  /** Variables of the workflow that the expression may read: those, and no others. */
  readonly variables?: readonly string[];
}

const EXAMPLE = '{% $states.input.detail.orderId %}';

/** The expression that a text without `{% %}` stands for: JSONata already, or a path as in JSONPath. */
function meantBy(text: string): string | undefined {
  if (/^\$states\.[\w.]+$/.test(text)) return `{% ${text} %}`;
  const path = /^\$\.([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)$/.exec(text)?.[1];
  return path && `{% $states.input.${path} %}`;
}

/** An expression without its `{% %}`. @throws Error where it is none, reads what there is not, or breaks a rule */
export function checked(text: unknown, { prop, rules, example, variables = [] }: Checks): string {
  const source = typeof text === 'string' ? /^\{%([\s\S]*)%\}$/.exec(text)?.[1]?.trim() : undefined;
  if (!source) {
    const given = typeof text === 'string' ? text : describeValue(text);
    const meant = (typeof text === 'string' && meantBy(text)) || example || EXAMPLE;
    if (text === undefined)
      throw new Error(`\`${prop}\` is required: a JSONata expression in {% %}, such as ${meant}`);
    throw new Error(`\`${prop}\` must be a JSONata expression in {% %}, such as ${meant}; got ${given}`);
  }
  const nodes = nodesIn(parsed(source, prop));
  requireQuotedNames(nodes, prop, text as string);
  const hidden = boundIn(nodes).find(name => ['states', ...variables].includes(name));
  if (hidden !== undefined) {
    throw new Error(
      `\`${prop}\` binds $${hidden}, which already has a meaning. Use another name; got ${text}`,
    );
  }
  const unknown = unknownName(nodes, variables);
  if (unknown !== undefined) {
    const own =
      variables.length > 0
        ? `, and the variables of the workflow that it can read are $${variables.join(', $')}`
        : '';
    throw new Error(
      `\`${prop}\` uses $${unknown}, which does not exist; got ${text}. The input is $states.input${own}`,
    );
  }
  for (const rule of rules) {
    const found = nodes.flatMap(node => rule.forbids(node) ?? [])[0];
    if (found === undefined) continue;
    const isComposing = rules === KEY_RULES && (rule === NOT_ROUNDED || rule === NOT_JOINED);
    const remedy = isComposing ? REMEDY : `Leave ${found} out`;
    throw new Error(`\`${prop}\` ${rule.because}; it uses ${found}: ${text}. ${remedy}`);
  }
  return source;
}

/** The syntax tree of an expression, all its nodes in one list. @throws Error for what is no JSONata */
export function nodesOf(source: string, prop: string): readonly AstNode[] {
  return nodesIn(parsed(source, prop));
}

/** Whether an expression does nothing but read a member by its path: then its evaluation cannot fail. */
export function isPath(source: string): boolean {
  const path = parsed(source, 'path') as AstNode;
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

function parsed(source: string, prop: string): unknown {
  try {
    return jsonata(source).ast();
  } catch (error) {
    const { message, position } = error as { message?: string; position?: number };
    throw new Error(`\`${prop}\` is not valid JSONata 2.0.6: ${message} (at ${position}): ${source}`);
  }
}

function called(node: AstNode, names: readonly string[]): string | undefined {
  return node.type === 'variable' && names.includes(String(node.value)) ? `$${node.value}` : undefined;
}

// What the context tells is the execution's, not the event's; only its name may be given by the caller.
function contextIn({ type, steps }: AstNode): string | undefined {
  if (type !== 'path' || steps?.[0]?.value !== 'states' || steps[1]?.value !== 'context') return undefined;
  const isName =
    steps[2]?.value === 'Execution' && (steps[3]?.value === 'Name' || steps[3]?.value === 'Input');
  return isName ? undefined : '$states.context';
}

/** A member of `$states` that there is not before the step has run; undefined where a node is none. */
export function resultIn({ type, steps }: AstNode): string | undefined {
  const member = type === 'path' && steps?.[0]?.value === 'states' ? String(steps[1]?.value) : 'input';
  return member === 'input' || member === 'context' ? undefined : `$states.${member}`;
}

/** A variable that is neither JSONata's, nor the States Language's, nor given, nor bound by the expression itself. */
function unknownName(nodes: readonly AstNode[], given: readonly string[]): string | undefined {
  const known = new Set([...FUNCTIONS, ...boundIn(nodes), ...given, 'states', '', '$']);
  const used = nodes.filter(({ type }) => type === 'variable').map(({ value }) => String(value));
  return used.find(name => !known.has(name));
}

function boundIn(nodes: readonly AstNode[]): readonly string[] {
  return nodes.flatMap(node => {
    if (node.type === 'bind') return [String(node.lhs?.value)];
    return node.type === 'lambda' ? (node.arguments ?? []).map(({ value }) => String(value)) : [];
  });
}

/** The functions of JSONata 2.0.6 and the six that Step Functions adds. */
const FUNCTIONS = (
  'abs append assert average base64decode base64encode boolean ceil clone contains count decodeUrl ' +
  'decodeUrlComponent distinct each encodeUrl encodeUrlComponent error eval exists filter floor formatBase ' +
  'formatInteger formatNumber fromMillis join keys length lookup lowercase map match max merge millis min not now ' +
  'number pad parseInteger power random reduce replace reverse round shuffle sift single sort split spread sqrt ' +
  'string substring substringAfter substringBefore sum toMillis trim type uppercase zip ' +
  'partition range hash uuid parse'
).split(' ');

function nodesIn(node: unknown): AstNode[] {
  if (Array.isArray(node)) return node.flatMap(nodesIn);
  if (typeof node !== 'object' || node === null) return [];
  return [node as AstNode, ...Object.values(node).flatMap(nodesIn)];
}
