/**
 * How many runs a property test makes, or how many of something a stress test starts: `small` on a developer's machine,
 * `full` where `ONCEFLOW_TEST_SCALE=full` says so.
 *
 * @throws Error for another scale
 */
export function runs(small: number, full: number): number {
  return atScale('ONCEFLOW_TEST_SCALE', small, full);
}

/**
 * The same for the bounds of exploration, which only `ONCEFLOW_EXPLORED=full` raises: all of that together takes longer
 * than everything else.
 *
 * @throws Error for another scale
 */
export function explored(small: number, full: number): number {
  return atScale('ONCEFLOW_EXPLORED', small, full);
}

function atScale(variable: string, small: number, full: number): number {
  const scale = process.env[variable] ?? 'small';
  if (scale === 'small') return small;
  if (scale === 'full') return full;
  throw new Error(`${variable} is "small" or "full", got "${scale}"`);
}
