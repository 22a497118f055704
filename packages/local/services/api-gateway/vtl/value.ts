import { isJsonObject, type Json } from '../../../json/json';

/** A value within a mapping template, as Java has it. Maps keep the order of their members; null is also not there. */
export type Value = null | boolean | number | string | Value[] | Map<string, Value> | HostObject;

/** What a template is given to use, such as `$util`. What it does not have is null, or refused by a TemplateError. */
export interface HostObject {
  readonly isHost: true;
  get?(name: string): Value;
  set?(name: string, value: Value): void;
  /** Undefined where there is no such method. */
  call?(name: string, args: readonly Value[]): Value | undefined;
}

/** Why a mapping template could not be evaluated, in words. */
export class TemplateError extends Error {
  override readonly name: string = 'TemplateError';
}

/** API Gateway passes no larger body on, and answers none. */
export const CHARACTERS_MAX = 10 * 1024 * 1024;

/** A text that is made of others, of so many characters. @throws TemplateError where it would be too long */
export function requireLength(characters: number): void {
  if (characters > CHARACTERS_MAX) throw new TemplateError('a text in it is longer than 10 MB');
}

/** True for what a template is given, and false for values of its own. */
export function isHost(value: Value): value is HostObject {
  return typeof value === 'object' && value !== null && 'isHost' in value;
}

/** JSON as templates see it. */
export function fromJson(json: Json): Value {
  if (Array.isArray(json)) return json.map(fromJson);
  if (!isJsonObject(json)) return json as Value;
  return new Map(Object.entries(json).map(([name, member]) => [name, fromJson(member)]));
}

/** What a value is printed as: null as nothing, maps and lists as Java prints them. */
export function textOf(value: Value): string {
  if (value === null || isHost(value)) return '';
  if (typeof value === 'number') return numberText(value);
  if (Array.isArray(value)) return `[${value.map(memberText).join(', ')}]`;
  if (value instanceof Map) {
    return `{${[...value].map(([name, member]) => `${name}=${memberText(member)}`).join(', ')}}`;
  }
  return String(value);
}

function memberText(value: Value): string {
  return value === null ? 'null' : textOf(value);
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

/** Equality of values, as `==` has it: of lists and maps by their members. */
export function areEqual(one: Value, other: Value): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => areEqual(item, other[index] ?? null));
  }
  if (one instanceof Map && other instanceof Map) {
    return (
      one.size === other.size &&
      [...one].every(([name, member]) => other.has(name) && areEqual(member, other.get(name) ?? null))
    );
  }
  return false;
}
