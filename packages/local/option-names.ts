import { likeness } from './assembly/likeness';

/** How like the name of an option has to be to be taken for the one that was meant: a slip or two, of 0 to 2. */
const LIKENESS_MIN = 1;

/**
 * What is wrong with options by their names, undefined where nothing is: without type checking a misspelled one would
 * be ignored, and the default stand in its place. `of` says whose options they are, `names` has the name of every one.
 */
export function problemWithNames(
  of: string,
  options: unknown,
  names: Readonly<Record<string, true>>,
): string | undefined {
  const all = Object.keys(names).sort();
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const given = Array.isArray(options) ? 'a list' : String(options);
    return `the options of ${of} are an object with ${all.join(', ')}, got ${given}`;
  }
  const unknown = Object.keys(options).find(name => !Object.hasOwn(names, name));
  if (unknown === undefined) return undefined;
  const near = nearest(unknown, all);
  const meant = near === undefined ? 'it' : `did you mean \`${near}\`? It`;
  return `${of} has no option \`${unknown}\`; ${meant} has ${all.join(', ')}`;
}

function nearest(written: string, names: readonly string[]): string | undefined {
  const rated = names.map(name => ({ name, like: likeness(written, name) }));
  const [best] = rated.sort((a, b) => b.like - a.like);
  return best && best.like > LIKENESS_MIN ? best.name : undefined;
}
