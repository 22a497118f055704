import { isJsonObject, type Json } from '../../json/json';
import { notFound, type PathResult, type Scope, TOO_LARGE } from './evaluation';
import { evaluateIntrinsic } from './intrinsic';
import { type Intrinsic, parseIntrinsic } from './parse-intrinsic';
import { parsePath, select } from './path';
import { isTooLong } from './size';
import type { Path } from './syntax';

// Payload templates: https://states-language.net/spec.html#payload-template
//
// 1. A member whose name ends in `.$` is replaced by one without, with the value of its path or intrinsic function.
// 2. Everything else stands for itself; strings outside of such members are never evaluated.
// 3. As recorded, the members that stand for themselves come first.

/** A path or an intrinsic function, as members called `x.$` and fields called `...Path` have it. */
export type Query =
  | { readonly kind: 'path'; readonly text: string; readonly path: Path }
  | { readonly kind: 'intrinsic'; readonly text: string; readonly intrinsic: Intrinsic };

/** A payload template, taken apart once so that evaluating it walks only what can change. */
export type PayloadTemplate =
  | { readonly kind: 'constant'; readonly value: Json }
  /** `field` is the name with its `.$`, as failures name it. */
  | { readonly kind: 'query'; readonly query: Query; readonly field: string }
  | { readonly kind: 'array'; readonly items: readonly PayloadTemplate[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, PayloadTemplate])[] };

/** A member called `x.$` whose value is neither a path nor an intrinsic function. */
export interface TemplateProblem {
  /** Names and indices that lead to it from the top of the template, its own name last. */
  readonly place: readonly string[];
  readonly reason: string;
}

/** A template, or everything that is wrong with it, in the order of the text. */
export type ParsedPayloadTemplate =
  | { readonly kind: 'template'; readonly template: PayloadTemplate }
  | { readonly kind: 'invalid'; readonly problems: readonly TemplateProblem[] };

/** Reads a path, or an intrinsic function: whatever begins with `States.`. */
export function parseQuery(
  text: string,
): { readonly kind: 'query'; readonly query: Query } | { readonly kind: 'invalid'; readonly reason: string } {
  if (text.startsWith('States.')) {
    const parsed = parseIntrinsic(text);
    if (parsed.kind === 'invalid') return parsed;
    return { kind: 'query', query: { kind: 'intrinsic', text, intrinsic: parsed.intrinsic } };
  }
  const parsed = parsePath(text);
  if (parsed.kind === 'invalid') return parsed;
  return { kind: 'query', query: { kind: 'path', text, path: parsed.path } };
}

/** Takes a payload template apart (`Parameters`, `ResultSelector`, `ItemSelector`, `Assign`). */
export function parsePayloadTemplate(json: Json): ParsedPayloadTemplate {
  const problems: TemplateProblem[] = [];
  const template = templateOf(json, [], problems);
  return problems.length === 0 ? { kind: 'template', template } : { kind: 'invalid', problems };
}

function templateOf(json: Json, place: readonly string[], problems: TemplateProblem[]): PayloadTemplate {
  if (Array.isArray(json)) {
    const items = json.map((item, index) => templateOf(item, [...place, String(index)], problems));
    return items.every(isConstant) ? { kind: 'constant', value: json } : { kind: 'array', items };
  }
  if (!isJsonObject(json)) return { kind: 'constant', value: json };
  const fixed: [string, PayloadTemplate][] = [];
  const queried: [string, PayloadTemplate][] = [];
  for (const [name, value] of Object.entries(json)) {
    const at = [...place, name];
    if (!name.endsWith('.$')) fixed.push([name, templateOf(value, at, problems)]);
    else queried.push([name.slice(0, -2), queryOf(name, value, at, problems)]);
  }
  const isFixed = queried.length === 0 && fixed.every(([, member]) => isConstant(member));
  return isFixed ? { kind: 'constant', value: json } : { kind: 'object', members: [...fixed, ...queried] };
}

function queryOf(
  field: string,
  value: Json,
  place: readonly string[],
  problems: TemplateProblem[],
): PayloadTemplate {
  const parsed =
    typeof value === 'string'
      ? parseQuery(value)
      : ({ kind: 'invalid', reason: 'it is not a string' } as const);
  if (parsed.kind === 'query') return { kind: 'query', query: parsed.query, field };
  problems.push({ place, reason: parsed.reason });
  return { kind: 'constant', value: null };
}

/** True when evaluating the template cannot fail and needs no input. */
export function isConstant(template: PayloadTemplate): template is PayloadTemplate & { kind: 'constant' } {
  return template.kind === 'constant';
}

/** Evaluates a payload template. States.Runtime where a path leads to nothing. */
export function evaluatePayloadTemplate(template: PayloadTemplate, scope: Scope): PathResult {
  const result = evaluatePart(template, scope);
  return result.kind === 'value' && !isConstant(template) && isTooLong(result.value) ? TOO_LARGE : result;
}

function evaluatePart(template: PayloadTemplate, scope: Scope): PathResult {
  switch (template.kind) {
    case 'constant':
      return { kind: 'value', value: template.value };
    case 'query':
      return evaluateQuery(template.query, template.field, scope);
    case 'array': {
      const values: Json[] = [];
      for (const item of template.items) {
        const result = evaluatePart(item, scope);
        if (result.kind === 'failed') return result;
        values.push(result.value);
      }
      return { kind: 'value', value: values };
    }
    case 'object': {
      const entries: [string, Json][] = [];
      for (const [name, member] of template.members) {
        const result = evaluatePart(member, scope);
        if (result.kind === 'failed') return result;
        entries.push([name, result.value]);
      }
      return { kind: 'value', value: Object.fromEntries(entries) };
    }
    default:
      return template satisfies never;
  }
}

/** Evaluates a path or an intrinsic function of a field: `value.$`, `ErrorPath`, `CausePath`. */
export function evaluateQuery(query: Query, field: string, scope: Scope): PathResult {
  if (query.kind === 'intrinsic') return evaluateIntrinsic(query.intrinsic, scope);
  const found = select(query.path, scope);
  return found.kind === 'value' ? found : notFound(query.text, field, scope.input);
}
