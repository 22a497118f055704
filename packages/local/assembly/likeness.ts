/** How similar a name must be to be suggested, from 0 to 2: it has a typing error or two. */
const LIKENESS_MIN = 1;
/** So many names are listed. */
const LISTED_MAX = 20;

/** The name that was meant, if one is near: with two slips at most, of fewer than half of its letters, or similar. */
export function nearest(written: string, names: readonly string[]): string | undefined {
  const slipped = names
    .map(name => ({ name, count: slips(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ count }) => count <= Math.min(2, (written.length - 1) / 2))
    .sort((a, b) => a.count - b.count);
  if (slipped[0]) return slipped[0].name;
  const rated = names.map(name => ({ name, like: likeness(written, name) }));
  const [best] = rated.sort((a, b) => b.like - a.like);
  return best && best.like > LIKENESS_MIN ? best.name : undefined;
}

/** The end of a sentence about a name that nothing has: what it would be, what was meant, and what there is. */
export function notKnown(written: string, what: string, names: readonly string[]): string {
  const near = nearest(written, names);
  const meant = near === undefined ? '' : `did you mean ${near}? `;
  const more = names.length > LISTED_MAX ? ` and ${names.length - LISTED_MAX} more` : '';
  return `is not ${what} here; ${meant}there are ${names.slice(0, LISTED_MAX).join(', ') || 'none'}${more}`;
}

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
