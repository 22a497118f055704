import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hasChecksum, Reader } from './leveldb-format';
import { tablesIn } from './manifest';

// LevelDB's own description of these files is doc/table_format.md of its sources. Its bindings for Node.js do not let
// it check the checksums that it has written into them.

const FOOTER_BYTES = 48;
/** Behind each block: its compression, and the checksum of both. */
const TRAILER_BYTES = 5;

/**
 * The files of the tables of a database of which a block is not what was written.
 *
 * To be asked before the database is opened: it begins at once to make new tables of those that it has, and does not
 * look at their checksums.
 */
export function brokenTables(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const tables = tablesIn(folder);
  const files = readdirSync(folder).filter(name => /\.(ldb|sst)$/.test(name));
  return files
    .filter(name => tables.has(Number.parseInt(name, 10)))
    .map(name => path.join(folder, name))
    .filter(file => existsSync(file) && !isReadable(readFileSync(file)));
}

/** Numbers that lead out of the file are damage, too. */
function isReadable(bytes: Buffer): boolean {
  try {
    return isWhole(bytes);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

interface Handle {
  readonly offset: number;
  readonly size: number;
}

/** The footer names the index of other blocks, of which there are none, and that of the data. */
function isWhole(bytes: Buffer): boolean {
  if (bytes.length < FOOTER_BYTES) return false;
  const footer = new Reader(bytes, bytes.length - FOOTER_BYTES);
  const [others, index] = [handleAt(footer), handleAt(footer)];
  if (!isIntact(bytes, others) || !isIntact(bytes, index)) return false;
  const content = bytes.subarray(index.offset, index.offset + index.size);
  const isPlain = bytes[index.offset + index.size] === 0;
  return handlesIn(isPlain ? content : uncompressed(content)).every(handle => isIntact(bytes, handle));
}

/** Entries of a block: what a key shares with the one before it, the rest of it, and a value, here a handle. */
function handlesIn(block: Buffer): Handle[] {
  const restarts = block.readUInt32LE(block.length - 4);
  const end = block.length - 4 * (restarts + 1);
  const handles: Handle[] = [];
  const reader = new Reader(block, 0);
  while (reader.at < end) {
    reader.varint();
    const [keyBytes, valueBytes] = [reader.varint(), reader.varint()];
    const valueAt = reader.at + keyBytes;
    handles.push(handleAt(new Reader(block, valueAt)));
    reader.at = valueAt + valueBytes;
  }
  return handles;
}

/** A block without its compression, which is Snappy's. */
function uncompressed(block: Buffer): Buffer {
  const reader = new Reader(block, 0);
  const content = Buffer.alloc(reader.varint());
  let at = 0;
  while (at < content.length) {
    const tag = reader.number(1);
    const kind = tag & 3;
    if (kind === 0) {
      const length = tag >> 2 < 60 ? (tag >> 2) + 1 : reader.number((tag >> 2) - 59) + 1;
      block.copy(content, at, reader.at, reader.at + length);
      reader.at += length;
      at += length;
    } else {
      const length = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
      const back = kind === 1 ? ((tag >> 5) << 8) + reader.number(1) : reader.number(kind === 2 ? 2 : 4);
      // The copy may overlap what it makes.
      for (const end = at + length; at < end; at += 1) content[at] = content[at - back] ?? 0;
    }
  }
  return content;
}

function handleAt(reader: Reader): Handle {
  return { offset: reader.varint(), size: reader.varint() };
}

function isIntact(bytes: Buffer, { offset, size }: Handle): boolean {
  const end = offset + size;
  if (end + TRAILER_BYTES > bytes.length) return false;
  return hasChecksum(bytes, offset, end + 1, end + 1);
}
