import type { Identity, ResourceSpec, ResourceType, ResourceTypes } from '../../assembly/types';

/** A bucket, as a template deploys it. */
export interface BucketSpec extends ResourceSpec {
  readonly arn: string;
  readonly name: string;
}

/** AWS::S3::Bucket. Versions, lifecycle rules, notifications and encryption are accepted, and do nothing. */
export const BUCKET: ResourceType<BucketSpec> = {
  nameProperty: 'BucketName',
  nameLimit: 63,
  physicalName: nameOf,
  ref: nameOf,
  attributes: {
    Arn: arnOf,
    DomainName: identity => domainOf(identity, 's3'),
    RegionalDomainName: identity => domainOf(identity, `s3.${identity.environment.region}`),
    DualStackDomainName: identity => domainOf(identity, `s3.dualstack.${identity.environment.region}`),
  },
  read: ({ identity }) => ({ arn: arnOf(identity), name: nameOf(identity) }),
};

/** The types of CloudFormation that belong to S3. */
export const S3_RESOURCE_TYPES: ResourceTypes = new Map<string, ResourceType>([
  ['AWS::S3::Bucket', BUCKET],
  ['AWS::S3::BucketPolicy', { attributes: {}, inert: true }],
  // How the CDK empties a bucket that is deleted with its stack.
  ['Custom::S3AutoDeleteObjects', { attributes: {}, inert: true }],
]);

/** In lower case, as names of buckets are: CloudFormation turns those that it makes. */
function nameOf({ name }: Identity): string {
  return name.toLowerCase();
}

/** Names of buckets are global: their ARNs have neither region nor account. */
function arnOf(identity: Identity): string {
  return `arn:${identity.environment.partition}:s3:::${nameOf(identity)}`;
}

function domainOf(identity: Identity, service: string): string {
  return `${nameOf(identity)}.${service}.${identity.environment.urlSuffix}`;
}
