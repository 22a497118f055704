import { EXIT } from './exit';

/** A terminal sends a signal to all processes and npm hands it on once more: within this time it is the same one. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Aborts with the first Ctrl-C or SIGTERM: from then on the program ends on its own. A second one ends the process at
 * once, should that hang. To be asked for once in a process.
 */
export function endedBySignal(): AbortSignal {
  const ended = new AbortController();
  let endedAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (!ended.signal.aborted) {
        endedAt = performance.now();
        ended.abort();
      } else if (performance.now() - endedAt > SAME_SIGNAL_MS) process.exit(EXIT.interrupted);
    });
  }
  return ended.signal;
}
