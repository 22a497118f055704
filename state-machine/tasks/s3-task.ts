import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Results } from '../options/results';
import { requireUnchanged } from '../template/require-unchanged';
import { patternOf } from './dynamo-task';
import { ServiceTask, type ServiceTaskProps } from './service-task';

/** The operations on objects that the workflow uses, with the IAM actions of each on the object and on its KMS key. */
const IAM_ACTIONS = {
  // An upload's data key is generated, and decrypted where S3 assembles it of parts.
  putObject: { object: 's3:PutObject', key: ['kms:Decrypt', 'kms:GenerateDataKey'] },
  getObject: { object: 's3:GetObject', key: ['kms:Decrypt'] },
} as const;

const KEY_OF_A_BUCKET = {
  'AWS::S3::Bucket': [
    'BucketEncryption',
    'ServerSideEncryptionConfiguration',
    '0',
    'ServerSideEncryptionByDefault',
    'KMSMasterKeyID',
  ],
};

/** Settings of an {@link S3Task}. */
export interface S3TaskProps extends Omit<ServiceTaskProps, 'integration' | 'policies'> {
  readonly operation: keyof typeof IAM_ACTIONS;
  readonly results: Results;
  /** The scope, below whose objects the operation stays. */
  readonly recordScope: string;
}

/** A Task state that calls one operation of S3 on one object of one scope, without a Lambda. */
export class S3Task extends ServiceTask {
  constructor(
    scope: Construct,
    id: string,
    { operation, results: { bucket, prefix }, recordScope, ...props }: S3TaskProps,
  ) {
    const { object, key } = IAM_ACTIONS[operation];
    const objects = bucket.arnForObjects(`${patternOf(`${prefix}${recordScope}`)}/*`);
    const { encryptionKey } = bucket;
    requireUnchanged(bucket, KEY_OF_A_BUCKET, encryptionKey?.keyArn, 'Set `encryptionKey` of the Bucket');
    const policies = [
      new PolicyStatement({ actions: [object], resources: [objects] }),
      ...(encryptionKey
        ? [new PolicyStatement({ actions: [...key], resources: [encryptionKey.keyArn] })]
        : []),
    ];
    super(scope, id, { ...props, integration: `aws-sdk:s3:${operation}`, policies });
  }
}
