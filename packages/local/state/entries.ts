import type { ClassicLevel } from 'classic-level';
import { under } from './keys';

/** Entries that come out of the database together: one at a time, each would wait for a turn of its own. */
const TOGETHER = 1_000;
/** Bytes that the database reads ahead. */
const AHEAD_BYTES = 1_048_576;

/** Every key that begins with a name, with its value, in the order of the keys. */
export async function* entriesOf(
  db: ClassicLevel,
  name: string,
): AsyncGenerator<readonly [key: string, value: string]> {
  const iterator = db.iterator({ ...under(name), highWaterMarkBytes: AHEAD_BYTES });
  try {
    for (;;) {
      const entries = await iterator.nextv(TOGETHER);
      if (entries.length === 0) return;
      yield* entries;
    }
  } finally {
    await iterator.close();
  }
}
