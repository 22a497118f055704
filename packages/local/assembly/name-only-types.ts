import { deterministicUuid } from './names';
import { NESTED_STACK_TYPE } from './nested-stacks';
import { arnOf, NESTED_STACK } from './stack';
import type { Identity, ResourceType, ResourceTypes } from './types';

/**
 * Types that nothing plays locally, but that others refer to: each yields the names and ARNs AWS would give.
 * Permissions and logs are `inert`, the rest is listed as not run.
 */
export const NAME_ONLY_TYPES: ResourceTypes = new Map<string, ResourceType>([
  ['AWS::IAM::Role', { ...named('RoleName', iam('role')), nameLimit: 64, inert: true }],
  ['AWS::IAM::User', { ...named('UserName', iam('user')), nameLimit: 64, inert: true }],
  ['AWS::IAM::Policy', { attributes: {}, inert: true }],
  ['AWS::IAM::ManagedPolicy', { ref: iam('policy'), attributes: { PolicyArn: iam('policy') }, inert: true }],
  ['AWS::CDK::Metadata', { attributes: {}, inert: true }],
  // The ARN of a log group ends in `:*`, as CloudFormation returns it.
  ['AWS::Logs::LogGroup', { ...named('LogGroupName', logGroupArn), inert: true }],
  ['AWS::Logs::MetricFilter', { attributes: {}, inert: true }],
  ['AWS::Logs::ResourcePolicy', { attributes: {}, inert: true }],
  ['AWS::KMS::Key', kmsKey()],
  ['AWS::KMS::Alias', { nameProperty: 'AliasName', attributes: {}, inert: true }],
  ['AWS::CloudWatch::Alarm', { ...named('AlarmName', alarmArn) }],
  ['AWS::CloudWatch::Dashboard', { nameProperty: 'DashboardName', attributes: {} }],
  ['AWS::SSM::Parameter', ssmParameter()],
  [NESTED_STACK, NESTED_STACK_TYPE],
]);

type Text = (identity: Identity) => string;

function named(nameProperty: string, arn: Text): ResourceType {
  return { nameProperty, attributes: { Arn: arn } };
}

function iam(kind: string): Text {
  return ({ environment: { partition, account }, name }) =>
    `arn:${partition}:iam::${account}:${kind}/${name}`;
}

function logGroupArn({ environment, name }: Identity): string {
  return arnOf(environment, 'logs', `log-group:${name}:*`);
}

function alarmArn({ environment, name }: Identity): string {
  return arnOf(environment, 'cloudwatch', `alarm:${name}`);
}

function kmsKey(): ResourceType {
  const id: Text = ({ name }) => deterministicUuid(name);
  const arn: Text = identity => arnOf(identity.environment, 'kms', `key/${id(identity)}`);
  return { ref: id, attributes: { Arn: arn, KeyId: id } };
}

function ssmParameter(): ResourceType {
  return { nameProperty: 'Name', attributes: { Value: identity => identity.property('Value') }, inert: true };
}
