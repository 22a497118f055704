import type { LocalStack, ServiceCall, ServiceResult } from '@onceflow/local';

/** The states that call the function which redrives, also in a fragment, and in recovery. */
const REDRIVE = /(?:^|: )Redrive the owner$/;

/**
 * Answers as the function that redrives does, which has tests of its own: worlds of tests do not bundle functions.
 * Undefined for every other call.
 */
export function answerOfRedriver(stack: LocalStack, call: ServiceCall): Promise<ServiceResult> | undefined {
  if (!REDRIVE.test(call.stateName) || call.resource !== 'lambda:invoke') return undefined;
  return redriven(stack, call);
}

async function redriven(stack: LocalStack, { arguments: given }: ServiceCall): Promise<ServiceResult> {
  const { Payload } = given as unknown as {
    readonly Payload: { readonly executionArn: string; readonly clientToken: string };
  };
  try {
    await stack.runtime.redriveExecution(Payload);
    return { kind: 'succeeded', output: { ExecutedVersion: '$LATEST', Payload: {}, StatusCode: 200 } };
  } catch (error) {
    return { kind: 'failed', error: (error as Error).name, cause: '' };
  }
}
