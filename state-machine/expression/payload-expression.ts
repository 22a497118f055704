import { NO_LIST, NO_ORDER, NO_TEXT, pathsIn, quoted } from './key-remedies';
import { type AstNode, plain } from './syntax';
import {
  expressionIn,
  memberPathsIn,
  NOT_REBOUND,
  OF_THE_INPUT,
  STABLE,
  type UserExpression,
} from './user-expression';

/**
 * The payload's expression, parsed, or undefined where payloads are not compared. It takes nearly all of JSONata: what
 * it does not is in {@link requireComparable}.
 *
 * @throws Error where the text is not JSONata, could not give the same payload twice, or one payload for two
 */
export function parsePayloadExpression(payload: string | undefined): UserExpression | undefined {
  if (payload === undefined) return undefined;
  const prop = 'payload';
  const expression = expressionIn(payload, { prop, rules: [STABLE, OF_THE_INPUT, NOT_REBOUND] });
  requireComparable(expression, prop);
  if (memberPathsIn(expression.reads).length > 0) return expression;
  throw new Error(
    `\`${prop}\` must read the event in $states.input, such as {% $states.input.detail %}; got ${expression.text}`,
  );
}

/**
 * Rejects what can make one payload of two, or two of one: text made of numbers or of several texts, lists in the order
 * of an object's members, and lists of members.
 *
 * @throws Error with the remedy
 */
export function requireComparable({ reads, text }: UserExpression, prop: string): void {
  const [problem] = reads.problems;
  if (problem === undefined) return;
  const { found } = problem;
  const rejected = (because: string, remedy: string) =>
    new Error(`\`${prop}\` ${because}; it uses ${found}: ${text}. ${remedy}`);
  const paths = pathsIn({ reads });
  if (problem.kind === 'text') {
    throw rejected(NO_TEXT, `Compare the values as they are: ${quoted(`{% ${objectOf(paths)} %}`)}`);
  }
  if (problem.kind === 'order') {
    const [path = '$states.input.detail'] = paths;
    const sorted = found === '$keys' ? `, or sort the names: ${quoted(`{% $sort($keys(${path})) %}`)}` : '';
    throw rejected(
      NO_ORDER,
      `Compare the object, whose order does not matter: ${quoted(`{% ${path} %}`)}${sorted}`,
    );
  }
  const isList = /^(?:\[…\]|\$append|\$zip)$/.test(found);
  throw rejected(
    isList ? `${NO_LIST}: with [from, to], {"from": "x"} and {"to": "x"} are equal` : NO_NAMES,
    `Name the values in an object: ${quoted(`{% ${objectOf(paths)} %}`)}`,
  );
}

/** Why values must keep the names that they have. */
const NO_NAMES =
  'must not take values without the names of their members: with $merge([a, b]), {"a": {"v": 1}} and {"b": {"v": 1}} are equal';

/** Of {@link requireComparable} what makes two values of one event. @throws Error with the remedy */
export function requireNoOrder(expression: UserExpression, prop: string): void {
  const problems = expression.reads.problems.filter(({ kind }) => kind === 'order');
  requireComparable({ ...expression, reads: { ...expression.reads, problems } }, prop);
}

/** An object of the members that are read, each by its name. */
function objectOf(paths: readonly string[]): string {
  const [only, ...others] = paths;
  if (only !== undefined && others.length === 0) return only;
  const names = paths.map(path => /[^.]*$/.exec(path)?.[0] ?? '');
  const isNamed = paths.length > 0 && new Set(names).size === paths.length && !names.join('').includes('"');
  if (!isNamed) return "{'a': $states.input.a, 'b': $states.input.b}";
  return `{${paths.map((path, at) => `'${names[at]}': ${path}`).join(', ')}}`;
}

/** What an expression can be, by the conditions that are all of it. */
export function branchesOf(node: AstNode): readonly AstNode[] {
  const { type, then, else: otherwise } = plain(node);
  return type === 'condition' ? [then, otherwise].flatMap(one => (one ? branchesOf(one) : [])) : [node];
}
