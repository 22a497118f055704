/** The facts at synthesis about a value that an expression reads or makes, for every event. */
export interface KnownValue {
  /** The place in the input, by names; undefined for a value that an expression has made. */
  readonly path: readonly string[] | undefined;
  /** Whether no event has it. */
  readonly isMissing: boolean;
  /** Whether it means something else if it is read alone, or parsed: the text of a whole message, as in an envelope. */
  readonly isForeign: boolean;
  /** Whether it is an object without members in every event. */
  readonly isEmpty: boolean;
  /** What of the event it tells, such as the caller of a request. */
  readonly marks: ReadonlySet<string>;
  /** The names that it may have, if there are no others. */
  readonly names: readonly string[] | undefined;
  /** The facts about a member. */
  member(name: string): KnownValue;
}

const NONE: ReadonlySet<string> = new Set();

/** A value that may be anything, and tells this. */
export function anything(marks: ReadonlySet<string> = NONE, path?: readonly string[]): KnownValue {
  return {
    path,
    isMissing: false,
    isForeign: false,
    isEmpty: false,
    marks,
    names: undefined,
    member: name => anything(marks, path && [...path, name]),
  };
}

/** What no event has. */
export function missing(path: readonly string[] | undefined): KnownValue {
  const value: KnownValue = {
    path,
    isMissing: true,
    isForeign: false,
    isEmpty: false,
    marks: NONE,
    names: [],
    member: name => missing(path && [...path, name]),
  };
  return value;
}

/** An object with these members; `others` says what all other names are. */
export function objectOf(
  members: Readonly<Record<string, KnownValue>>,
  others: (name: string) => KnownValue = () => missing(undefined),
): KnownValue {
  const isClosed = others('').isMissing;
  return {
    path: undefined,
    isMissing: false,
    isForeign: false,
    isEmpty: false,
    marks: union(Object.values(members).map(({ marks }) => marks)),
    names: isClosed ? Object.keys(members).filter(name => !members[name]?.isMissing) : undefined,
    member: name => (Object.hasOwn(members, name) ? members[name] : undefined) ?? others(name),
  };
}

/** The same value at a place of the input. */
export function at(path: readonly string[], value: KnownValue): KnownValue {
  return { ...value, path, member: name => at([...path, name], value.member(name)) };
}

/** A value that is one of these: what one of them may have, it may have. */
export function oneOf(values: readonly KnownValue[]): KnownValue {
  const there = values.filter(({ isMissing }) => !isMissing);
  const [first, ...others] = there;
  if (first === undefined) return values[0] ?? missing(undefined);
  if (others.length === 0) return first;
  const names = there.map(one => one.names);
  return {
    path: undefined,
    isMissing: false,
    isForeign: false,
    isEmpty: false,
    marks: union(there.map(({ marks }) => marks)),
    names: names.includes(undefined) ? undefined : [...new Set(names.flatMap(one => one ?? []))],
    member: name => oneOf(there.map(value => value.member(name))),
  };
}

/** All that any of these tells. */
export function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap(set => [...set]));
}
