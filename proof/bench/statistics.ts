import type { Measure } from './measures/measure';
import type { Row } from './report';

/** The row of measures that were made the same way. */
export function rowOf(bench: Row['bench'], what: string, measures: readonly Measure[]): Row {
  const perExecution = median(measures.map(({ seconds, executions }) => (seconds / executions) * 1e6));
  const perEvent = measures.flatMap(({ seconds, events }) =>
    events === undefined ? [] : [(seconds / events) * 1e6],
  );
  return {
    bench,
    what,
    runs: measures.length,
    executionsPerSecond: Math.round(1e6 / perExecution),
    microsecondsPerExecution: rounded(perExecution),
    ...(perEvent.length > 0 && { microsecondsPerEvent: rounded(median(perEvent)) }),
  };
}

/** The median of the ratios of their seconds, run by run: both of a run found the machine equally busy. */
export function medianRatio(measures: readonly Measure[], to: readonly Measure[]): number {
  const ratios = measures.flatMap(({ seconds }, run) => {
    const other = to[run]?.seconds;
    return other === undefined ? [] : [seconds / other];
  });
  return rounded(median(ratios));
}

/** A number with two digits after the point: more would be noise. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The middle of the numbers; of an even count the lower of the two in the middle. @throws where there are none */
export function median(numbers: readonly number[]): number {
  const middle = numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)];
  if (middle === undefined) throw new Error('the median of no numbers');
  return middle;
}
