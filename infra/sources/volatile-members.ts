import { describeValue } from '../../state-machine/words/describe-value';

/** Members of an EventBridge event that differ when one thing that happened is sent twice, or an archive replays it. */
export const VOLATILE = ['id', 'time', 'replay-name'] as const;

/** One of these members. */
export type Volatile = (typeof VOLATILE)[number];

/** Rejects a value that is not a list of these names, as from JavaScript. @throws Error with the remedy */
export function validateKeep(keep: unknown, names: readonly string[] = VOLATILE): void {
  if (Array.isArray(keep) && keep.every(name => names.includes(name))) return;
  throw new Error(`\`keep\` must be a list of these names: ${names.join(', ')}; got ${describeValue(keep)}`);
}
