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
 * names of the service and of the language's runtime tell of one. `state-machine/expressions/in-doubt.ts` decides the
 * same in the workflow.
 */
export function isAnswer(error: string): boolean {
  return NOT_RUN.includes(error) || !/^(?:Lambda|Sandbox|Runtime|Function|Extension|States)\./.test(error);
}
