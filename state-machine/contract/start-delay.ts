/** After the first receives; after each later one an hour. */
const DELAYS_SECONDS = [60, 300, 900] as const;
const START_DELAY_SECONDS_MAX = 3600;

/**
 * How long, in whole seconds, a queue's message stays invisible after a receive that could not start it.
 *
 * Each receive counts towards the queue's `maxReceiveCount`, so the time between two of them decides how long an outage
 * may last. With 5 receives the last start comes 81 minutes after the first one, on average. Starts that were rejected
 * together must not come again together, or they are rejected again: `chance`, from 0 to 1, is from half of the delay
 * to half as much again.
 */
export function startDelaySeconds(receiveCount: number, chance: number): number {
  return Math.round((DELAYS_SECONDS[receiveCount - 1] ?? START_DELAY_SECONDS_MAX) * (0.5 + chance));
}
