import path from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, type NodejsFunctionProps } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { acknowledge, BASIC_EXECUTION, FINDING } from './acknowledge';

/** A function of this package, bundled with all it needs: what was tested is what is deployed. */
export function packageFunction(
  scope: Construct,
  id: string,
  name: 'redrive-execution' | 'start-from-queue',
  props: Pick<NodejsFunctionProps, 'description' | 'environment' | 'timeout'>,
): NodejsFunction {
  const packaged = new NodejsFunction(scope, id, {
    ...props,
    // TypeScript in the repository, JavaScript in the published package.
    entry: path.join(__dirname, '../../functions', name, `handler${path.extname(__filename)}`),
    runtime: Runtime.NODEJS_24_X,
    memorySize: 256,
    timeout: props.timeout ?? Duration.seconds(30),
    bundling: { bundleAwsSDK: true, minify: true, target: 'node20' },
  });
  acknowledge(packaged, FINDING.managedPolicy(BASIC_EXECUTION), 'it may write its own log and nothing more');
  return packaged;
}
