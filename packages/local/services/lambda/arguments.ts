import { isJsonObject, type Json } from '../../json/json';
import type { LambdaServiceError } from './outcome';

/** The arguments of `lambda:invoke` that have an effect here. */
export interface InvokeArguments {
  /** With the qualifier, where one was given apart. */
  readonly functionName: string;
  readonly payload: Json;
  readonly invocationType: InvocationType;
  /** Whether the end of the log is part of the answer. */
  readonly tailsLog: boolean;
}

/** `Event` does not wait for the answer; `DryRun` asks whether the call were possible. */
export type InvocationType = (typeof INVOCATION_TYPES)[number];

const INVOCATION_TYPES = ['Event', 'RequestResponse', 'DryRun'] as const;

/**
 * What reading the arguments comes to: `malformed` fails before the call is made, `invalid` is Lambda's
 * refusal.
 */
export type ReadArguments =
  | { readonly kind: 'arguments'; readonly arguments: InvokeArguments }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'invalid'; readonly error: LambdaServiceError; readonly message: string };

/** Reads the evaluated arguments. Members that the call does not need are dropped, as recorded on AWS. */
export function readArguments(value: Json): ReadArguments {
  const given = isJsonObject(value) ? value : {};
  if (given['FunctionName'] === undefined) {
    return { kind: 'malformed', reason: `The field 'FunctionName' is required but was missing` };
  }
  const texts = { FunctionName: given['FunctionName'], Qualifier: given['Qualifier'] ?? '' };
  const types = { InvocationType: given['InvocationType'] ?? 'RequestResponse' };
  for (const [name, text] of Object.entries({ ...texts, ...types })) {
    if (typeof text !== 'string') {
      return { kind: 'malformed', reason: `The value for the field '${name}' must be a STRING` };
    }
  }
  const invocationType = INVOCATION_TYPES.find(type => type === types.InvocationType);
  if (!invocationType) return invalidType(String(types.InvocationType));
  const functionName = [texts.FunctionName, texts.Qualifier].filter(text => text !== '').join(':');
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

function invalidType(type: string): ReadArguments {
  const constraint = `Member must satisfy enum value set: [${INVOCATION_TYPES.join(', ')}]`;
  const problem = `Value '${type}' at 'invocationType' failed to satisfy constraint: ${constraint}`;
  return {
    kind: 'invalid',
    error: 'ValidationException',
    message: `1 validation error detected: ${problem}`,
  };
}
