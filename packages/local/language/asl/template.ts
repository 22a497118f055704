import { isJsonObject, type Json } from '../../json/json';
import type { ExpressionResult } from '../jsonata/jsonata';

// JSONata evaluation: https://states-language.net/spec.html#jsonata-evaluation
//
// 1. A string `{% ... %}` is replaced by the value of the expression inside.
// 2. Items of arrays and members of objects are evaluated one after another in the order of the text.
// 3. Everything else stands for itself. The first failure is that of the whole field.

/** A JSON value of a definition, taken apart once so that evaluating it walks only what can change. */
export type Template =
  | { readonly kind: 'constant'; readonly value: Json }
  /** `source` is what stands between the delimiters, trimmed. */
  | { readonly kind: 'expression'; readonly source: string }
  | { readonly kind: 'array'; readonly items: readonly Template[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [name: string, value: Template])[] };

/** The value of a template, or the first failure in the order of the text. */
export type Evaluated =
  | { readonly kind: 'value'; readonly value: Json }
  /** `location` is the field as the service names it: `Arguments/Item/a/S`, `Choices[1]/Condition`. */
  | { readonly kind: 'failed'; readonly reason: string; readonly location: string };

/** Takes a JSON value of a definition apart. Parts without an expression become one constant. */
export function templateOf(json: Json): Template {
  const source = expressionIn(json);
  if (source !== undefined) return { kind: 'expression', source };
  if (Array.isArray(json)) {
    const items = json.map(templateOf);
    return items.every(isConstant) ? { kind: 'constant', value: json } : { kind: 'array', items };
  }
  if (isJsonObject(json)) {
    const names = Object.keys(json);
    const members = names.map(name => [name, templateOf(json[name] as Json)] as const);
    const constant = members.every(([, value]) => isConstant(value));
    return constant ? { kind: 'constant', value: json } : { kind: 'object', members };
  }
  return { kind: 'constant', value: json };
}

/** What stands between `{%` and `%}`, or undefined when the value is not an expression. */
export function expressionIn(json: Json): string | undefined {
  if (typeof json !== 'string' || !json.startsWith('{%') || !json.endsWith('%}') || json.length < 4) {
    return undefined;
  }
  return json.slice(2, -2).trim();
}

/** True when evaluating the template cannot fail and needs no scope. */
export function isConstant(template: Template): template is Template & { kind: 'constant' } {
  return template.kind === 'constant';
}

/** True when the whole template is one expression. */
export function isExpression(template: Template): template is Template & { kind: 'expression' } {
  return template.kind === 'expression';
}

/** The value of an expression, in a scope that the provider of this function has chosen. */
export type Evaluate = (source: string) => ExpressionResult;

/**
 * Evaluates a template that stands in the field `location`.
 *
 * Members and items are evaluated one after another in the order of the text; the first failure ends it.
 */
export function evaluateTemplate(template: Template, location: string, evaluate: Evaluate): Evaluated {
  switch (template.kind) {
    case 'constant':
      return { kind: 'value', value: template.value };
    case 'expression':
      return evaluateExpression(template.source, location, evaluate);
    case 'array':
      return evaluateItems(template.items, location, evaluate);
    case 'object':
      return evaluateMembers(template.members, location, evaluate);
    default:
      return template satisfies never;
  }
}

function evaluateExpression(source: string, location: string, evaluate: Evaluate): Evaluated {
  const found = evaluate(source);
  if (found.kind === 'value') return found;
  const reason = `The JSONata expression '${source}' specified for the field '${location}' ${found.problem}`;
  return { kind: 'failed', reason, location };
}

function evaluateItems(items: readonly Template[], location: string, evaluate: Evaluate): Evaluated {
  const values: Json[] = [];
  for (const [index, item] of items.entries()) {
    const result = isConstant(item) ? item : evaluateTemplate(item, `${location}[${index}]`, evaluate);
    if (result.kind === 'failed') return result;
    values.push(result.value);
  }
  return { kind: 'value', value: values };
}

function evaluateMembers(
  members: readonly (readonly [string, Template])[],
  location: string,
  evaluate: Evaluate,
): Evaluated {
  const value: { [name: string]: Json } = {};
  for (const [name, member] of members) {
    const result = isConstant(member) ? member : evaluateTemplate(member, `${location}/${name}`, evaluate);
    if (result.kind === 'failed') return result;
    // An assignable variable would have another name.
    if (name === '__proto__') Object.defineProperty(value, name, { ...OWN, value: result.value });
    else value[name] = result.value;
  }
  return { kind: 'value', value };
}

const OWN = { enumerable: true, configurable: true, writable: true } as const;
