import { Duration, Token } from 'aws-cdk-lib';
import { describeValue } from '../../state-machine/words/describe-value';

/** The values that an option accepts: the test of a value, and the words for such a value in a message. */
export type Kind = readonly [isOfKind: (value: unknown) => boolean, words: string];

/** True for an object with names, such as `{ CardDeclined: 402 }`: not for null, a list or a function. */
export function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for such an object whose members all pass the test. */
export function isRecordOf(value: unknown, isMember: (member: unknown) => boolean): boolean {
  return isRecord(value) && Object.values(value as object).every(one => isMember(one));
}

/** True for a list whose elements all pass the test. A text that CDK resolves only at deployment passes. */
export function isListOf(value: unknown, isElement: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(one => Token.isUnresolved(one) || isElement(one));
}

/** True for such a list that is not empty. */
export function isFilledListOf(value: unknown, isElement: (element: unknown) => boolean): boolean {
  return isListOf(value, isElement) && (value as readonly unknown[]).length > 0;
}

/** A text that is not empty. */
export const TEXT: Kind = [value => typeof value === 'string' && value !== '', 'a text that is not empty'];
/** A list of such texts. */
export const TEXTS: Kind = [value => isListOf(value, TEXT[0]), 'a list of texts that are not empty'];
/** True or false. */
export const FLAG: Kind = [value => typeof value === 'boolean', 'true or false'];

/** A whole number within bounds. */
export function countOf(least: number, most: number): Kind {
  const isOfKind = (value: unknown) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  return [isOfKind, `a whole number from ${least} to ${most}`];
}

/** Rejects a value of another kind, as from JavaScript. @throws Error with the remedy */
export function requireKind(option: string, value: unknown, [isOfKind, words]: Kind): void {
  if (Token.isUnresolved(value) || isOfKind(value)) return;
  throw new Error(`\`${option}\` must be ${words}, got ${describeValue(value)}`);
}

/**
 * Rejects a value that only the deployment knows, such as that of a `CfnParameter`.
 *
 * @throws Error that says it must be known at synthesis
 */
export function requireKnown(option: string, value: unknown): void {
  const isKnown = value instanceof Duration ? !value.isUnresolved() : !Token.isUnresolved(value);
  if (isKnown) return;
  throw new Error(`\`${option}\` must be known at synthesis, got a token`);
}

/**
 * Rejects options of another kind. `of` stands before their names in the message, such as `cors.`; an option that is
 * left out is accepted.
 *
 * @throws Error with the remedy
 */
export function validateKinds<Options extends object>(
  options: Options,
  kinds: { readonly [Name in keyof Options]?: Kind },
  of = '',
): void {
  for (const [name, kind] of Object.entries<Kind>(kinds as Record<string, Kind>)) {
    const value: unknown = options[name as keyof Options];
    if (value !== undefined) requireKind(`${of}${name}`, value, kind);
  }
}
