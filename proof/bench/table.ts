/** Lines with columns: the first ones are words, the others figures. */
export function table(lines: readonly (readonly string[])[], words: number): string[] {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map(cells => cells[column]?.length ?? 0)),
  );
  return lines.map(cells => {
    const padded = cells.map((cell, column) =>
      column < words ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    return `  ${padded.join('  ').trimEnd()}`;
  });
}
