import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { parseOffsetDateTime } from '../asl/timestamp';
import type { PathResult } from './evaluation';
import { orderOf } from './filter';
import { parsePath, type Roots, select } from './path';
import type { Path } from './syntax';
import { isMatch } from './wildcards';

// Choice rules: https://states-language.net/spec.html#choice-state
//
// 1. `And`, `Or` and `Not` join rules; they are evaluated from left to right, as far as they decide.
// 2. A comparison of values whose types it is not for does not hold.
// 3. A path that leads to nothing fails the state, except under `IsPresent`.

/** A rule of a Choice, taken apart. */
export type ChoiceRule =
  | { readonly kind: 'and' | 'or'; readonly rules: readonly ChoiceRule[] }
  | { readonly kind: 'not'; readonly rule: ChoiceRule }
  | { readonly kind: 'is'; readonly variable: Variable; readonly type: TypeTest; readonly expected: boolean }
  | {
      readonly kind: 'comparison';
      readonly variable: Variable;
      readonly type: ComparedType;
      readonly relation: Relation;
      readonly value: Variable | { readonly kind: 'literal'; readonly value: Json };
    };

/** A path with its text, which failures show. */
export interface Variable {
  readonly kind: 'place';
  readonly text: string;
  readonly path: Path;
}

type ComparedType = 'boolean' | 'numeric' | 'string' | 'timestamp';
type Relation = 'equals' | 'lessThan' | 'lessThanEquals' | 'greaterThan' | 'greaterThanEquals' | 'matches';

const TYPE_TESTS = {
  IsBoolean: 'boolean',
  IsNull: 'null',
  IsNumeric: 'numeric',
  IsPresent: 'present',
  IsString: 'string',
  IsTimestamp: 'timestamp',
} as const;

type TypeTest = (typeof TYPE_TESTS)[keyof typeof TYPE_TESTS];

const COMPARISON =
  /^(Boolean|Numeric|String|Timestamp)(Equals|LessThan|LessThanEquals|GreaterThan|GreaterThanEquals|Matches)(Path)?$/;

/** A rule, or why the object is none. */
export type ParsedChoiceRule =
  | { readonly kind: 'rule'; readonly rule: ChoiceRule }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Takes a rule of a Choice apart; `Next`, `Comment` and `Assign` beside it are not looked at. */
export function parseChoiceRule(json: JsonObject): ParsedChoiceRule {
  for (const [name, value] of Object.entries(json)) {
    if (name === 'And' || name === 'Or') return parseJoined(name === 'And' ? 'and' : 'or', value);
    if (name === 'Not') {
      const parsed = parseInner(value);
      return parsed.kind === 'rule' ? ruleOf({ kind: 'not', rule: parsed.rule }) : parsed;
    }
    const operator = operatorOf(name);
    if (operator) return parseTest(operator, json['Variable'], name, value);
  }
  return invalid('it has no operator');
}

function parseJoined(kind: 'and' | 'or', value: Json): ParsedChoiceRule {
  if (!Array.isArray(value) || value.length === 0) return invalid('And and Or take a list of rules');
  const rules: ChoiceRule[] = [];
  for (const item of value) {
    const parsed = parseInner(item);
    if (parsed.kind === 'invalid') return parsed;
    rules.push(parsed.rule);
  }
  return ruleOf({ kind, rules });
}

function parseInner(value: Json): ParsedChoiceRule {
  return isJsonObject(value) ? parseChoiceRule(value) : invalid('a rule is an object');
}

type OperatorForm =
  | { readonly kind: 'is'; readonly type: TypeTest }
  | {
      readonly kind: 'comparison';
      readonly type: ComparedType;
      readonly relation: Relation;
      readonly isPath: boolean;
    };

/** The operator that a member of a rule is, or undefined for members that are none. */
function operatorOf(name: string): OperatorForm | undefined {
  if (Object.hasOwn(TYPE_TESTS, name)) {
    return { kind: 'is', type: TYPE_TESTS[name as keyof typeof TYPE_TESTS] };
  }
  const [, typeName = '', relationName = '', path] = COMPARISON.exec(name) ?? [];
  if (typeName === '') return undefined;
  const type = typeName.toLowerCase() as ComparedType;
  const relation = `${relationName.charAt(0).toLowerCase()}${relationName.slice(1)}` as Relation;
  const isKnown =
    relation === 'matches' ? type === 'string' && !path : type !== 'boolean' || relation === 'equals';
  return isKnown ? { kind: 'comparison', type, relation, isPath: path !== undefined } : undefined;
}

function parseTest(
  operator: OperatorForm,
  variable: Json | undefined,
  name: string,
  value: Json,
): ParsedChoiceRule {
  const place = placeOf(variable);
  if (place === undefined) return invalid('Variable is not a path');
  if (operator.kind === 'is') {
    return typeof value === 'boolean'
      ? ruleOf({ kind: 'is', variable: place, type: operator.type, expected: value })
      : invalid(`${name} takes true or false`);
  }
  const { type, relation, isPath } = operator;
  if (isPath) {
    const other = placeOf(value);
    if (other === undefined) return invalid(`${name} takes a path`);
    return ruleOf({ kind: 'comparison', variable: place, type, relation, value: other });
  }
  if (!isOf(value, type)) return invalid(`${name} takes a value of its type`);
  return ruleOf({ kind: 'comparison', variable: place, type, relation, value: { kind: 'literal', value } });
}

function placeOf(text: Json | undefined): Variable | undefined {
  const parsed = typeof text === 'string' ? parsePath(text) : undefined;
  return parsed?.kind === 'path' ? { kind: 'place', text: String(text), path: parsed.path } : undefined;
}

function ruleOf(rule: ChoiceRule): ParsedChoiceRule {
  return { kind: 'rule', rule };
}

function invalid(reason: string): ParsedChoiceRule {
  return { kind: 'invalid', reason };
}

/** Whether a rule holds: true or false. States.Runtime where a path that it needs leads to nothing. */
export function evaluateChoiceRule(rule: ChoiceRule, roots: Roots): PathResult {
  switch (rule.kind) {
    case 'and':
    case 'or': {
      for (const inner of rule.rules) {
        const result = evaluateChoiceRule(inner, roots);
        if (result.kind === 'failed' || result.value === (rule.kind === 'or')) return result;
      }
      return { kind: 'value', value: rule.kind === 'and' };
    }
    case 'not': {
      const result = evaluateChoiceRule(rule.rule, roots);
      return result.kind === 'failed' ? result : { kind: 'value', value: result.value !== true };
    }
    case 'is': {
      const found = select(rule.variable.path, roots);
      if (rule.type === 'present')
        return { kind: 'value', value: (found.kind === 'value') === rule.expected };
      if (found.kind === 'missing') return nothingAt(rule.variable);
      return { kind: 'value', value: isOf(found.value, rule.type) === rule.expected };
    }
    case 'comparison':
      return evaluateComparison(rule, roots);
    default:
      return rule satisfies never;
  }
}

function evaluateComparison(rule: ChoiceRule & { kind: 'comparison' }, roots: Roots): PathResult {
  const left = select(rule.variable.path, roots);
  if (left.kind === 'missing') return nothingAt(rule.variable);
  let other: Json;
  if (rule.value.kind === 'literal') other = rule.value.value;
  else {
    const right = select(rule.value.path, roots);
    if (right.kind === 'missing') return nothingAt(rule.value);
    other = right.value;
  }
  const isComparable = isOf(left.value, rule.type) && isOf(other, rule.type);
  return { kind: 'value', value: isComparable && holds(left.value, rule, other) };
}

function holds(left: Json, { type, relation }: ChoiceRule & { kind: 'comparison' }, right: Json): boolean {
  if (relation === 'matches') return isMatch(String(left), String(right));
  if (type === 'boolean') return left === right;
  const order = type === 'timestamp' ? orderOf(timeOf(left), timeOf(right)) : orderOf(left, right);
  switch (relation) {
    case 'equals':
      return order === 0;
    case 'lessThan':
      return order === -1;
    case 'lessThanEquals':
      return order !== 1;
    case 'greaterThan':
      return order === 1;
    case 'greaterThanEquals':
      return order !== -1;
    default:
      return relation satisfies never;
  }
}

function isOf(value: Json, type: ComparedType | Exclude<TypeTest, 'present'>): boolean {
  if (type === 'null') return value === null;
  if (type === 'numeric') return typeof value === 'number';
  if (type === 'timestamp') return timeOf(value) !== null;
  return typeof value === type;
}

function timeOf(value: Json): number | null {
  return typeof value === 'string' ? (parseOffsetDateTime(value) ?? null) : null;
}

function nothingAt({ text }: Variable): PathResult {
  const cause = `Invalid path '${text}': The choice state's condition path references an invalid value.`;
  return { kind: 'failed', error: 'States.Runtime', cause };
}
