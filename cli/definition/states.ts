/** The states beside each other in a definition, by their names. */
export type States = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A state, and where it is. */
export interface StateAt {
  readonly name: string;
  readonly state: States[string];
  /** The states beside it, itself included. */
  readonly siblings: States;
}

/** The states of a definition in their order, each followed by those within it. */
export function statesIn(node: unknown): readonly StateAt[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(statesIn);
  const { States: siblings, ...others } = node as { readonly States?: States };
  // A member of this name can also be data of a team, in Arguments or Output.
  const own = Object.entries(siblings ?? {})
    .filter(([, state]) => typeof state === 'object' && state !== null)
    .flatMap(([name, state]) => [{ name, state, siblings: siblings as States }, ...statesIn(state)]);
  return [...own, ...statesIn(Object.values(others))];
}
