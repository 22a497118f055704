/** The table of a reflected CRC-32, for {@link crcOf}. */
export function crcTable(polynomial: number): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1;
    return value >>> 0;
  });
}

/** The table of CRC-32C, which LevelDB and S3 use. Node.js has no function for it. */
export const CRC32C = crcTable(0x82f63b78);

/** The CRC of bytes, as a number from 0. */
export function crcOf(bytes: Uint8Array, table: Uint32Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ (table[(value ^ byte) & 0xff] ?? 0);
  return (value ^ 0xffffffff) >>> 0;
}
