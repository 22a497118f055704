import { createHash } from 'node:crypto';
import { CRC32C, crcOf, crcTable } from '../../crc';

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

// Node.js has a function for CRC-32 only from 20.15.
const CRC32 = crcTable(0xedb88320);

function crc(body: Buffer, table: Uint32Array): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crcOf(body, table));
  return bytes.toString('base64');
}
