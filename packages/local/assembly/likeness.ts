/**
 * How like a construct path is to another one, from 0 to 2. A typing error within a name counts little, at any place in
 * the path. Among paths that have the names, the one with the fewest others is nearest.
 */
export function likeness(wanted: string, path: string): number {
  const [asked, names] = [wanted, path].map(each => each.toLowerCase().split('/')) as [string[], string[]];
  const found = asked.map(name => Math.max(...names.map(other => nameLikeness(name, other))));
  return found.reduce((sum, each) => sum + each, 0) / asked.length + pairLikeness(wanted, path);
}

/** 1 for the same name, 0 for one with nothing in common. */
function nameLikeness(left: string, right: string): number {
  const longest = Math.max(left.length, right.length);
  return longest === 0 ? 1 : 1 - slips(left, right) / longest;
}

/** The number of letters that must be inserted, left out, changed, or swapped with the next. */
function slips(left: string, right: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let at = 1; at <= left.length; at += 1) {
    const next = [at];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[at - 1] === right[column - 1];
      const isSwapped = left[at - 1] === right[column - 2] && left[at - 2] === right[column - 1];
      next.push(
        Math.min(
          (row[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (row[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped && at > 1 && column > 1 ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row[right.length] ?? 0;
}

/** Dice's coefficient of the letter pairs of two texts: 1 for the same, 0 for nothing in common. */
function pairLikeness(left: string, right: string): number {
  const [ours, theirs] = [pairsOf(left), pairsOf(right)];
  const common = [...ours].filter(pair => theirs.has(pair)).length;
  return (2 * common) / (ours.size + theirs.size || 1);
}

function pairsOf(path: string): ReadonlySet<string> {
  const text = path.toLowerCase();
  return new Set([...text].slice(1).map((letter, index) => `${text[index]}${letter}`));
}
