import type { Clock } from '../../../runtime/time/clock';

/** How often a waiting receiver asks again, in milliseconds. */
const POLL_MS = 50;

/** What `receive` answers as soon as that is not an empty list, or after `seconds` at the latest. */
export async function waitForMessages<Message>(
  receive: () => readonly Message[] | undefined,
  clock: Clock,
  seconds: number,
): Promise<readonly Message[] | undefined> {
  const end = clock.now() + seconds * 1000;
  for (;;) {
    const received = receive();
    if (received?.length !== 0 || clock.now() >= end) return received;
    await new Promise<void>(resolve => clock.at(Math.min(end, clock.now() + POLL_MS), resolve));
  }
}
