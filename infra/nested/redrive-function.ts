import { Duration, Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { REDRIVE_REQUEST_MS } from '../../state-machine/contract/redrive-request';
import { packageFunction } from './package-function';

/** The function that redrives the ended owners of one workflow. */
export function redriveFunction(scope: Construct, id = 'RedriveFunction'): IFunction {
  return packageFunction(scope, id, 'redrive-execution', {
    description: 'Redrives an execution that ended unfinished',
    timeout: TIMEOUT,
  });
}

/**
 * The function that redrives for all fragments of a stack: they are defined before it is known which of them are in one
 * state machine.
 */
export function sharedRedriveFunction(scope: Construct): IFunction {
  const stack = Stack.of(scope);
  const known = stack.node.tryFindChild(SHARED_ID) as unknown as IFunction | undefined;
  return known ?? redriveFunction(stack, SHARED_ID);
}

const SHARED_ID = 'OnceflowRedriveFunction';

/**
 * A cold start takes up to ten seconds more. So a redrive can come 20 seconds after its sender has been stopped. It
 * redrives the owner that the sender saw: another sender that redrives this owner meanwhile has the same token.
 * `onceflow release`, which frees the key of an ended owner, waits for 20 seconds before it checks the owner again.
 */
const TIMEOUT = Duration.millis(REDRIVE_REQUEST_MS);
