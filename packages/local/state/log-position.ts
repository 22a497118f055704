import type { MachineChoice } from '../runtime/catalogue/registered-machine';
import { keyOfNumber } from './keys';

/** A choice with its machine's key in position of the machine. */
export interface Chosen extends Omit<MachineChoice, 'machine'> {
  readonly machine: string;
}

/** Where an execution is in the log, and what is repeated with each state of it. */
export interface LogPosition {
  readonly number: number;
  readonly chosen: Chosen;
}

/** The key of an execution that has not ended, or of which the end has just been written. */
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
