import jsonata from 'jsonata';

/** A built-in function as the package has it. */
export interface Original {
  readonly _jsonata_function: true;
  readonly implementation: (...args: unknown[]) => unknown;
  readonly signature?: {
    readonly definition: string;
    validate(args: readonly unknown[], context: unknown): unknown[];
  };
}

/**
 * The functions of these names that an expression sees; nothing of the expression is evaluated but `null`.
 *
 * The interpreter shows its variables to a callback before the first node, and before its first promise.
 */
export function functionsOf(
  names: readonly string[],
  prepare: (expression: jsonata.Expression) => void = () => undefined,
): Map<string, Original> {
  const found = new Map<string, Original>();
  const expression = jsonata('null');
  prepare(expression);
  // The package looks this symbol up like a variable; its types know names only.
  const entry = Symbol.for('jsonata.__evaluate_entry') as unknown as string;
  expression.assign(entry, (_node: object, _input: unknown, frame: { lookup(name: string): Original }) => {
    for (const name of names) found.set(name, frame.lookup(name));
  });
  void expression.evaluate(undefined);
  if (found.size === 0) throw new Error('the interpreter did not show its functions');
  return found;
}

/** The package's own function of a name. */
export function originalOf(name: string): Original {
  const known = ORIGINALS.get(name) ?? functionsOf([name]).get(name);
  if (!known) throw new Error(`the interpreter has no $${name}`);
  ORIGINALS.set(name, known);
  return known;
}

const ORIGINALS = new Map<string, Original>();
