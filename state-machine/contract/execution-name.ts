import { sha256 } from './sha256';

/** Step Functions' longest execution name. */
export const NAME_LENGTH_MAX = 80;
/** 128 bits of the key's SHA-256: two keys of one workflow will not share them. */
export const HASH_LENGTH = 32;
/** What tells a key's further executions from its first: hexadecimal digits. */
export const SUFFIX_LENGTH = 16;

/**
 * The reasons why a key's text is not a name: other characters, and the marks of the names of redeliveries and
 * recoveries, which are recognized by these marks. A regular expression that JSONata knows as well.
 */
export const NOT_A_NAME = '[^0-9A-Za-z_-]|-re(delivery|covery)-[0-9]';

/**
 * Whether the names of executions show what is readable of a key, or only a hash of it.
 *
 * @example
 * executionNames: 'hash'
 */
export type ExecutionNames = 'readable' | 'hash';

/**
 * The execution name of a key: the key's text where that can be a name, else what is readable of it and a hash of all.
 *
 * | key | name |
 * |---|---|
 * | `order-7` | `order-7` |
 * | `["shop-1",4711]` | `shop-1-4711-` and 32 hexadecimal digits |
 * | `äöü` | 32 hexadecimal digits |
 * | `order-recovery-9` | `order-recovery-9-` and 32 hexadecimal digits |
 *
 * With `'hash'` each of them has the 32 hexadecimal digits alone.
 *
 * Always within `[0-9A-Za-z_-]{1,80}`; a name with a hash neither begins with a dash nor has one before its hash but
 * the one between. Two keys can still share a name (a key may look like what is readable of another and its hash), so
 * a taken name never decides anything: the record does.
 *
 * @example
 * executionName('order-7') // 'order-7'
 */
export function executionName(keyText: string, names: ExecutionNames = 'readable'): string {
  const hash = sha256(keyText).slice(0, HASH_LENGTH);
  if (names === 'hash') return hash;
  if (keyText.length <= NAME_LENGTH_MAX && !new RegExp(NOT_A_NAME).test(keyText)) return keyText;
  const words = keyText.replace(/[^0-9A-Za-z_-]+/g, '-').replace(/^-+/, '');
  const readable = words.slice(0, NAME_LENGTH_MAX - HASH_LENGTH - 1).replace(/-+$/, '');
  return readable === '' ? hash : `${readable}-${hash}`;
}

/**
 * Another name for the same key, for when its name is taken: as much of it as there is room for, and the suffix.
 *
 * Within `[0-9A-Za-z_-]{1,80}` for a name and a suffix that are. The name stays readable in front; the suffix alone
 * has to tell executions apart.
 *
 * @throws RangeError for a suffix that leaves no room for the name, or has characters of its own
 */
export function retryName(name: string, suffix: string): string {
  if (!/^[0-9A-Za-z_-]{1,64}$/.test(suffix)) {
    throw new RangeError('a suffix has 1 to 64 letters, digits, `_` and `-`');
  }
  return `${name.slice(0, NAME_LENGTH_MAX - suffix.length - 1)}-${suffix}`;
}

/** How the name of an execution that recovery has started ends: how often its event was delivered again, and a hash. */
export const RECOVERY_SUFFIX = `-recovery-[0-9]+-[0-9a-f]{${SUFFIX_LENGTH}}`;

/** The longest such ending, in characters. */
export const RECOVERY_SUFFIX_LENGTH = '-recovery-99-'.length + SUFFIX_LENGTH;

/** How the name of an execution ends that was started for a failed one: how often its event was delivered again. */
export const REDELIVERY_SUFFIX = `-redelivery-[0-9]+-[0-9a-f]{${SUFFIX_LENGTH}}`;

/** So much of a name is before such an ending: room for it, and for that of a recovery of it. */
export const REDELIVERY_FRONT_MAX = NAME_LENGTH_MAX - RECOVERY_SUFFIX_LENGTH - '-redelivery-999'.length;

/**
 * What may be behind the key's own name: delivered again as it had failed, or had been interrupted, or as its name was
 * taken.
 */
export const SUFFIX = `(?:-redelivery-[0-9]+)?(?:-recovery-[0-9]+)?-[0-9a-f]{${SUFFIX_LENGTH}}`;

/** Whether a name may be the key's own, `name`, or one under which the key was started again. */
export function isNameOf(name: string, candidate: string): boolean {
  if (candidate === name) return true;
  const suffix = new RegExp(`${SUFFIX}$`).exec(candidate)?.[0];
  if (suffix === undefined) return false;
  const room = roomBefore(suffix);
  const front = candidate.slice(0, -suffix.length);
  return front === name.slice(0, front.length) && front.length >= Math.min(name.length, room);
}

function roomBefore(suffix: string): number {
  if (suffix.startsWith('-redelivery-')) return REDELIVERY_FRONT_MAX;
  return NAME_LENGTH_MAX - (suffix.startsWith('-recovery-') ? RECOVERY_SUFFIX_LENGTH : suffix.length);
}
