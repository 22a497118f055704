/**
 * Refuses options that a construct does not have, such as a misspelled one: without type checking it would be ignored,
 * and the default stand in its place. `names` has the name of every option.
 *
 * @throws Error with the remedy
 */
export function validateNames<Props extends object>(
  construct: string,
  props: Props,
  names: Readonly<Record<keyof Props, true>>,
): void {
  const [unknown] = Object.keys(props).filter(name => !Object.hasOwn(names, name));
  if (unknown === undefined) return;
  throw new Error(
    `${construct} has no option \`${unknown}\`; it has ${Object.keys(names).sort().join(', ')}`,
  );
}
