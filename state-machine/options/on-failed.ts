import { describeValue } from '../words/describe-value';
import { validateNames } from '../words/validate-names';

/**
 * What a delivery does if the business step has failed before under its key.
 *
 * @example
 * onFailedBefore: OnFailed.returnStoredFailure()
 */
export class OnFailed {
  /** Runs the step again, as the next attempt. */
  static retry(): OnFailed {
    return new OnFailed(false, undefined);
  }

  /**
   * Ends with the error and cause of that failure, until the record's retention is over.
   *
   * With `errors`, only if the error has one of these names. After any other failure the step runs again, as the next
   * attempt. A name is compared as the step has thrown it: no `States.ALL`, no patterns.
   *
   * @throws Error for errors that are not 1 to 100 different names
   *
   * @example
   * onFailedBefore: OnFailed.returnStoredFailure({ errors: ['CardDeclined'] })
   */
  static returnStoredFailure(options: StoredFailureOptions = {}): OnFailed {
    validateNames('OnFailed.returnStoredFailure', options, { errors: true });
    if (options.errors !== undefined) requireNames(options.errors);
    return new OnFailed(true, options.errors);
  }

  private constructor(
    /** True where the stored failure is the answer. */
    readonly isReturned: boolean,
    /** The errors whose stored failure is; undefined: all. */
    readonly errors: readonly string[] | undefined,
  ) {}
}

/**
 * Options of {@link OnFailed.returnStoredFailure}.
 *
 * @example
 * onFailedBefore: OnFailed.returnStoredFailure({ errors: ['CardDeclined', 'CardExpired'] })
 */
export interface StoredFailureOptions {
  /**
   * The names of the errors that are an answer, as the step throws them: 1 to 100 of at most 256 characters.
   *
   * @default - all errors
   */
  readonly errors?: readonly string[];
}

const ERRORS_MAX = 100;
const ERROR_CHARACTERS_MAX = 256;
/** Names that a Catch understands as more than one error. */
const WILDCARDS = ['States.ALL', 'States.TaskFailed'];

function requireNames(errors: unknown): void {
  const isName = (name: unknown) =>
    typeof name === 'string' && name.length >= 1 && [...name].length <= ERROR_CHARACTERS_MAX;
  const isList = Array.isArray(errors) && errors.every(isName) && new Set(errors).size === errors.length;
  if (!isList || errors.length < 1 || errors.length > ERRORS_MAX) {
    throw new Error(
      `\`errors\` of \`OnFailed.returnStoredFailure\` must be 1 to ${ERRORS_MAX} different names of errors such as ` +
        `['CardDeclined'], each of at most ${ERROR_CHARACTERS_MAX} characters, got ${describeValue(errors)}`,
    );
  }
  const wildcard = WILDCARDS.find(name => errors.includes(name));
  if (wildcard === undefined) return;
  throw new Error(
    `\`errors\` of \`OnFailed.returnStoredFailure\` are compared by name, so '${wildcard}' does not stand for ` +
      'other errors. List the names, or leave `errors` out to return every stored failure',
  );
}
