import { isIP } from 'node:net';
import type { Json } from '../../../json/json';
import type { PatternPosition, ValueTest } from './position';

const BITS = { 4: 32, 6: 128 } as const;

interface Address {
  readonly version: 4 | 6;
  readonly value: bigint;
}

/**
 * Strings that are an address of a block: `{"cidr": "10.0.0.0/24"}` or `{"cidr": "2001:db8::/32"}`.
 *
 * The address bits behind the mask do not count. As on AWS a mask leaves at least one bit free (at most /31 and
 * /127): a single address is written as an exact value.
 */
export function cidrTest(operand: Json, position: PatternPosition): ValueTest | undefined {
  // AWS reports the wrong operator name here; its users search for this text.
  if (typeof operand !== 'string') return position.problem('prefix match pattern must be a string');
  const [text, mask, ...rest] = operand.split('/');
  if (text === undefined || mask === undefined || rest.length > 0)
    return position.problem("Malformed CIDR, one '/' required");
  if (!/^[+-]?\d+$/.test(mask)) return position.problem('Malformed CIDR, mask bits must be an integer');
  const maskBits = Number(mask);
  if (maskBits < 0) return position.problem('Malformed CIDR, mask bits must not be negative');
  const address = parseAddress(text);
  if (address === undefined) return position.problem(`Nonstandard IP address: ${text}`);
  const bits = BITS[address.version];
  if (maskBits >= bits) return position.problem(`IPv${address.version} mask bits must be < ${bits}`);

  return isInBlock(address, BigInt(bits - maskBits));
}

/** A test for all spellings of one address, or undefined if `text` is not an address. */
export function sameAddress(text: string): ValueTest | undefined {
  const address = parseAddress(text);
  return address && isInBlock(address, 0n);
}

function isInBlock({ version, value }: Address, freeBits: bigint): ValueTest {
  const block = value >> freeBits;
  return candidate => {
    const other = typeof candidate === 'string' ? parseAddress(candidate) : undefined;
    return other?.version === version && other.value >> freeBits === block;
  };
}

function parseAddress(text: string): Address | undefined {
  switch (isIP(text)) {
    case 4:
      return { version: 4, value: joinGroups(text.split('.'), 10, 8n) };
    case 6:
      // Zones and the mixed form ::ffff:10.0.0.1 are addresses to Node, but not to EventBridge.
      return /[^\da-f:]/i.test(text) ? undefined : { version: 6, value: joinGroups(groupsOf(text), 16, 16n) };
    default:
      return undefined;
  }
}

/** The eight groups of an IPv6 address, with those that `::` stands for. */
function groupsOf(text: string): readonly string[] {
  const [before = [], after] = text.split('::').map(half => (half === '' ? [] : half.split(':')));
  if (after === undefined) return before;
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after];
}

function joinGroups(groups: readonly string[], radix: number, bitsPerGroup: bigint): bigint {
  return groups.reduce((value, group) => (value << bitsPerGroup) | BigInt(Number.parseInt(group, radix)), 0n);
}
