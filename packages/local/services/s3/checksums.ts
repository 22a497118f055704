import { createHash } from 'node:crypto';

/** The algorithms of `x-amz-checksum-…` that are computed here. */
export type ChecksumAlgorithm = 'CRC32' | 'CRC32C' | 'SHA1' | 'SHA256';

/** A checksum of a whole object, as its sender or its writer computed it. */
export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  /** In base64. */
  readonly value: string;
}

/** The checksum of a body, in base64. */
export function checksumOf(algorithm: ChecksumAlgorithm, body: Buffer): string {
  switch (algorithm) {
    case 'CRC32':
      return crc(body, CRC32);
    case 'CRC32C':
      return crc(body, CRC32C);
    case 'SHA1':
    case 'SHA256':
      return createHash(algorithm).update(body).digest('base64');
  }
}

/** The algorithm of that name, as headers write it; undefined for one that is not computed here. */
export function algorithmNamed(name: string): ChecksumAlgorithm | undefined {
  return ALGORITHMS.find(algorithm => algorithm === name.toUpperCase());
}

/** Of all checksums that there are here. */
export const ALGORITHMS: readonly ChecksumAlgorithm[] = ['CRC32', 'CRC32C', 'SHA1', 'SHA256'];

// Node.js has a CRC-32 of its own only from 20.15, and no CRC-32C.
const CRC32 = tableOf(0xedb88320);
const CRC32C = tableOf(0x82f63b78);

function tableOf(polynomial: number): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1;
    return value >>> 0;
  });
}

function crc(body: Buffer, table: Uint32Array): string {
  let value = 0xffffffff;
  for (const byte of body) value = (value >>> 8) ^ (table[(value ^ byte) & 0xff] ?? 0);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE((value ^ 0xffffffff) >>> 0);
  return bytes.toString('base64');
}
