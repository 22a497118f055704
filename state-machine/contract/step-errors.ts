import { ERROR } from './error-names';

/**
 * Errors of Lambda after which the function may have run, or may still be running. Its answer was lost, the service
 * failed on the way, or the function was stopped by a file system that failed under it. Those of the SDK's client side
 * are among them by all names that it has: none of them is the service's own answer.
 *
 * `AWSLambdaException` is the name of every rejection that the service's SDK has no class for, a missing permission
 * among them. `DurableExecutionAlreadyStartedException` says that the same execution was started before.
 */
export const MAY_HAVE_RUN: readonly string[] = [
  'Lambda.ServiceException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
  'Lambda.AbortedException',
  'Lambda.ApiCallAttemptTimeoutException',
  'Lambda.ApiCallTimeoutException',
  'Lambda.AmazonClientException',
  'Lambda.AmazonServiceException',
  'Lambda.Crc32MismatchException',
  'Lambda.SdkException',
  'Lambda.SdkInterruptedException',
  'Lambda.SdkServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.EFSIOException',
  'Lambda.DurableExecutionAlreadyStartedException',
];

/**
 * Rejections that pass by themselves: too much at once, or something that the function needs is being made ready. All
 * others last until the team fixes the function or its permissions.
 */
export const PASSES: readonly string[] = [
  'Lambda.TooManyRequestsException',
  'Lambda.ResourceNotReadyException',
  'Lambda.ResourceConflictException',
  'Lambda.SnapStartNotReadyException',
  'Lambda.SnapStartTimeoutException',
  'Lambda.CodeArtifactUserPendingException',
  'Lambda.EC2ThrottledException',
  'Lambda.EC2UnexpectedException',
  'Lambda.ENILimitReachedException',
  'Lambda.ENINotReadyException',
  'Lambda.SubnetIPAddressLimitReachedException',
  'Lambda.EFSMountConnectivityException',
  'Lambda.EFSMountTimeoutException',
  'Lambda.S3FilesMountConnectivityException',
  'Lambda.S3FilesMountTimeoutException',
];

/**
 * Whether a function's failure is its own answer, or a rejection before it ran. False for an interrupted one:
 * names of the service and of the language's runtime tell of one (`Lambda.Unknown`, `Sandbox.Timedout`,
 * `Runtime.ExitError`, `Function.ResponseSizeTooLarge`, `States.Timeout`).
 *
 * Every other exception of Lambda is a rejection, those that a later version of the service may have too. A missing
 * permission has no name of its own, so that the text of AWS's `cause` decides, here alone. If AWS words it another
 * way, or the cause is not known, it counts as an interrupted invocation.
 *
 * @example
 * isAnswer('PaymentDeclined') // true
 * isAnswer('Lambda.SdkClientException') // false
 */
export function isAnswer(error: string, cause = ''): boolean {
  const failure = `${error} ${cause}`;
  return !WAS_CUT_OFF.test(failure) && !MAY_HAVE_RUN_OR_RUNS.test(failure);
}

/** How Lambda names every rejection that its SDK has no class for. Only the cause, a text of AWS's, says which it is. */
export const UNNAMED = 'Lambda.AWSLambdaException';

// Both patterns are for an error's name, a space, and its cause.

/** A step that was cut off; also the workflow's own error for that. */
export const WAS_CUT_OFF = new RegExp(
  '^(?:(?:Sandbox|Runtime|Function|Extension)\\.|States\\.(?!Permissions )|Lambda\\.(?!\\S+Exception )|' +
    `${ERROR.inDoubt.replace('.', '\\.')} )`,
);

/** An exception of Lambda after which the function may have run: one of {@link MAY_HAVE_RUN}, without a permission. */
export const MAY_HAVE_RUN_OR_RUNS = new RegExp(
  `^Lambda\\.(?:${MAY_HAVE_RUN.filter(name => name !== UNNAMED)
    .map(name => name.slice('Lambda.'.length, -'Exception'.length))
    .join('|')}|AWSLambda(?![\\s\\S]*Error Code: AccessDeniedException;))Exception `,
);
