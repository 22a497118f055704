/**
 * Whether a text matches a pattern of `StringMatches`: `*` stands for any characters, or none; `\*` for a star and `\\`
 * for a backslash. Each part of the pattern is looked for once, so the time grows with the text times the pattern's
 * longest part at most.
 */
export function isMatch(text: string, pattern: string): boolean {
  const parts = partsOf(pattern);
  const [first = '', ...others] = parts;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false;
  const end = text.length - last.length;
  let from = first.length;
  for (const part of others) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return from <= end;
}

/** What stands between the stars of a pattern, without its escapes. */
function partsOf(pattern: string): string[] {
  const parts = [''];
  for (const [piece] of pattern.matchAll(/\\[\\*]|[\s\S]/g)) {
    if (piece === '*') parts.push('');
    else parts[parts.length - 1] += piece.length > 1 ? piece.slice(1) : piece;
  }
  return parts;
}
