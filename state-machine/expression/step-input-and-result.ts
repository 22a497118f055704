import { Annotations, Token } from 'aws-cdk-lib';
import { FieldUtils } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { expression } from '../contract/jsonata';
import { describeValue } from '../words/describe-value';
import type { MemberPath, Reads } from './reads';
import { type AstNode, nodesOf } from './syntax';
import { changingCall, checked, memberPathsIn, type Rule, readingStates, resultIn } from './user-expression';

// What a step is called with, and what of its answer is the result, where its handler is not to change.

/**
 * What the step is called with: one JSONata expression in `{% %}`, or an object with such expressions in it.
 *
 * @example
 * stepInput: { orderId: '{% $states.input.detail.orderId %}', key: '{% $idempotencyKey %}' }
 */
export type StepInput = string | Readonly<Record<string, unknown>>;

/** The variables of the workflow that a step's input may be made of. */
const IN_THE_INPUT = ['idempotencyKey', 'attempt'];
const OURS = [...IN_THE_INPUT, 'retryCount'];

/** What of the context is a time. */
const TIMES = ['Execution.StartTime', 'Execution.RedriveTime', 'State.EnteredTime'];

const AGAIN_THE_SAME: Rule = {
  forbids: ({ nodes, reads }) => changingCall(nodes) ?? timeIn(reads),
  because: 'must have the same value when the step is run again',
};

function timeIn(reads: Reads): string | undefined {
  const found = TIMES.find(time => {
    const [part, name] = time.split('.');
    const isPart = ([member, one = part, two = name]: MemberPath) =>
      member === 'context' && one === part && two === name;
    return memberPathsIn(reads).some(isPart);
  });
  return found && `$states.context.${found}`;
}

const BEFORE_THE_STEP: Rule = { forbids: resultIn, because: 'is evaluated before the step has run' };

/**
 * The step's input as a state's arguments: `given` with `$retryCount` bound where an expression reads it. Undefined
 * where nothing is given.
 *
 * @throws Error for a value that is neither an expression nor an object, for a value that JSON cannot hold, and for
 * JSONPath, which would be sent as it stands. Error for an expression that reads a missing value (`$retryCount` without
 * `retry` is among them) or gives another value each time
 */
export function stepInputOf(given: unknown, hasRetries: boolean): StepInput | undefined {
  if (given === undefined) return undefined;
  const variables = hasRetries ? OURS : IN_THE_INPUT;
  if (typeof given === 'string') return inputExpression(given, 'stepInput', variables);
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  if (isObject && !Token.isUnresolved(given)) return mapped(given, 'stepInput', variables) as StepInput;
  throw new Error(
    `\`stepInput\` must be a JSONata expression in {% %}, such as {% $states.input.detail %}, or an object with such ` +
      `expressions in it; got ${describeValue(given)}`,
  );
}

function mapped(value: unknown, path: string, variables: readonly string[]): unknown {
  const [jsonPath] = Token.isUnresolved(value) ? FieldUtils.findReferencedPaths({ value }) : [];
  if (jsonPath !== undefined) throw new Error(inJsonPath(path, jsonPath));
  if (Token.isUnresolved(value)) return value;
  if (typeof value === 'string') {
    return /^\{%|%\}$/.test(value) ? inputExpression(value, path, variables) : value;
  }
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item, index) => mapped(item, `${path}[${index}]`, variables));
  if (typeof value === 'object' && ['Object', undefined].includes(value.constructor?.name)) {
    const members = Object.entries(value);
    const named = members.find(([name]) => name.endsWith('.$'));
    if (named) throw new Error(inJsonPath(`${path}.${named[0]}`, named[1]));
    return Object.fromEntries(members.map(([name, m]) => [name, mapped(m, `${path}.${name}`, variables)]));
  }
  throw new Error(
    `\`${path}\` must be JSON, or a JSONata expression in {% %}, as it is sent to the step; got ${describeValue(value)}`,
  );
}

function inJsonPath(path: string, value: unknown): string {
  return (
    `\`${path}\` is written in JSONPath, which the step would get as plain text. Write \`stepInput\` in JSONata, even for a ` +
    `step in JSONPath, such as { order: '{% $states.input.detail %}' }; got ${describeValue(value)}`
  );
}

function inputExpression(text: string, prop: string, variables: readonly string[]): string {
  const jsonata = checked(text, { prop, rules: [BEFORE_THE_STEP, AGAIN_THE_SAME], variables });
  const isCounted = nodesOf(jsonata, prop).some(
    ({ type, value }) => type === 'variable' && value === 'retryCount',
  );
  if (!isCounted) return expression(jsonata);
  return expression(`( $retryCount := $states.context.State.RetryCount; ${jsonata} )`);
}

/**
 * JSONata of the result over `$states.input`, for the state behind the step, whose input is what the step has answered;
 * `given` reads that as `$states.result`, as in the output of a task. Undefined where nothing is given.
 *
 * @throws Error for a text that is not an expression, or reads another value than the answer
 */
export function stepResultOf(given: unknown): string | undefined {
  if (given === undefined) return undefined;
  const prop = 'stepResult';
  const jsonata = checked(given, { prop, rules: [AGAIN_THE_SAME], example: '{% $states.result.body %}' });
  const nodes = nodesOf(jsonata, prop);
  const ends = nodes.flatMap(({ type, steps }) => {
    const [states, member] = steps ?? [];
    const isAnswer = type === 'path' && states?.value === 'states' && member?.value === 'result';
    return isAnswer && jsonata.slice(0, member.position).endsWith(ANSWER) ? [member.position ?? 0] : [];
  });
  const reads = readingStates(nodes);
  if (reads.size === 0 || reads.size !== new Set(ends).size) {
    throw new Error(
      '`stepResult` reads what the step has answered, as $states.result, and nothing else, such as ' +
        `{% $states.result.body %}; got ${given}`,
    );
  }
  return [...new Set(ends)]
    .sort((a, b) => b - a)
    .reduce((text, end) => `${text.slice(0, end - ANSWER.length)}input${text.slice(end)}`, jsonata);
}

/** The member of `$states` that holds the answer. */
const ANSWER = 'result';

/** Options whose expressions {@link adviseExactness} reads. */
interface ExactOptions {
  readonly stepInput?: StepInput | undefined;
  readonly stepResult?: string | undefined;
  readonly payload?: string | undefined;
  /** The payload whose hash is the key. */
  readonly idempotencyKey?: string | undefined;
  /** Of a source. */
  readonly input?: string | undefined;
}

/**
 * Warns at synthesis if valid options write numbers with 15 digits: by `$string`, or by a transform, which copies its
 * object by a text. It is not rejected, as `$string` is in a key: whether there are such numbers only the author knows.
 */
export function adviseExactness(scope: Construct, options: ExactOptions): void {
  for (const [option, given] of Object.entries(options)) {
    const [first] = roundingIn(given);
    if (first === undefined) continue;
    const [call, text] = first;
    Annotations.of(scope).addWarningV2(
      `onceflow:${option}Rounded`,
      `\`${option}\` uses ${call}, which writes numbers with 15 digits at most: 1764331200123456 and 1764331200123457 both ` +
        `become 1764331200123460, silently; let such numbers come as texts, or pass the value on as it is: ${text}`,
    );
  }
}

/** What rounds numbers, with its expression: a transform, and `$string` of anything but an attempt, a count or a key. */
function roundingIn(given: unknown): readonly (readonly [call: string, text: string])[] {
  if (typeof given === 'object' && given !== null && !Token.isUnresolved(given)) {
    return Object.values(given).flatMap(roundingIn);
  }
  const jsonata = typeof given === 'string' ? /^\s*\{%([\s\S]*)%\}\s*$/.exec(given)?.[1] : undefined;
  if (jsonata === undefined) return [];
  const nodes = nodesOf(jsonata, 'stepInput');
  const exact = nodes.flatMap(({ procedure, arguments: [argument] = [] }) => {
    const isOurs = argument?.type === 'variable' && OURS.includes(String(argument.value));
    return isOurs && procedure?.value === 'string' ? [procedure] : [];
  });
  const calls = nodes.filter(node => !exact.includes(node)).map(roundingBy);
  return calls.flatMap(call => (call === undefined ? [] : [[call, String(given)]]));
}

function roundingBy({ type, value }: AstNode): string | undefined {
  if (type === 'transform') return 'a transform |…|';
  return type === 'variable' && /^(?:clone|string)$/.test(String(value)) ? `$${value}` : undefined;
}
