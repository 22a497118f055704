import type { Json } from '../../json/json';
import { fieldsOf, missingIn, noDocumentIn, noTextIn } from '../rejections';
import type { LambdaServiceError } from './outcome';

/** The arguments of `lambda:invoke` that have an effect here. */
export interface InvokeArguments {
  /** With the qualifier, if one was given apart. */
  readonly functionName: string;
  readonly payload: Json;
  readonly invocationType: InvocationType;
  /** Whether the end of the log is part of the answer. */
  readonly tailsLog: boolean;
}

/** `Event` does not wait for the answer; `DryRun` asks whether the call were possible. */
export type InvocationType = (typeof INVOCATION_TYPES)[number];

/** The invocation types, in the order in which Lambda's message lists them. */
export const INVOCATION_TYPES = ['Event', 'RequestResponse', 'DryRun'] as const;

/** What reading the arguments comes to: `invalid` is Lambda's rejection. */
export type ReadArguments =
  | { readonly kind: 'arguments'; readonly arguments: InvokeArguments }
  | { readonly kind: 'invalid'; readonly error: LambdaServiceError; readonly message: string };

const TEXTS = ['FunctionName', 'Qualifier', 'InvocationType'];

/**
 * Why the arguments make no call. A payload that is an object or a list is sent as JSON, and a text as it is; a number
 * or a boolean is neither (https://stackoverflow.com/questions/76373088).
 */
export function rejectionOf(value: Json): string | undefined {
  const given = fieldsOf(value);
  return missingIn(given, ['FunctionName']) ?? noTextIn(given, TEXTS) ?? noDocumentIn(given, ['Payload']);
}

/** Reads evaluated arguments that make a call. Members that the call does not need are dropped, as recorded on AWS. */
export function readArguments(value: Json): ReadArguments {
  const given = fieldsOf(value);
  const wanted = given['InvocationType'] ?? 'RequestResponse';
  const invocationType = INVOCATION_TYPES.find(type => type === wanted);
  if (!invocationType) {
    const message = enumViolation(String(wanted), 'invocationType', INVOCATION_TYPES);
    return { kind: 'invalid', error: 'ValidationException', message };
  }
  const functionName = [given['FunctionName'], given['Qualifier'] ?? '']
    .filter(text => text !== '')
    .join(':');
  // Lambda hands an empty object to a function that is invoked without a payload.
  return {
    kind: 'arguments',
    arguments: {
      functionName,
      payload: given['Payload'] ?? {},
      invocationType,
      tailsLog: given['LogType'] === 'Tail',
    },
  };
}

/** Lambda's message for a member whose value is none of those that it can have. */
export function enumViolation(given: string, member: string, values: readonly string[]): string {
  const constraint = `Member must satisfy enum value set: [${values.join(', ')}]`;
  const problem = `Value '${given}' at '${member}' failed to satisfy constraint: ${constraint}`;
  return `1 validation error detected: ${problem}`;
}
