import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

// LevelDB's own description of these files is doc/table_format.md of its sources. Its bindings for Node.js do not let
// it check the checksums that it has written into them.

const FOOTER_BYTES = 48;
/** Behind each block: its compression, and the checksum of both. */
const TRAILER_BYTES = 5;
const MASK_DELTA = 0xa282ead8;

/** A table that is not what was written. */
export interface BrokenTable {
  readonly file: string;
  /** Tells whether it is still the same. */
  readonly identity: string;
}

/**
 * The tables in the folder of a database of which a block is not what was written.
 *
 * To be asked before the database is opened. One that opening has removed or written anew was what a crash left of a
 * table that was being written, and is nothing to the database: see `isStillThere`.
 */
export function brokenTables(folder: string): readonly BrokenTable[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter(name => /\.(ldb|sst)$/.test(name));
  return files
    .map(name => path.join(folder, name))
    .filter(file => !isReadable(readFileSync(file)))
    .map(file => ({ file, identity: identityOf(file) }));
}

/** Whether the database still has the table. */
export function isStillThere({ file, identity }: BrokenTable): boolean {
  return existsSync(file) && identityOf(file) === identity;
}

function identityOf(file: string): string {
  const { ino, mtimeMs } = statSync(file);
  return `${ino} ${mtimeMs}`;
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
  const [others, index] = [footer.handle(), footer.handle()];
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
    handles.push(new Reader(block, valueAt).handle());
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

function isIntact(bytes: Buffer, { offset, size }: Handle): boolean {
  const end = offset + size;
  if (end + TRAILER_BYTES > bytes.length) return false;
  const masked = (bytes.readUInt32LE(end + 1) - MASK_DELTA) >>> 0;
  return crc32c(bytes, offset, end + 1) === ((masked << 15) | (masked >>> 17)) >>> 0;
}

class Reader {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  varint(): number {
    let [number, factor] = [0, 1];
    for (;;) {
      const byte = this.#bytes[this.at] ?? 0;
      this.at += 1;
      number += (byte & 0x7f) * factor;
      if (byte < 0x80) return number;
      factor *= 128;
    }
  }

  /** A number of so many bytes, the lowest first. */
  number(bytes: number): number {
    this.at += bytes;
    return this.#bytes.readUIntLE(this.at - bytes, bytes);
  }

  handle(): Handle {
    return { offset: this.varint(), size: this.varint() };
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc >>> 0;
});

function crc32c(bytes: Buffer, from: number, to: number): number {
  let crc = 0xffffffff;
  for (let at = from; at < to; at += 1) {
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
