import { JSON_DEPTH_MAX } from '../json/depth';
import { isJsonObject, type Json } from '../json/json';
import { TemplateError } from './template-error';
import type { Usage } from './usage';

/** A value within a mapping template, as Java has it. Maps keep the order of their members; null is also not there. */
export type Value = null | boolean | number | string | Value[] | Map<string, Value> | HostObject;

/** What a template is given to use, such as `$util`. What it does not have is null, or rejected by a TemplateError. */
export interface HostObject {
  readonly isHost: true;
  get?(name: string): Value;
  set?(name: string, value: Value): void;
  /** Undefined where there is no such method. */
  call?(name: string, args: readonly Value[]): Value | undefined;
}

/** True for what a template is given, and false for values of its own. */
export function isHost(value: Value): value is HostObject {
  return typeof value === 'object' && value !== null && 'isHost' in value;
}

/** JSON of at most `JSON_DEPTH_MAX` levels as templates see it. */
export function fromJson(json: Json): Value {
  if (Array.isArray(json)) return json.map(fromJson);
  if (!isJsonObject(json)) return json as Value;
  return new Map(Object.entries(json).map(([name, member]) => [name, fromJson(member)]));
}

/**
 * What a value is printed as: null as nothing, maps and lists as Java prints them.
 *
 * @throws TemplateError for one that is too deep or too long, such as a list that contains itself
 */
export function textOf(value: Value, usage: Usage, depth = 0): string {
  if (value === null || isHost(value)) return '';
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'object') return String(value);
  requireDepth(depth);
  const memberText = (member: Value) => (member === null ? 'null' : textOf(member, usage, depth + 1));
  if (Array.isArray(value)) return `[${joinedList(value.map(memberText), usage)}]`;
  const members = [...value].map(([name, member]) => `${name}=${memberText(member)}`);
  return `{${joinedList(members, usage)}}`;
}

const SEPARATOR = ', ';

function joinedList(texts: readonly string[], usage: Usage): string {
  usage.make(texts.reduce((sum, { length }) => sum + length + SEPARATOR.length, 0));
  return texts.join(SEPARATOR);
}

function requireDepth(depth: number): void {
  if (depth < JSON_DEPTH_MAX) return;
  throw new TemplateError(`a value in it has more than ${JSON_DEPTH_MAX} levels`);
}

/** From here on Java writes numbers with a fraction by their exponent, and below the other bound as well. */
const EXPONENT_FROM = 1e7;
const EXPONENT_BELOW = 1e-3;

function numberText(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) || (size >= EXPONENT_BELOW && size < EXPONENT_FROM)) return String(value);
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${exponent.replace('+', '')}`;
}

/** Equality of values, as `==` has it: of lists and maps by their members. @throws TemplateError for ones too deep */
export function areEqual(one: Value, other: Value, usage: Usage, depth = 0): boolean {
  usage.read(typeof one === 'string' ? one.length : 1);
  if (one === other) return true;
  requireDepth(depth);
  const areMembersEqual = (left: Value, right: Value = null) => areEqual(left, right, usage, depth + 1);
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => areMembersEqual(item, other[index]));
  }
  if (one instanceof Map && other instanceof Map) {
    return (
      one.size === other.size &&
      [...one].every(([name, member]) => other.has(name) && areMembersEqual(member, other.get(name)))
    );
  }
  return false;
}
