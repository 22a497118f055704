import type { DescribeExecutionOutput } from '@aws-sdk/client-sfn';
import { printable } from '../text';
import { invalidKeyIn } from './record';

/** `is running`, or how an execution ended; of a rejected event also what its key is. */
export function standsInWords({ status, error, cause }: DescribeExecutionOutput): string {
  if (status === 'RUNNING') return 'is running';
  const key = invalidKeyIn(cause);
  const why = key === undefined ? '' : ` (${key})`;
  return `ended ${status}${error ? ` with ${printable(error)}` : ''}${why}`;
}
