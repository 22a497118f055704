import { at, type KnownValue } from '../../../state-machine/expression/known-value';
import { readingOf } from '../../../state-machine/expression/known-value-of';
import { branchesOf } from '../../../state-machine/expression/payload-expression';
import { type MemberPath, readsOf } from '../../../state-machine/expression/reads';
import { type AstNode, writtenName } from '../../../state-machine/expression/syntax';
import { canBeKept, ENVELOPES, type EnvelopeName } from './envelopes';

/** An expression of a team, and the option that has it. */
export interface OptionExpression {
  readonly option: string;
  /** As the team has written it. */
  readonly text: string;
  /** The root of its syntax tree. */
  readonly root: AstNode;
  /** Whether it is one of several, of which each gives a part. */
  readonly isPart?: boolean;
  /** Whether it gives a key, or a part of one. */
  readonly isKey?: boolean;
  /** Whether it is meant that two events can share the key. */
  readonly isUnchecked?: boolean;
}

/** The input of a workflow, as far as a source says. */
export interface EnvelopeInput {
  readonly envelope: EnvelopeName;
  /** The facts of its deliveries. */
  readonly delivered: KnownValue;
  /** The source's own `input`; undefined: what it delivers is the input. */
  readonly input?: OptionExpression | undefined;
}

/**
 * Rejects expressions that read, whatever the event, what no input of this source has: each event would be rejected, or
 * compared without it. What only one branch of a condition reads may be there in the inputs of another source.
 *
 * @throws Error with the path that was meant
 */
export function requireEnvelope(expressions: readonly OptionExpression[], source: EnvelopeInput): void {
  const { envelope, delivered, input } = source;
  if (input === undefined) {
    for (const one of expressions) requirePaths(one, delivered, path => inEnvelope(path, envelope));
    requireOneEvent(
      expressions.filter(({ isKey }) => isKey),
      envelope,
    );
    return;
  }
  requirePaths(input, delivered, path => inEnvelope(path, envelope));
  const made = inputMadeBy(input, delivered);
  for (const one of expressions) requirePaths(one, made, path => inMade(path, made, input.text));
}

/**
 * Rejects a key without a part that has, in each of its branches, more than what is the same in many events.
 *
 * @throws Error with a path to read
 */
function requireOneEvent(parts: readonly OptionExpression[], name: EnvelopeName): void {
  const [{ option = '', isUnchecked = false } = {}] = parts;
  const { shared, meant } = ENVELOPES[name];
  const isShared = ([of, ...path]: MemberPath) =>
    of === 'input' && shared.some(one => `${path.join('.')}.`.startsWith(`${one}.`));
  if (isUnchecked || parts.length === 0) return;
  const isOfOne = (branch: AstNode) => !readsOf(branch).given.every(isShared);
  if (parts.some(({ root }) => branchesOf(root).every(isOfOne))) return;
  throw new Error(
    `\`${option}\` has only what is the same in many events, or can be missing; got ` +
      `${parts.map(({ text }) => text).join(', ')}. Add what tells the events apart, such as {% ${written(meant([]))} %}, ` +
      'or if all of these are one event, write `Key.unchecked(…, { reason })`',
  );
}

/** What the `input` of a source makes of what it delivers. */
export function inputMadeBy({ root }: OptionExpression, delivered: KnownValue): KnownValue {
  return at([], readingOf(root, delivered).value);
}

function requirePaths(
  { option, text, root, isPart = false, isKey = false }: OptionExpression,
  input: KnownValue,
  inWords: (path: readonly string[]) => Words,
): void {
  const { value, missing } = readingOf(root, input);
  const isMeant = (isPart || !value.isForeign) && !(isKey && value.isEmpty);
  const path = missing ?? (isMeant ? undefined : value.path);
  if (path === undefined) return;
  const { because, remedy } = inWords(path);
  throw new Error(`\`${option}\` reads ${written(path)}, which ${because}; got ${text}. ${remedy}`);
}

interface Words {
  readonly because: string;
  readonly remedy: string;
}

function inEnvelope(path: readonly string[], name: EnvelopeName): Words {
  const { because, meant } = ENVELOPES[name];
  const [root = '', ...below] = path;
  if (root === 'path' && below.length > 0) {
    return {
      because: 'the path of this resource does not have',
      remedy: `Use a resource with {${below[0]}} in its path, or write {% ${written(['body', ...below])} %}`,
    };
  }
  // The text of SNS's envelope, where the delivery is not raw.
  const isText = name === 'queue' && root === 'Message' && path.length > 1;
  const instead = isText
    ? `{% $parse($states.input.Message)${path.slice(1).map(named).join('')} %}, because \`Message\` is a text`
    : `{% ${written(meant(path))} %}`;
  const own = canBeKept(name, root)
    ? `. If your messages have a member \`${root}\` of their own, the same for each delivery, pass { keep: ['${root}'] } to the source`
    : '';
  return { because, remedy: `Write ${instead}${own}` };
}

function inMade(path: readonly string[], { names = [] }: KnownValue, text: string): Words {
  const because = `the \`input\` of this source does not give: ${text}`;
  const [only, ...others] = names;
  const example =
    only !== undefined && others.length === 0 ? [only, ...path.filter(name => name !== only)] : undefined;
  const remedy = example
    ? `Write {% ${written(example)} %}, or add ${path[0]} to \`input\``
    : `Read one of ${names.join(', ')}, or add ${path[0]} to \`input\``;
  return { because, remedy };
}

/** A path as it is written in an expression. */
function written(path: readonly string[]): string {
  return `$states.input${path.map(named).join('')}`;
}

const named = (name: string) => `.${writtenName(name)}`;
