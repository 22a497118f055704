/**
 * The name that was probably meant, or undefined if none is near. It is the shortest that begins with the text.
 * Otherwise it differs from the text by at most two letters left out, added, changed or swapped, and by fewer than half
 * of them. Otherwise it is the longest that the text begins with and adds a word to, as `retentionDays` does.
 */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  if (text.length < 2) return undefined;
  const [longer] = names
    .filter(name => name.startsWith(text))
    .sort((left, right) => left.length - right.length);
  if (longer !== undefined) return longer;
  const near = names
    .map(name => ({ name, distance: distanceBetween(text, name) }))
    .filter(({ distance }) => distance <= Math.min(2, (text.length - 1) / 2))
    .sort((left, right) => left.distance - right.distance);
  if (near[0]) return near[0].name;
  const [shorter] = names
    .filter(name => text.startsWith(name) && /^(?:[A-Z]|[_-]\w)/.test(text.slice(name.length)))
    .sort((left, right) => right.length - left.length);
  return shorter;
}

/** Optimal string alignment: Levenshtein's distance, in which two letters that are swapped count as one change. */
function distanceBetween(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= from.length; row += 1) {
    rows[row] = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const changed = at(row - 1, column - 1) + (isSame ? 0 : 1);
      const swapped = row > 1 && column > 1 && isSwapped ? at(row - 2, column - 2) + 1 : changed;
      rows[row]?.push(Math.min(changed, swapped, at(row - 1, column) + 1, at(row, column - 1) + 1));
    }
  }
  return at(from.length, to.length);
}
