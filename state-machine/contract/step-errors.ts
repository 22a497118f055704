import { literals, not, or } from './jsonata';

/**
 * What services call a refusal before anything ran, or a failure to reach the step at all. Every other error of theirs
 * leaves open what the step did.
 */
export const NOT_RUN: readonly string[] = [
  'Lambda.TooManyRequestsException',
  'Lambda.ResourceNotReadyException',
  'Lambda.EC2ThrottledException',
  'Lambda.ResourceNotFoundException',
  'Lambda.AccessDeniedException',
  'Lambda.InvalidParameterValueException',
  'Lambda.RequestTooLargeException',
  'States.Permissions',
];

/**
 * Whether a function's failure is its own answer, or a refusal before it ran. False for an invocation that was cut off:
 * names of the service and of the language's runtime tell of one (`Lambda.Unknown`, `Sandbox.Timedout`,
 * `Runtime.ExitError`, `Function.ResponseSizeTooLarge`, `States.Timeout`).
 */
export function isAnswer(error: string): boolean {
  return NOT_RUN.includes(error) || !CUT_OFF.test(error);
}

/** The same in JSONata; `error` is JSONata of the error's name. */
export function isAnswerIn(error: string): string {
  return or(`${error} in ${literals(NOT_RUN)}`, not(`$contains(${error}, /${CUT_OFF.source}/)`));
}

const CUT_OFF = /^(Lambda|Sandbox|Runtime|Function|Extension|States)\./;
