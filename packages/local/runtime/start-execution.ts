import { DATA_BYTES_MAX, type Data, isTooLarge } from '../asl/data';
import type { Execution } from '../engine/execution';
import { parseJson } from '../json/syntax';
import { executionArnOf } from './arns';
import type { RegisteredMachine } from './catalogue/machine';
import { constraintError, StatesError } from './errors';
import { requireNameCharacters, requireNameLength } from './names';
import type { Store } from './store';

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

/** How long the service keeps the name of a closed execution taken, in milliseconds (90 days). */
export const NAME_TAKEN_MS = 90 * 24 * 60 * 60 * 1000;

/**
 * The execution that the request has started before, or undefined when its name is free.
 *
 * The same name and input while the execution runs is the same request; texts are compared, not values.
 *
 * @throws StatesError `ExecutionAlreadyExists` for a name that another request has taken.
 */
export function startedBefore(
  store: Store,
  arn: string,
  inputText: string,
  now: number,
): Execution | undefined {
  const existing = store.find(arn)?.execution;
  if (!existing || (existing.end && existing.end.at + NAME_TAKEN_MS <= now)) return undefined;
  if (existing.status === 'RUNNING' && existing.input.text === inputText) return existing;
  throw new StatesError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
}

/** The ARN a request's execution gets. @throws StatesError `InvalidName`. */
export function nameExecution(machine: RegisteredMachine, name: string): string {
  requireNameCharacters(name);
  return executionArnOf(machine.arn, name);
}
