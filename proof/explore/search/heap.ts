import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The part of the heap that may be in use: beyond it the thread would soon be ended, with all that it has found. */
const FULL = 0.7;
/** What of the limit is for young objects, which are collected all the time. */
const YOUNG_BYTES = 48 * 1024 * 1024;

let collect: (() => void) | undefined;

/** Whether what is in use in this thread, garbage apart, is nearly all of the heap that it may have. */
export function isHeapNearlyFull(): boolean {
  if (share() < FULL) return false;
  collect ??= collector();
  collect();
  return share() >= FULL;
}

function share(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used / (limit - YOUNG_BYTES);
}

// Node offers its collector by a flag alone, which can be set for contexts that are made afterwards.
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
