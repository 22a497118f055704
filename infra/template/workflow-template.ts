import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  App,
  BootstraplessSynthesizer,
  type CfnElement,
  CfnOutput,
  CfnParameter,
  Duration,
  Stack,
} from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { LAMBDA_TIMEOUT_MAX } from '../../state-machine/workflow/states/business-step';
import { type ArnKind, arnPattern } from '../cdk/arns';
import { RETENTION_DEFAULT } from '../cdk/defaults';
import { IdempotentWorkflow } from '../idempotent-workflow';
import type { IdempotentWorkflowProps } from '../idempotent-workflow-props';
import { Monitoring } from '../monitoring/monitoring';
import { type ExportedDefinition, exportedDefinition } from './exported-definition';
import { arnOf, membersOf, type Plain, type PlainObject, textOf, withDurations } from './plain';
import { propsOf } from './plain-props';
import { startFromPlain } from './plain-sources';

/**
 * A workflow as a CloudFormation template: what CDK would deploy, without CDK.
 *
 * @example
 * const { template, bytesMax, warnings } = workflowTemplate(props);
 */
export interface WorkflowTemplate {
  /** The template, for any tool that takes one: no assets, no metadata. */
  readonly template: PlainObject;
  /** The bytes that CloudFormation accepts in a request; a larger template, up to 1 MB, must be in a bucket. */
  readonly bytesMax: number;
  /** The definition of the workflow's state machine alone, for a template of your own or Workflow Studio. */
  readonly asl: ExportedDefinition;
  /** What the constructs warn of. */
  readonly warnings: readonly string[];
}

/**
 * The template of an {@link IdempotentWorkflow} with these props, as a file says them: `sources` are what it starts
 * from, and the ARN of its business step is the parameter `StepFunctionArn`, with `step` as its default. The construct
 * itself is synthesized, so that a template and an app deploy the same.
 *
 * @throws Error for props that the construct rejects
 *
 * @example
 * workflowTemplate({
 *   idempotencyKey: '{% $states.input.detail.orderId %}',
 *   retention: 'P30D',
 *   sources: [{ eventBridge: { eventPattern: { source: ['shop.orders'] } } }],
 * }).template;
 */
export function workflowTemplate(given: Plain): WorkflowTemplate {
  const outdir = mkdtempSync(path.join(tmpdir(), 'onceflow-template-'));
  try {
    const app = new App({
      outdir,
      analyticsReporting: false,
      // It takes many times as long as the rest, and CloudFormation says the same.
      builtinCloudFormationValidation: false,
      context: CONTEXT,
    });
    const stack = new TemplateStack(app, 'Template', { synthesizer: new BootstraplessSynthesizer() });
    defineWorkflow(stack, membersOf(given, 'props'));
    const { template, messages } = app.synth().getStackByName(stack.stackName);
    const warnings = messages.filter(({ level }) => level === 'warning' || level === 'error');
    const asl = exportedDefinition(template, 'StateMachine');
    return {
      template,
      bytesMax: BODY_BYTES_MAX,
      asl,
      warnings: warnings.map(({ entry }) => String(entry.data)),
    };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

/** Quota "Template body size in a request" of CloudFormation. */
const BODY_BYTES_MAX = 51_200;

function defineWorkflow(stack: Stack, given: PlainObject): void {
  const { step, sources = [], monitoring, permissionsBoundary, ...plain } = given;
  const props = propsOf({ ...(monitoring !== undefined && { metrics: true }), ...plain }, stack);
  const stepFunction = new CfnParameter(stack, 'StepFunctionArn', {
    description: 'The Lambda function that runs once per key, by ARN',
    allowedPattern: arnPattern('function'),
    ...(step !== undefined && { default: functionArnOf(step) }),
  });
  const workflow = new IdempotentWorkflow(stack, WORKFLOW, {
    scope: WORKFLOW,
    // Which function it is, each deployment says: no function runs for longer.
    stepTimeout: LAMBDA_TIMEOUT_MAX,
    ...props,
    retention: retentionOf(props, stack),
    step: LambdaFunction.fromFunctionAttributes(stack, 'Step', {
      functionArn: stepFunction.valueAsString,
      sameEnvironment: true,
    }),
  } as IdempotentWorkflowProps);
  startFromPlain(workflow, sources, stack);
  if (monitoring !== undefined) monitor(workflow, monitoring, stack);
  if (permissionsBoundary !== undefined) boundRoles(stack, permissionsBoundary);
  new CfnOutput(stack, 'StateMachineArn', { value: workflow.stateMachine.stateMachineArn });
  new CfnOutput(stack, 'RecordTableName', { value: workflow.table.tableName });
}

/** The alarms, and a parameter with the topic that they notify if the file says one. */
function monitor(workflow: IdempotentWorkflow, given: Plain, stack: Stack): void {
  const { topic, ...options } = membersOf(given, 'monitoring');
  const parameter =
    topic === undefined ? undefined : arnParameter(stack, 'AlarmTopicArn', topic, ALARM_TOPIC);
  new Monitoring(stack, 'Monitoring', {
    ...(withDurations(options) as object),
    workflow,
    ...(parameter && { actions: [new SnsAction(Topic.fromTopicArn(stack, 'AlarmTopic', parameter))] }),
  });
}

/** Gives every role the permissions boundary of a parameter. */
function boundRoles(stack: Stack, given: Plain): void {
  const parameter = arnParameter(stack, 'PermissionsBoundaryArn', given, BOUNDARY);
  const boundary = ManagedPolicy.fromManagedPolicyArn(stack, 'PermissionsBoundary', parameter);
  PermissionsBoundary.of(stack).apply(boundary);
}

/** What a parameter is the ARN of. */
interface ArnOf {
  readonly option: string;
  readonly kind: ArnKind;
  readonly description: string;
}

const ALARM_TOPIC: ArnOf = {
  option: 'monitoring.topic',
  kind: 'topic',
  description: 'The SNS topic that alarms notify, by ARN',
};
const BOUNDARY: ArnOf = {
  option: 'permissionsBoundary',
  kind: 'policy',
  description: 'The permissions boundary of every role, a managed policy by ARN',
};

/** A parameter for an ARN, whose default the file says. @throws Error for another text */
function arnParameter(stack: Stack, id: string, given: Plain, { option, kind, description }: ArnOf): string {
  const parameter = { description, allowedPattern: arnPattern(kind), default: arnOf(given, option, kind) };
  return new CfnParameter(stack, id, parameter).valueAsString;
}

function functionArnOf(step: Plain): string {
  const arn = textOf(step, 'step', 'the ARN of a Lambda function');
  if (arn.startsWith('arn:')) return arnOf(arn, 'step', 'function');
  throw new Error(
    `\`step\` must be the ARN of a deployed Lambda function, got ${JSON.stringify(arn)}. To run a file locally, leave ` +
      '`step` out, and pass the file with `onceflow dev --template FILE --step FILE`',
  );
}

/**
 * The retention as a parameter, which can only be as short as the constructs need not check; a shorter one stays as it
 * is.
 */
function retentionOf(
  { retention = RETENTION_DEFAULT, recovery, stepTimeout }: Props,
  stack: Stack,
): Duration {
  const { searchEvery, redeliverFailed } = recovery ?? {};
  const times = [searchEvery, redeliverFailed?.maxDelay, stepTimeout].map(one => one?.toSeconds() ?? 0);
  // A record has to outlast two searches of recovery, a wait of a failed event, and the step of an ended execution.
  const shortest = 2 * Math.max(HOUR, ...times);
  if (retention.toSeconds() < shortest) return retention;
  const parameter = new CfnParameter(stack, 'RetentionSeconds', {
    type: 'Number',
    description: 'How long a finished record answers duplicates',
    default: retention.toSeconds(),
    minValue: shortest,
  });
  return Duration.seconds(parameter.valueAsNumber);
}

type Props = Partial<IdempotentWorkflowProps>;

/** The time between two searches of recovery, if the file does not say another. */
const HOUR = 60 * 60;

/** The id of the construct, and the scope of its records where the file does not say one. */
const WORKFLOW = 'Workflow';

/** As in an app of today; the other flags are about resources that such a template does not have. */
const CONTEXT = {
  '@aws-cdk/aws-apigateway:disableCloudWatchRole': true,
  '@aws-cdk/aws-events:eventsTargetQueueSameAccount': true,
  '@aws-cdk/aws-iam:minimizePolicies': true,
};

/** Logical ids are for people here: the names of the constructs, without CDK's hash, which tells equal ones apart. */
class TemplateStack extends Stack {
  protected override allocateLogicalId(element: CfnElement): string {
    const [, ...ids] = element.node.path.split('/');
    const named = ids.filter(id => id !== WORKFLOW && id !== 'Resource' && id !== 'Default');
    return named.join('').replace(/[^A-Za-z0-9]/g, '') || WORKFLOW;
  }
}
