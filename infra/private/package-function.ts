import { existsSync } from 'node:fs';
import path from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { Code, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, type NodejsFunctionProps } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { acknowledge, BASIC_EXECUTION, FINDING } from './acknowledge';
import { functionLogs } from './logs';

/**
 * A function of this package. The published package has it bundled, so that whoever synthesizes needs no bundler; a
 * clone bundles its source. The AWS SDK is the Lambda runtime's in both.
 */
export function packageFunction(
  scope: Construct,
  id: string,
  name: 'redrive-execution' | 'settle-message' | 'start-from-queue',
  props: Pick<NodejsFunctionProps, 'description' | 'environment' | 'timeout'>,
): NodejsFunction {
  // `packages/build.ts` makes one file of this code, and puts the functions beside it.
  const bundled = path.join(__dirname, 'functions', name);
  const packaged = new NodejsFunction(scope, id, {
    ...props,
    ...(existsSync(bundled)
      ? { code: Code.fromAsset(bundled), handler: 'index.handler' }
      : { entry: path.join(__dirname, '../../functions', name, 'handler.ts') }),
    runtime: Runtime.NODEJS_24_X,
    memorySize: 256,
    timeout: props.timeout ?? Duration.seconds(30),
    logGroup: functionLogs(scope, id),
    bundling: { minify: true, target: 'node20' },
  });
  acknowledge(packaged, FINDING.managedPolicy(BASIC_EXECUTION), 'it may write its own log and nothing more');
  return packaged;
}
