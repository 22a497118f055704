// The facts about the values of an expression before there is an event.

/** A place in `$states`, such as `['input', 'detail']`. */
export type MemberPath = readonly string[];

/** What the value of an expression must not hang on. */
export interface Problem {
  /**
   * `nothing`: a context that there is not. `states`: `$states` itself, or a step back. `order`: the order of an
   * object's members. `members`: values without the names of their members, of which one can be missing. `text`: a
   * number or several texts as one text.
   */
  readonly kind: 'nothing' | 'states' | 'order' | 'members' | 'text';
  /** As the expression has it. */
  readonly found: string;
}

/** The facts about a value before there is an event. */
export interface Flow {
  /** Exact: the value is what stands at this place. Otherwise it is made of that. */
  readonly places: readonly { readonly path: MemberPath; readonly isExact: boolean }[];
  /** A list that says too little until something makes it whole, such as `$sort` of the names of members. */
  readonly loose?: Problem | undefined;
  /** The name of a member, which no other item has. Of a list: its items are. */
  readonly isName?: boolean | undefined;
  /** An object with one member, of such a name. Of a list: its items are. */
  readonly isNamed?: boolean | undefined;
  readonly items?: readonly Flow[];
  readonly isNothing?: boolean;
  /** Of a constant of the expression. */
  readonly text?: string;
  readonly call?: ((given: readonly Flow[]) => Flow) | undefined;
}

export const EMPTY: Flow = { places: [] };
export const NOTHING: Flow = { places: [], isNothing: true };

export function pathsOfFlow({ places }: Flow): readonly MemberPath[] {
  return places.map(({ path }) => path);
}

export function made(...flows: readonly (Flow | undefined)[]): Flow {
  return {
    places: flows.flatMap(flow => (flow?.places ?? []).map(({ path }) => ({ path, isExact: false }))),
  };
}

export function either(one: Flow, other: Flow): Flow {
  return {
    places: [...one.places, ...other.places],
    loose: one.loose ?? other.loose,
    isNamed: one.isNamed && other.isNamed,
    call: one.call ?? other.call,
  };
}

/** One item of a list. */
export function itemOf({ places, isName, isNamed }: Flow): Flow {
  return { places, isName, isNamed };
}
