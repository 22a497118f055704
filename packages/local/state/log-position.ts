import type { MachineChoice } from '../runtime/catalogue/registered-machine';
import { keyOfNumber } from './keys';

/** A choice with the key of its machine in place of the machine. */
export interface Chosen extends Omit<MachineChoice, 'machine'> {
  readonly machine: string;
}

/** The position of an execution in the log, and what each of its states repeats. */
export interface LogPosition {
  readonly number: number;
  readonly chosen: Chosen;
}

/** The key of an execution that has not ended, or whose end has just been written. */
export function executionKey({ number }: LogPosition): string {
  return keyOfNumber('execution', number);
}

/** The key of those of its events that were saved together, the first of which has this id. */
export function eventKey({ number }: LogPosition, eventId: number): string {
  return keyOfNumber(keyOfNumber('event', number), eventId);
}

/** The key of an execution that has ended, with all its events. */
export function endedKey({ number }: LogPosition): string {
  return keyOfNumber('ended', number);
}
