import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { packageFunction } from './package-function';

/** The function that redrives an owner, for where the direct integration is not to be had. */
export function redriveFunction(scope: Construct): IFunction {
  return packageFunction(scope, 'RedriveFunction', 'redrive-execution', {
    description: 'Redrives an execution that died before it had finished',
  });
}
