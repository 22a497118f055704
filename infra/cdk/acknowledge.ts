import { Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Findings of cdk-nag's AwsSolutions rules that are meant to be, by rule. A wildcard is named with its resource. */
export const FINDING = {
  managedPolicy: (policy: string) => `IAM4[Policy::${policy}]`,
  action: (action: string) => `IAM5[Action::${action}]`,
  wildcard: (resource: string) => `IAM5[Resource::${resource}]`,
  noDeadLetterQueue: 'SQS3',
  notAllLogged: 'SF1',
  notTraced: 'SF2',
  noAccessLog: 'APIG1',
  notValidated: 'APIG2',
  noStageLog: 'APIG6',
} as const;

/** Says why a finding about a construct, or one within it, is meant to be. Costs nothing where cdk-nag is not used. */
export function acknowledge(construct: IConstruct, finding: string, reason: string): void {
  Validations.of(construct).acknowledge({ id: `AwsSolutions::AwsSolutions-${finding}`, reason });
}

/** Says of the functions that a state machine calls why its role names all their versions. */
export function acknowledgeCalls(stateMachine: IConstruct, called: readonly (object | undefined)[]): void {
  for (const one of called) {
    if (!one || !('functionArn' in one)) continue;
    const versions = FINDING.wildcard(`${written(stateMachine, String(one.functionArn))}:*`);
    acknowledge(stateMachine, versions, 'the versions of one function that the state machine calls');
  }
}

/** Says of a workflow's state machine why its log and its traces are as its options say. */
export function acknowledgeLogging(
  stateMachine: IConstruct,
  { type, metrics }: { readonly type?: 'STANDARD' | 'EXPRESS'; readonly metrics?: boolean },
): void {
  const isExpress = type === 'EXPRESS';
  const kept = isExpress
    ? 'errors are logged; if that is not enough, set logs'
    : 'Step Functions keeps the history of each execution for 90 days; if that is not enough, set logs';
  if (!metrics) acknowledge(stateMachine, FINDING.notAllLogged, kept);
  if (isExpress || metrics) {
    acknowledge(stateMachine, FINDING.wildcard('*'), 'the log delivery operations know no resource');
  }
  acknowledge(stateMachine, FINDING.notTraced, 'the history of an execution contains each of its steps');
}

/** The managed policy that lets a Lambda function write its log. */
export const BASIC_EXECUTION =
  'arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole';

/** A resource as cdk-nag writes it: references in angle brackets, `<Queue.Arn>`. */
export function written(construct: IConstruct, resource: string): string {
  return flat(Stack.of(construct).resolve(resource));
}

function flat(node: unknown): string {
  if (typeof node !== 'object' || node === null) return String(node);
  const [[intrinsic, value] = ['', undefined]] = Object.entries(node);
  if (intrinsic === 'Ref') return `<${flat(value)}>`;
  if (intrinsic === 'Fn::GetAtt') return `<${(value as unknown[]).map(flat).join('.')}>`;
  if (intrinsic !== 'Fn::Join') return JSON.stringify(node);
  const [delimiter, items] = value as [string, unknown[]];
  return items.map(flat).join(delimiter);
}
