import { parseJson } from '../../json/syntax';
import { DATA_BYTES_MAX, type Data, isTooLarge } from '../../language/index';
import { executionArnOf } from './arns';
import { constraintError, StatesError } from './errors';
import { requireNameCharacters, requireNameLength } from './names';

/** What StartExecution takes. */
export interface StartRequest {
  readonly stateMachineArn: string;
  /** @default - a random UUID */
  readonly name?: string;
  /** JSON text. @default - `{}` */
  readonly input?: string;
}

/** Checks that need nothing but the request; the service makes them before it looks for the machine. */
export function checkConstraints({ name, input }: StartRequest): void {
  if (name !== undefined) requireNameLength(name);
  if (input !== undefined && isTooLarge(input)) {
    const rule = `have size less than or equal to ${DATA_BYTES_MAX} bytes in UTF-8 encoding`;
    throw constraintError(undefined, 'input', rule);
  }
}

/** @throws StatesError `InvalidExecutionInput` when the text is not JSON. */
export function readInput(text: string): Data {
  const parsed = text.trim() === '' ? undefined : parseJson(text);
  if (parsed?.kind === 'json') return { value: parsed.value, text };
  const reason = parsed?.message ?? 'Invalid execution input.';
  throw new StatesError('InvalidExecutionInput', `Invalid State Machine Execution Input: '${reason}'`);
}

/** The ARN a request's execution gets. @throws StatesError `InvalidName`. */
export function nameExecution(stateMachineArn: string, name: string): string {
  requireNameCharacters(name);
  return executionArnOf(stateMachineArn, name);
}
