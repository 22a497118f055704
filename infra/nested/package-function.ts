import { Annotations, Duration } from 'aws-cdk-lib';
import {
  CfnEventSourceMapping,
  type CfnFunction,
  Code,
  type FunctionProps,
  Function as LambdaFunction,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { atSynthesis } from '../../state-machine/template/at-synthesis';
import { functionTimeout } from '../../state-machine/template/function-timeout';
import { numberIn, renderedProperties } from '../../state-machine/template/rendered-properties';
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
  const { timeout = Duration.seconds(30) } = props;
  const packaged = new LambdaFunction(scope, id, {
    ...props,
    code: Code.fromInline(bundledFunction(name)),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
    memorySize: 256,
    timeout,
    logGroup: functionLogs(scope, id),
  });
  atSynthesis(packaged, () => {
    requireItsRuntime(packaged, timeout);
    requireItsMessages(packaged);
  });
  acknowledge(packaged, FINDING.managedPolicy(BASIC_EXECUTION), 'it may write its own log and nothing more');
  return packaged;
}

/** Rejects a runtime that an aspect has set and the code does not run in, and warns of a timeout that is too short. */
function requireItsRuntime(packaged: LambdaFunction, needed: Duration): void {
  const { Runtime: runtime } = renderedProperties(packaged.node.defaultChild as CfnFunction);
  const { path } = packaged.node;
  if (typeof runtime === 'string' && !/^nodejs[2-9]\d\.x$/.test(runtime)) {
    throw new Error(
      `${path} needs the runtime nodejs20.x or a later one, got ${runtime}: an aspect or an override has set it. Leave ` +
        'this function out there',
    );
  }
  const seconds = functionTimeout(packaged) ?? needed.toSeconds();
  if (seconds >= needed.toSeconds()) return;
  Annotations.of(packaged).addWarningV2(
    'onceflow:functionTimeout',
    `the function needs up to ${needed.toHumanString()}, but an aspect or an override has set its timeout to ` +
      `${seconds} seconds. Leave this function out there`,
  );
}

/**
 * Rejects a mapping that an aspect has changed so that messages are lost: the function answers which messages of a
 * batch stay in the queue, and Lambda deletes those that a filter leaves out.
 */
function requireItsMessages({ node }: LambdaFunction): void {
  for (const mapping of node.findAll().filter(one => one instanceof CfnEventSourceMapping)) {
    const { FunctionResponseTypes, FilterCriteria, BatchSize = BATCH_MAX } = renderedProperties(mapping);
    const isByMessage = JSON.stringify(FunctionResponseTypes) === '["ReportBatchItemFailures"]';
    // A size that only the deployment knows is the app's own.
    const isSmall = (numberIn(BatchSize) ?? 0) <= BATCH_MAX;
    if (isByMessage && FilterCriteria === undefined && isSmall) continue;
    throw new Error(
      `${mapping.node.path} needs \`FunctionResponseTypes\` with ReportBatchItemFailures, no \`FilterCriteria\` and a ` +
        `\`BatchSize\` of at most ${BATCH_MAX}; otherwise messages are lost, or received too often. An aspect or an ` +
        'override has changed it. Leave this mapping out there',
    );
  }
}

/** Messages that the function of a queue has time for. */
const BATCH_MAX = 10;
