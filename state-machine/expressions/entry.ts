import { RECORD } from '../contract/record';
import type { Settings } from '../settings';
import { expression } from './jsonata';

// The variable `entry` is the UUID of an entry, where an execution may enter the states several times.

/** A new UUID, for the variable. */
export const NEW_ENTRY = expression('$uuid()');

/**
 * JSONata of what tells apart who claims under one ARN; the same in each try of a Task, and after a redrive.
 *
 * A name is free again 90 days after its execution has ended: when the execution was started tells it from one of the
 * same name. An execution of which the states are a part may be in them several times at once. An Express execution may
 * be restarted from its beginning: when the state was entered tells its runs apart.
 */
export function entryOf({ isPart, leaseMs }: Pick<Settings, 'isPart' | 'leaseMs'>): string {
  if (isPart) return '$entry';
  return leaseMs === undefined ? '$states.context.Execution.StartTime' : '$states.context.State.EnteredTime';
}

/** True where the record that was read names this execution as its owner. */
export const IS_OWN = `$record.${RECORD.owner}.S = $states.context.Execution.Id`;

/** True where this very entry has written the record that was read. Not for Express: there each state has its own. */
export function isOfEntry(settings: Pick<Settings, 'isPart' | 'leaseMs'>): string {
  return `$record.${RECORD.entry}.S = ${entryOf(settings)}`;
}
