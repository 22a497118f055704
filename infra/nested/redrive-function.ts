import { Duration, Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { packageFunction } from './package-function';

/** The function that redrives the dead owners of one workflow. */
export function redriveFunction(scope: Construct, id = 'RedriveFunction'): IFunction {
  return packageFunction(scope, id, 'redrive-execution', {
    description: 'Redrives an execution that ended unfinished',
    timeout: TIMEOUT,
  });
}

/**
 * The function that redrives for all fragments of a stack: they are defined before anybody knows which of them stand in
 * one state machine.
 */
export function sharedRedriveFunction(scope: Construct): IFunction {
  const stack = Stack.of(scope);
  const known = stack.node.tryFindChild(SHARED_ID) as unknown as IFunction | undefined;
  return known ?? redriveFunction(stack, SHARED_ID);
}

const SHARED_ID = 'OnceflowRedriveFunction';

/**
 * A cold start, of up to ten seconds, comes on top. So a redrive may come 20 seconds after its sender has been stopped.
 * The owner that it brings back is the dead one that the sender saw: whoever redrives it meanwhile has the same token,
 * and `onceflow release`, which frees a key beside a dead owner, waits for so long before it looks at the owner again.
 */
const TIMEOUT = Duration.seconds(10);
