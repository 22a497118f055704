import { canonical, type Item } from '../../../packages/local/services/dynamodb/table/attribute-value';

/** The status that a record says. */
export function statusOf(record: Item | undefined): unknown {
  return record?.['status']?.['S'];
}

/** The attempt that a record says; 0 if there is none. */
export function attemptOf(record: Item | undefined): number {
  return Number(record?.['attempt']?.['N'] ?? 0);
}

/** The text in an attribute of a record; empty if there is none. */
export function textOf(record: Item | undefined, name: string): string {
  const text = record?.[name]?.['S'];
  return typeof text === 'string' ? text : '';
}

/** Whether a record counts at this time, epoch milliseconds: it is there, and has not expired. */
export function counts(record: Item | undefined, now: number): record is Item {
  if (!record) return false;
  const expiry = record['expiry']?.['N'];
  return expiry === undefined || Number(expiry) > Math.floor(now / 1000);
}

/** What a record holds if its owner's output is the result. Written anew: the contract is what is checked. */
export const RESULT_ELSEWHERE = 'ELSEWHERE';

/** The result that a record holds, as text; empty if its owner's output is the result. */
export function resultText(record: Item): string {
  const text = record['result']?.['S'];
  return typeof text === 'string' && text !== RESULT_ELSEWHERE ? text : '';
}

/** Whether two records are the same one. */
export function isSame(a: Item, b: Item | undefined): boolean {
  return a === b || (b !== undefined && canonical({ M: a }) === canonical({ M: b }));
}

/** A record in a few words. */
export function recordText(record: Item | undefined): string {
  if (!record) return 'absent';
  const [, , , , , , , owner = '?'] = String(record['owner']?.['S']).split(':');
  const result = record['result']?.['S'];
  const stored = result === undefined ? '' : `, result ${result}`;
  return `${statusOf(record)} of ${owner}, attempt ${attemptOf(record)}${stored}`;
}

/** The name of the error that a record holds; undefined if it holds none. */
export function storedErrorOf(record: Item | undefined): string | undefined {
  const text = record?.['error']?.['S'];
  return typeof text === 'string' ? (JSON.parse(text) as { readonly Error: string }).Error : undefined;
}

/** The error that a record is held for whose owner has been redriven as often as it may be. */
export const EXHAUSTED = 'Idempotency.RedrivesExhausted';
