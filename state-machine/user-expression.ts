import jsonata from 'jsonata206';
import type { KeySource } from './expressions/key';

/** Functions that give something else at every look: a key or payload made of them would never be the same again. */
const UNSTABLE = new Set(['now', 'millis', 'random', 'uuid', 'shuffle', 'eval']);

/**
 * The key's expression(s) without `{% %}`.
 *
 * @throws Error where the text is no JSONata expression, could not give the same key twice, or would lose parts
 */
export function keySource(idempotencyKey: string | readonly string[]): KeySource {
  if (typeof idempotencyKey !== 'string') {
    if (idempotencyKey.length === 0)
      throw new Error('`idempotencyKey` needs at least one part, got an empty list');
    return {
      kind: 'composite',
      parts: idempotencyKey.map((part, i) => checked(part, `idempotencyKey[${i}]`)),
    };
  }
  const jsonata = checked(idempotencyKey, 'idempotencyKey');
  if (rootOf(jsonata).value === '[') {
    throw new Error(
      '`idempotencyKey` must not be a JSONata list, which silently drops missing parts; pass the parts as separate ' +
        `expressions: idempotencyKey: ['{% … %}', '{% … %}']; got ${idempotencyKey}`,
    );
  }
  return { kind: 'single', jsonata };
}

/**
 * The payload's expression without `{% %}`, or undefined where payloads are not compared.
 *
 * @throws Error where the text is no JSONata expression, or could not give the same payload twice
 */
export function payloadSource(payload: string | undefined): string | undefined {
  return payload === undefined ? undefined : checked(payload, 'payload');
}

function checked(text: string, prop: string): string {
  const match = /^\{%([\s\S]*)%\}$/.exec(text);
  const source = match?.[1]?.trim();
  if (!source) {
    throw new Error(
      `\`${prop}\` must be a JSONata expression in {% %}, such as {% $states.input.id %}; got ${text}`,
    );
  }
  const unstable = callsIn(parsed(source, prop)).find(name => UNSTABLE.has(name));
  if (unstable !== undefined) {
    throw new Error(
      `\`${prop}\` must give the same for every delivery of an event; it calls $${unstable}: ${text}`,
    );
  }
  return source;
}

interface AstNode {
  readonly type?: string;
  readonly value?: unknown;
  readonly expressions?: readonly AstNode[];
}

function parsed(source: string, prop: string): AstNode {
  try {
    return jsonata(source).ast() as AstNode;
  } catch (error) {
    const { message, position } = error as { message?: string; position?: number };
    throw new Error(`\`${prop}\` is not valid JSONata 2.0.6: ${message} (at ${position}): ${source}`);
  }
}

// The expression itself, out of parentheses that hold nothing else.
function rootOf(source: string): AstNode {
  let node = parsed(source, 'idempotencyKey');
  while (node.type === 'block' && node.expressions?.length === 1) node = node.expressions[0] as AstNode;
  return node;
}

function callsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(callsIn);
  if (typeof node !== 'object' || node === null) return [];
  const { type, value } = node as AstNode;
  const own = type === 'variable' && typeof value === 'string' ? [value] : [];
  return [...own, ...Object.values(node).flatMap(callsIn)];
}
