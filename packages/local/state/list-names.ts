/** The first names of a list, at most `max`, and how many more there are: `a, b and 3 more`. */
export function listNames(names: readonly string[], max: number): string {
  const more = names.length - max;
  return names.slice(0, max).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
