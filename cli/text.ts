import { duration } from '../state-machine/contract/time';

export { duration };

/** How much of a cause, a result or an error is quoted within a sentence, in characters. */
export const QUOTED_MAX = 160;

/** Text of others, safe for a terminal: what would move the cursor or change its colors is written as an escape. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}|[\u2028\u2029]/gu, character => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** A key in a message, as lists write it: its own quotes are not escaped, so that it can be pasted. */
export function quoted(key: string): string {
  return `"${printable(key)}"`;
}

/** The beginning of a text, printable and on one line, at most so many characters. */
export function shortened(text: string, charactersMax: number): string {
  const characters = Array.from(printable(text));
  return characters.length <= charactersMax
    ? characters.join('')
    : `${characters.slice(0, charactersMax - 1).join('')}…`;
}

/** `1 execution`, `2 executions`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** An execution's name, which is shorter than its ARN and as good within one state machine. */
export function executionNameIn(executionArn: string): string {
  const parts = executionArn.split(':');
  return parts.length > 7 ? parts.slice(7).join(':') : executionArn;
}

/**
 * A record's owner as a person of this workflow knows it: an execution's name, behind the name of its state machine
 * where that is another one, or its ARN where it is of another account or region. What is no ARN stays as it is.
 */
export function ownerNameIn(owner: string, stateMachineArn: string): string {
  if (!isOfPlace(owner, stateMachineArn)) return owner;
  const machine = owner.split(':')[6];
  const name = executionNameIn(owner);
  return machine === stateMachineArn.split(':')[6] ? name : `${machine}:${name}`;
}

/** Whether an owner is the ARN of an execution in the account and region of a state machine. */
export function isOfPlace(owner: string, stateMachineArn: string): boolean {
  const [, , service, region, account, kind, machine, name] = owner.split(':');
  const [, , , itsRegion, itsAccount] = stateMachineArn.split(':');
  const isExecution = service === 'states' && (kind === 'execution' || kind === 'express');
  return isExecution && region === itsRegion && account === itsAccount && Boolean(machine && name);
}

/** How long ago, or in how long. Both in epoch milliseconds. */
export function age(at: number, now: number): string {
  return at <= now ? `${duration(now - at)} ago` : `in ${duration(at - now)}`;
}

/** A point in time in UTC, to the second: `2026-11-20 09:00:41Z`. What is no time is left as it is. */
export function dateTime(at: string | number | Date): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  return date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');
}

/** The time of day in UTC, to the second. */
export function timeOfDay(at: string | number | Date): string {
  return dateTime(at).slice(11) || String(at);
}

/** Milliseconds of `90s`, `5m`, `1h`, `7d` or `500ms`; undefined for anything else. */
export function durationIn(text: string): number | undefined {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|min|h|d)$/.exec(text.trim()) ?? [];
  const factor = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 }[unit ?? ''];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}
