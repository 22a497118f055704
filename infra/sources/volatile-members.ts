import { describeValue } from '../../state-machine/contract/describe-value';

/** Members of an EventBridge event that differ when one thing that happened is sent twice, or an archive replays it. */
export const VOLATILE = ['id', 'time', 'replay-name'] as const;

/** One of these members. */
export type Volatile = (typeof VOLATILE)[number];

/** Rejects a value that is not a list of volatile members, as from JavaScript. @throws Error with the remedy */
export function validateKeep(keep: unknown): void {
  if (Array.isArray(keep) && keep.every(name => VOLATILE.some(one => one === name))) return;
  throw new Error(
    `\`keep\` must be a list of these names: ${VOLATILE.join(', ')}; got ${describeValue(keep)}`,
  );
}
