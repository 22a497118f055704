import { Reference, Tokenization } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** The constructs that a value refers to. */
export function constructsIn(value: unknown): IConstruct[] {
  // A reference refers to all of the app.
  if (Tokenization.isResolvable(value)) return Reference.isReference(value) ? [value.target] : [];
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(constructsIn);
  if (typeof value !== 'string') return [];
  return Tokenization.reverseString(value)
    .tokens.filter(Reference.isReference)
    .map(({ target }) => target);
}
