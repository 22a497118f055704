import { Duration } from 'aws-cdk-lib';
import { Code, type FunctionProps, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { acknowledge, BASIC_EXECUTION, FINDING } from '../cdk/acknowledge';
import { bundledFunction, type PackageFunctionName } from '../cdk/bundled-function';
import { functionLogs } from '../cdk/logs';

/**
 * A function of this package. The AWS SDK is the Lambda runtime's. The code is some thousand characters, and stands in
 * the template: so a stack needs neither an asset nor CDK's bootstrap for it.
 */
export function packageFunction(
  scope: Construct,
  id: string,
  name: PackageFunctionName,
  props: Pick<FunctionProps, 'description' | 'environment' | 'timeout'>,
): LambdaFunction {
  const packaged = new LambdaFunction(scope, id, {
    ...props,
    code: Code.fromInline(bundledFunction(name)),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
    memorySize: 256,
    timeout: props.timeout ?? Duration.seconds(30),
    logGroup: functionLogs(scope, id),
  });
  acknowledge(packaged, FINDING.managedPolicy(BASIC_EXECUTION), 'it may write its own log and nothing more');
  return packaged;
}
