import { nearest } from './assembly/likeness';

/**
 * The problem with the name of an option, or undefined if all names are known. Without type checking, a misspelled
 * option would be ignored and its default used. `of` is the function that has the options, `names` all their names.
 */
export function problemWithNames(
  of: string,
  options: unknown,
  names: Readonly<Record<string, true>>,
): string | undefined {
  const all = Object.keys(names).sort();
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    return `the options of ${of} are an object with ${all.join(', ')}, got ${kindOf(options)}`;
  }
  const unknown = Object.keys(options).find(name => !Object.hasOwn(names, name));
  if (unknown === undefined) return undefined;
  const near = nearest(unknown, all);
  const meant = near === undefined ? 'it' : `did you mean \`${near}\`? It`;
  return `${of} has no option \`${unknown}\`; ${meant} has ${all.join(', ')}`;
}

/** A value that was given instead of something else, in words: a number as it is, a list by its kind. */
export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'function' ? 'a function' : String(value);
}
