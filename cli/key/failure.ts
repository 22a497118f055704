import type { DescribeExecutionOutput } from '@aws-sdk/client-sfn';
import { STATUS } from '../../state-machine/contract/index';
import { printable, QUOTED_MAX, shortened } from '../text';

/** How an execution, or the step, failed. */
export interface Failure {
  readonly error: string;
  readonly cause: string;
}

/** How the step failed; undefined if the record says nothing of it. */
export function failureOf(record: {
  readonly status?: string;
  readonly error: string | undefined;
}): Failure | undefined {
  const { status, error } = record;
  // That of a completed record tells which operator has completed it.
  if (error === undefined || status === STATUS.completed) return undefined;
  try {
    const stored = JSON.parse(error) as { readonly Error?: unknown; readonly Cause?: unknown };
    return { error: String(stored.Error ?? ''), cause: typeof stored.Cause === 'string' ? stored.Cause : '' };
  } catch {
    return { error, cause: '' };
  }
}

/**
 * A failure as an operator reads it. Of a cause that is JSON, as of a Lambda function or of the workflow itself, only
 * the message and the error that it names are quoted, never a stack trace.
 */
export function failureInWords({ error, cause }: Failure): string {
  return [error, messageIn(cause)].filter(text => text !== '').join(': ');
}

function messageIn(cause: string): string {
  const { errorMessage, message, error } = membersOf(cause);
  const quoted = [errorMessage, message].find(text => typeof text === 'string' && text !== '');
  if (typeof quoted !== 'string') return cause;
  const onOneLine = quoted.trim().replace(/\s*\n\s*/g, ' ');
  return typeof error === 'string' ? `${onOneLine} (${error})` : onOneLine;
}

/** The error of the step that a cause of the workflow names, printable; undefined if it names none. */
export function errorNamedIn(cause: string): string | undefined {
  const { error } = membersOf(cause);
  return typeof error === 'string' ? shortened(error, QUOTED_MAX) : undefined;
}

/** The fields in which a rejected payload differs from the record's, by its cause; undefined where that does not say. */
export function differingFieldsIn(cause: string | undefined): readonly string[] | undefined {
  const { differingFields } = membersOf(cause ?? '');
  return Array.isArray(differingFields) ? differingFields.map(String) : undefined;
}

/**
 * Of the cause of an invalid event, printable: the expressions of its key and payload, the type of the key and the
 * reason, as far as the cause has them. Undefined for any other cause.
 */
export function invalidKeyIn(cause: string | undefined): string | undefined {
  const { keyExpression, keyType, payloadExpression, reason } = membersOf(cause ?? '');
  if (typeof keyExpression !== 'string') return undefined;
  const member = (words: string, value: unknown) =>
    typeof value === 'string' ? `${words}${shortened(value, QUOTED_MAX)}` : '';
  return [
    member('the key is ', keyExpression),
    member(', which gave ', keyType),
    member('; the payload is ', payloadExpression),
    member('; reason: ', reason),
  ].join('');
}

function membersOf(json: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(json) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/** `is running`, or how an execution ended; of a rejected event also what its key is. */
export function executionStatusInWords({ status, error, cause }: DescribeExecutionOutput): string {
  if (status === 'RUNNING') return 'is running';
  const key = invalidKeyIn(cause);
  const why = key === undefined ? '' : ` (${key})`;
  return `ended ${status}${error ? ` with ${printable(error)}` : ''}${why}`;
}
