import { readFileSync } from 'node:fs';
import path from 'node:path';
import { hasChecksum, Reader } from './leveldb-format';

// LevelDB's own description is doc/log_format.md and db/version_edit.cc of its sources.

const BLOCK_BYTES = 32 * 1024;
/** Before each part of a record: a checksum, its length, and which part it is. */
const HEADER_BYTES = 7;
const [FULL, FIRST, , LAST] = [1, 2, 3, 4];

/**
 * The numbers of the tables that a database has. Any other in its folder is one that a crash has left of one that was
 * being written, and is nothing to the database.
 *
 * A manifest that is damaged is read up to there: the database itself rejects it.
 */
export function tablesIn(folder: string): ReadonlySet<number> {
  const tables = new Set<number>();
  try {
    const name = readFileSync(path.join(folder, 'CURRENT'), 'utf8').trim();
    for (const record of recordsOf(readFileSync(path.join(folder, name)))) follow(record, tables);
  } catch (error) {
    const isExpected = error instanceof RangeError || (error as NodeJS.ErrnoException).code !== undefined;
    if (!isExpected) throw error;
  }
  return tables;
}

/** The records of a log file up to its end, or to what cannot be read. */
function* recordsOf(bytes: Buffer): Iterable<Buffer> {
  let parts: Buffer[] = [];
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const left = BLOCK_BYTES - (at % BLOCK_BYTES);
    if (left < HEADER_BYTES) {
      at += left;
      continue;
    }
    const kind = bytes.readUInt8(at + 6);
    const end = at + HEADER_BYTES + bytes.readUInt16LE(at + 4);
    if (end > bytes.length || !hasChecksum(bytes, at + 6, end, at)) return;
    if (kind === FULL || kind === FIRST) parts = [];
    parts.push(bytes.subarray(at + HEADER_BYTES, end));
    if (kind === FULL || kind === LAST) yield Buffer.concat(parts);
    at = end;
  }
}

/** Makes the changes of one record: each is its kind, and what belongs to it. */
function follow(record: Buffer, tables: Set<number>): void {
  const reader = new Reader(record, 0);
  while (reader.at < record.length) {
    switch (reader.varint()) {
      // The comparator's name.
      case 1:
        reader.skipBytes();
        break;
      // Where the last compaction has ended: a level and a key.
      case 5:
        reader.varint();
        reader.skipBytes();
        break;
      // A table that is gone: its level and its number.
      case 6:
        reader.varint();
        tables.delete(reader.varint());
        break;
      // A table that is new: its level, its number, its size, its first and its last key.
      case 7:
        reader.varint();
        tables.add(reader.varint());
        reader.varint();
        reader.skipBytes();
        reader.skipBytes();
        break;
      // The numbers of the log, of the log before it, of the next file, and of the last write.
      default:
        reader.varint();
    }
  }
}
