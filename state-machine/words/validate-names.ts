import { describeValue } from './describe-value';
import { nearestName } from './nearest-name';

/**
 * Rejects unknown options, such as a misspelled one, and a value that is not an object of options: without type
 * checking it would be ignored, and the default would count in its place. `of` says whose options they are; `names` has
 * the name of every option.
 *
 * @throws Error with the remedy
 */
export function validateNames<Options extends object>(
  of: string,
  options: Options,
  names: Readonly<Record<keyof Options, unknown>>,
): void {
  const all = Object.keys(names).sort();
  const isObject = typeof options === 'object' && options !== null && !Array.isArray(options);
  const unknown = isObject ? Object.keys(options).find(name => !Object.hasOwn(names, name)) : undefined;
  if (isObject && unknown === undefined) return;
  // A class of the caller's own may hold options, too; one that has others is something else.
  const isPlain = isObject && ['Object', undefined].includes(options.constructor?.name);
  throw new Error(
    isPlain
      ? noOption(of, unknown ?? '', all)
      : `the options of ${of} must be an object with ${all.join(', ')}, got ${describeValue(options)}`,
  );
}

/** That there is no option of a name, with the one that was probably meant, and all that there are. */
export function noOption(of: string, name: string, all: readonly string[]): string {
  const near = nearestName(name, all);
  const meant = near === undefined ? `. Its options are ${all.join(', ')}` : `. Did you mean \`${near}\`?`;
  return `${of} has no option \`${name}\`${meant}`;
}
