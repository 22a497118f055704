import { CRC32C, crcOf } from '../crc';

// How LevelDB writes numbers and checksums: doc/table_format.md, doc/log_format.md and util/coding.h of its sources.

/** Reads numbers one after another. @throws RangeError for one that leads out of the bytes */
export class Reader {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** A number whose last byte is below 128. */
  varint(): number {
    let [number, factor] = [0, 1];
    for (;;) {
      const byte = this.#bytes.readUInt8(this.at);
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

  /** Passes over bytes that come behind their number. */
  skipBytes(): void {
    const length = this.varint();
    this.at += length;
  }
}

const MASK_DELTA = 0xa282ead8;

/** Whether the bytes from one place to another have the checksum that is written at a third. */
export function hasChecksum(bytes: Buffer, from: number, to: number, checksumAt: number): boolean {
  const masked = (bytes.readUInt32LE(checksumAt) - MASK_DELTA) >>> 0;
  return crcOf(bytes.subarray(from, to), CRC32C) === ((masked << 15) | (masked >>> 17)) >>> 0;
}
