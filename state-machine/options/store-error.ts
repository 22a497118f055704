import { describeValue } from '../words/describe-value';

/**
 * How much of a failed business step's error the record keeps. A step's own error may hold data that must not be kept.
 *
 * @example
 * storeError: StoreError.upTo(200)
 */
export class StoreError {
  /** Its name and its cause, as they are. */
  static all(): StoreError {
    return new StoreError(undefined);
  }

  /** Its name; the cause is empty. */
  static nameOnly(): StoreError {
    return new StoreError(0);
  }

  /**
   * Its name, and the first `characters` of its cause.
   *
   * @throws Error for a value that is not a whole number from 1 to 32,768, the longest cause there is
   */
  static upTo(characters: number): StoreError {
    if (Number.isInteger(characters) && characters >= 1 && characters <= CAUSE_CHARACTERS_MAX)
      return new StoreError(characters);
    const bounds = `a whole number of characters from 1 to ${CAUSE_CHARACTERS_MAX}`;
    throw new Error(
      `\`StoreError.upTo\` takes ${bounds}, got ${describeValue(characters)}; to keep no cause: StoreError.nameOnly()`,
    );
  }

  private constructor(
    /** How many characters of the cause are kept; undefined: all. */
    readonly causeCharacters: number | undefined,
  ) {}
}

const CAUSE_CHARACTERS_MAX = 32_768;
