/**
 * How many runs a property test makes, or how many of something a stress test starts: `small` on a developer's machine,
 * `full` where `ONCEFLOW_TEST_SCALE=full` says so.
 *
 * @throws Error for another scale
 */
export function runs(small: number, full: number): number {
  const scale = process.env['ONCEFLOW_TEST_SCALE'] ?? 'small';
  if (scale === 'small') return small;
  if (scale === 'full') return full;
  throw new Error(`ONCEFLOW_TEST_SCALE is "small" or "full", got "${scale}"`);
}
