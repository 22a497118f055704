/** The middle of the numbers; of an even count the lower of the two in the middle. @throws where there are none */
export function median(numbers: readonly number[]): number {
  const middle = numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)];
  if (middle === undefined) throw new Error('the median of no numbers');
  return middle;
}
