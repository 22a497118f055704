import { isJsonObject, type Json } from '../json/json';

/** What the service's model says of one member of a request. */
export type Member = TextMember | NumberMember | FlagMember | ListMember | MapMember | StructureMember;

interface Required {
  readonly required?: boolean;
}

/** A text with its bounds in characters. */
export interface TextMember extends Required {
  readonly kind: 'text';
  readonly min?: number;
  readonly max?: number;
  /** Measured in UTF-8 bytes instead of characters, with the service's words for it. */
  readonly maxBytes?: number;
  readonly pattern?: string;
  readonly values?: readonly string[];
  /** Not repeated in messages. */
  readonly isSecret?: boolean;
}

/** A whole number with its bounds. */
export interface NumberMember extends Required {
  readonly kind: 'number';
  /** Whether a number with a fraction is rejected. @default - the fraction is cut off, as Step Functions does */
  readonly isWhole?: boolean;
  readonly min?: number;
  readonly max?: number;
}

/** True or false. */
export interface FlagMember extends Required {
  readonly kind: 'flag';
}

/** A list with its bounds. */
export interface ListMember extends Required {
  readonly kind: 'list';
  readonly member: Member;
  readonly min?: number;
  readonly max?: number;
}

/** Members of any names, all of one kind. */
export interface MapMember extends Required {
  readonly kind: 'map';
  readonly value: Member;
}

/** Named members; others than these are ignored, as the service does. */
export interface StructureMember extends Required {
  readonly kind: 'structure';
  readonly members: Shape;
  /** What the model calls it, in messages that quote a list of them. @default - they are quoted as JSON */
  readonly typeName?: string;
}

/** The members of a request or structure, by name. */
export interface Shape {
  readonly [name: string]: Member;
}

/** The value that a member has once it was checked. */
export type ValueOf<M extends Member> = M extends {
  readonly kind: 'text';
  readonly values: readonly (infer V)[];
}
  ? V
  : M extends TextMember
    ? string
    : M extends NumberMember
      ? number
      : M extends FlagMember
        ? boolean
        : M extends ListMember
          ? readonly ValueOf<M['member']>[]
          : M extends MapMember
            ? Readonly<Record<string, ValueOf<M['value']>>>
            : M extends StructureMember
              ? RequestOf<M['members']>
              : never;

type RequiredNames<S extends Shape> = {
  [Name in keyof S]: S[Name] extends { readonly required: true } ? Name : never;
}[keyof S];

/** A request that was checked against a shape. */
export type RequestOf<S extends Shape> = {
  readonly [Name in RequiredNames<S>]: ValueOf<S[Name]>;
} & { readonly [Name in Exclude<keyof S, RequiredNames<S>>]?: ValueOf<S[Name]> };

/** A request by its shape, or why it is rejected before anything is looked up. */
export type CheckedRequest<S extends Shape> =
  | { readonly kind: 'request'; readonly request: RequestOf<S> }
  /** A member of another type than the model has. */
  | { readonly kind: 'unreadable'; readonly message: string }
  /** Members outside their bounds, all of them in one message. */
  | { readonly kind: 'invalid'; readonly message: string };

/** Checks a request against the model's constraints, in the service's words. A null counts as absent. */
export function checkRequest<S extends Shape>(shape: S, given: Json): CheckedRequest<S> {
  const found: Found = { violations: [] };
  const value = checkMember({ kind: 'structure', members: shape }, given, '', found);
  if (found.unreadable !== undefined) return { kind: 'unreadable', message: found.unreadable };
  const { violations } = found;
  if (violations.length > 0) {
    const errors = violations.length === 1 ? '1 validation error' : `${violations.length} validation errors`;
    return { kind: 'invalid', message: `${errors} detected: ${violations.join('; ')}` };
  }
  return { kind: 'request', request: value as RequestOf<S> };
}

interface Found {
  unreadable?: string;
  readonly violations: string[];
}

function checkMember(member: Member, given: Json, path: string, found: Found): unknown {
  switch (member.kind) {
    case 'text':
      return typeof given === 'string'
        ? checkText(member, given, path, found)
        : wrongType(given, 'String', found);
    case 'number':
      if (typeof given !== 'number' || (member.isWhole && !Number.isInteger(given)))
        return wrongType(given, 'Integer', found);
      checkBounds(
        member,
        Math.trunc(given),
        { path, shown: () => `${Math.trunc(given)}`, what: 'value' },
        found,
      );
      return Math.trunc(given);
    case 'flag':
      return typeof given === 'boolean' ? given : wrongType(given, 'Boolean', found);
    case 'list': {
      if (!Array.isArray(given)) return wrongType(given, 'List', found);
      checkBounds(member, given.length, { path, shown: () => quoted(member, given), what: 'length' }, found);
      return given.map((item, index) => {
        return item === null
          ? missing(`${path}.${index + 1}.member`, found)
          : checkMember(member.member, item, `${path}.${index + 1}.member`, found);
      });
    }
    case 'map': {
      if (!isJsonObject(given)) return wrongType(given, 'Map', found);
      const checked = Object.entries(given).map(([name, value]) => {
        const at = `${path}.${name}.member`;
        return [name, value === null ? missing(at, found) : checkMember(member.value, value, at, found)];
      });
      return Object.fromEntries(checked);
    }
    case 'structure':
      return checkStructure(member.members, given, path, found);
    default:
      return member satisfies never;
  }
}

function checkStructure(members: Shape, given: Json, path: string, found: Found): unknown {
  if (!isJsonObject(given)) return wrongType(given, 'Structure', found);
  const checked = Object.entries(members).flatMap(([name, member]) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const memberPath = path === '' ? name : `${path}.${name}`;
    if (value !== undefined && value !== null) return [[name, checkMember(member, value, memberPath, found)]];
    if (member.required) missing(memberPath, found);
    return [];
  });
  return Object.fromEntries(checked);
}

function checkText(member: TextMember, text: string, path: string, found: Found): string {
  const shown = member.isSecret ? undefined : text;
  const fail = (rule: string) => found.violations.push(violation(shown, path, rule));
  if (member.values && !member.values.includes(text)) {
    fail(`satisfy enum value set: [${member.values.join(', ')}]`);
  }
  checkBounds(member, text.length, { path, shown: () => shown, what: 'length' }, found);
  if (member.maxBytes !== undefined && Buffer.byteLength(text) > member.maxBytes) {
    fail(`have size less than or equal to ${member.maxBytes} bytes in UTF-8 encoding`);
  }
  if (member.pattern !== undefined && !new RegExp(member.pattern).test(text)) {
    fail(`satisfy regular expression pattern: ${member.pattern}`);
  }
  return text;
}

interface Measured {
  readonly path: string;
  /** The value as messages quote it. */
  readonly shown: () => string | undefined;
  readonly what: 'length' | 'value';
}

function checkBounds(
  { min, max }: { readonly min?: number; readonly max?: number },
  value: number,
  { path, shown, what }: Measured,
  found: Found,
): void {
  const fail = (rule: string) => found.violations.push(violation(shown(), path, `have ${what} ${rule}`));
  if (max !== undefined && value > max) fail(`less than or equal to ${max}`);
  if (min !== undefined && value < min) fail(`greater than or equal to ${min}`);
}

/** A value as messages quote it, e.g. `[RoutingConfigurationListItem(stateMachineVersionArn=…, weight=50)]`. */
function quoted(member: Member, given: Json): string {
  if (member.kind === 'list' && Array.isArray(given)) {
    return `[${given.map(item => quoted(member.member, item)).join(', ')}]`;
  }
  if (member.kind === 'structure' && member.typeName !== undefined && isJsonObject(given)) {
    const parts = Object.entries(member.members).flatMap(([name, inner]) => {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      return value === undefined ? [] : [`${name}=${quoted(inner, value)}`];
    });
    return `${member.typeName}(${parts.join(', ')})`;
  }
  return typeof given === 'string' ? given : JSON.stringify(given);
}

function violation(shown: string | undefined, path: string, rule: string): string {
  const subject = shown === undefined ? 'Value' : `Value '${shown}'`;
  return `${subject} at '${path}' failed to satisfy constraint: Member must ${rule}`;
}

function missing(path: string, found: Found): undefined {
  found.violations.push(`Value null at '${path}' failed to satisfy constraint: Member must not be null`);
  return undefined;
}

function wrongType(given: Json, wanted: string, found: Found): undefined {
  found.unreadable ??= `${kindOf(given)} can not be converted to ${wanted === 'Integer' ? 'an' : 'a'} ${wanted}`;
  return undefined;
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'START_ARRAY';
  switch (typeof value) {
    case 'boolean':
      return value ? 'TRUE_VALUE' : 'FALSE_VALUE';
    case 'number':
      return 'NUMBER_VALUE';
    case 'string':
      return 'STRING_VALUE';
    default:
      return value === null ? 'NULL_VALUE' : 'START_OBJECT';
  }
}
