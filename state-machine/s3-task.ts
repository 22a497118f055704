import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { QueryLanguage, TaskStateBase, type TaskStateJsonataBaseProps } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { Results } from './results';
import { patternOf } from './tasks';

/** The operations on objects that the workflow uses, with the IAM actions of each on the object and on its KMS key. */
const IAM_ACTIONS = {
  // An upload's data key is generated, and decrypted where S3 assembles it of parts.
  putObject: { object: 's3:PutObject', key: ['kms:Decrypt', 'kms:GenerateDataKey'] },
  getObject: { object: 's3:GetObject', key: ['kms:Decrypt'] },
} as const;

/** Settings of an {@link S3Task}. */
export interface S3TaskProps extends TaskStateJsonataBaseProps {
  readonly operation: keyof typeof IAM_ACTIONS;
  readonly results: Results;
  /** The scope, below whose objects the operation stays. */
  readonly recordScope: string;
  /** The operation's request, with expressions in `{% %}` at any place. */
  readonly request: Readonly<Record<string, string>>;
}

/** A Task state that calls one operation of S3 on one object of one scope, without a Lambda. */
export class S3Task extends TaskStateBase {
  protected readonly taskMetrics = undefined;
  protected readonly taskPolicies: PolicyStatement[];
  private readonly props: S3TaskProps;

  constructor(scope: Construct, id: string, props: S3TaskProps) {
    super(scope, id, { ...props, queryLanguage: QueryLanguage.JSONATA });
    this.props = props;
    const { bucket, prefix } = props.results;
    const { object, key } = IAM_ACTIONS[props.operation];
    const objects = bucket.arnForObjects(`${patternOf(`${prefix}${props.recordScope}`)}/*`);
    const encryptionKey = bucket.encryptionKey;
    this.taskPolicies = [
      new PolicyStatement({ actions: [object], resources: [objects] }),
      ...(encryptionKey
        ? [new PolicyStatement({ actions: [...key], resources: [encryptionKey.keyArn] })]
        : []),
    ];
  }

  /** @internal */
  protected _renderTask(): object {
    return {
      Resource: `arn:${Stack.of(this).partition}:states:::aws-sdk:s3:${this.props.operation}`,
      Arguments: this.props.request,
    };
  }
}
