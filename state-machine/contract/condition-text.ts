import type { Condition, Form, Value } from './condition';
import * as jsonata from './jsonata';

/** A condition as JSONata over the variables of the workflow: `record`, `owner`, `payloadHash`, `rejections`. */
export function toJsonata(condition: Condition): string {
  return withNames(namesIn(condition), conditionText(condition));
}

/** A value as JSONata, as {@link toJsonata} writes it. */
export function valueToJsonata(value: Value): string {
  return withNames(namesIn(value), written(value));
}

/** An expression behind the values that it names. */
function withNames(names: ReadonlyMap<string, Value>, text: string): string {
  if (names.size === 0) return text;
  const bound = [...names].map(([name, value]) => `$${name} := ${written(value)}`);
  return `( ${[...bound, text].join('; ')} )`;
}

/** The named values within, each behind those that it uses. */
function namesIn(node: unknown, names = new Map<string, Value>()): ReadonlyMap<string, Value> {
  if (typeof node !== 'object' || node === null || node instanceof RegExp) return names;
  for (const member of Object.values(node)) namesIn(member, names);
  const { is, name, value } = node as Partial<Extract<Value, { is: 'named' }>>;
  if (is === 'named' && name !== undefined && value !== undefined) names.set(name, value);
  return names;
}

function conditionText(condition: Condition): string {
  switch (condition.is) {
    case 'always':
      return 'true';
    case 'exists':
      return condition.value.is === 'delivery' && condition.value.isThere
        ? 'true'
        : `$exists(${written(condition.value)})`;
    case 'holds':
      return condition.jsonata ?? `$${condition.name}`;
    case 'eq':
      return `${written(condition.left)} = ${written(condition.right)}`;
    case 'before':
      return `${written(condition.left)} < ${written(condition.right)}`;
    case 'notAfter':
      // A bound reads better behind what it is for.
      return condition.left.is === 'constant'
        ? `${written(condition.right)} >= ${written(condition.left)}`
        : `${written(condition.left)} <= ${written(condition.right)}`;
    case 'isIn':
      return `${written(condition.value)} in [${condition.list.map(written).join(', ')}]`;
    case 'matches':
      return `$contains(${written(condition.value)}, /${condition.pattern.source}/)`;
    case 'all':
      return joined(condition.of, 'and');
    case 'any':
      return joined(condition.of, 'or');
    case 'not':
      return `$not(${conditionText(condition.of)})`;
  }
}

/** Conditions with one word between; in brackets those that have another word in them. */
function joined(conditions: readonly Condition[], word: 'and' | 'or'): string {
  const texts = conditions.flatMap(condition => {
    const text = conditionText(condition);
    if (text === 'true') return [];
    return condition.is === 'any' && word === 'and' ? `(${text})` : text;
  });
  return texts.length === 0 ? 'true' : texts.join(` ${word} `);
}

function written(value: Value): string {
  switch (value.is) {
    case 'constant':
      return typeof value.value === 'number' ? String(value.value) : jsonata.literal(value.value);
    case 'now':
      return value.in === 'ms' ? '$millis()' : '$floor($millis() / 1000)';
    case 'record':
      return attribute(`$record.${jsonata.fieldName(value.called ?? value.name)}`, value.as);
    case 'owner':
      return value.as === 'time' ? `$toMillis($owner.${value.name})` : `$owner.${value.name}`;
    case 'delivery':
      return value.jsonata;
    case 'known':
      return value.jsonata ?? `$${value.name}`;
    case 'named':
      return `$${value.name}`;
    case 'failure':
      return "$parse($record.error.S).(Error & ' ' & Cause)";
    case 'error':
      return '$parse($record.error.S).Error';
    case 'parts': {
      const [first, ...others] = value.at;
      const index = others.length === 0 ? String(first) : `[${value.at.join(', ')}]`;
      return `$split(${written(value.of)}, ${jsonata.literal(value.by)})[${index}]`;
    }
    case 'sum':
      return value.of.map(written).join(' + ');
    case 'difference':
      return `${written(value.of)} - ${inBrackets(value.less)}`;
    case 'product':
      return [value.of, value.by].map(inBrackets).join(' * ');
    case 'max':
      return `$max([${value.of.map(written).join(', ')}])`;
    case 'min':
      return `$min([${value.of.map(written).join(', ')}])`;
    case 'power':
      return `$power(${value.base}, ${written(value.exponent)})`;
    case 'if': {
      const otherwise = value.otherwise === undefined ? '' : ` : ${written(value.otherwise)}`;
      return `(${conditionText(value.when)} ? ${written(value.gives)}${otherwise})`;
    }
  }
}

/** A value as an operand of an operator that binds more. */
function inBrackets(value: Value): string {
  return value.is === 'sum' || value.is === 'difference' ? `(${written(value)})` : written(value);
}

function attribute(path: string, as: Form): string {
  if (as === 'text') return `${path}.S`;
  if (as === 'digits') return `${path}.N`;
  return as === 'number' ? `$number(${path}.N)` : `$toMillis(${path}.S)`;
}
