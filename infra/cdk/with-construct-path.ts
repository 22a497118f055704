import type { IConstruct } from 'constructs';

/**
 * Does a part of what defines a construct. An Error that rejects it says which construct that is, by its path in the
 * app: an app may have many of a kind, and a synthesis that fails shows little else than the text.
 */
export function withConstructPath<Result>({ node: { path } }: IConstruct, define: () => Result): Result {
  try {
    return define();
  } catch (error) {
    throw error instanceof Error ? new Error(`${path}: ${error.message}`) : error;
  }
}
