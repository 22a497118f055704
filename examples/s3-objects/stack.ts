import path from 'node:path';
import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { BlockPublicAccess, Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { IdempotentWorkflow, Source } from 'onceflow';

/** The content of a bucket, by S3's events: each version is scanned once, and the catalogue has the last state. */
export class S3ObjectsStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const uploads = this.uploads();
    const [catalogue, scans] = [this.table('Catalogue', 'object'), this.table('Scans', 'scanId')];
    const noteObject = new NodejsFunction(this, 'NoteObject', {
      entry: path.join(__dirname, 'functions/catalogue/handler.ts'),
      runtime: Runtime.NODEJS_24_X,
      timeout: Duration.seconds(10),
      memorySize: 256,
      environment: { CATALOGUE_TABLE: catalogue.tableName, SCANS_TABLE: scans.tableName },
      bundling: { bundleAwsSDK: true, minify: true, target: 'node20' },
    });
    catalogue.grant(noteObject, 'dynamodb:UpdateItem');
    scans.grant(noteObject, 'dynamodb:PutItem');
    Validations.of(noteObject).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      reason: 'it may write its own log; all else is granted table by table',
    });

    const notes = new IdempotentWorkflow(this, 'NoteVersion', {
      scope: 'NoteVersion',
      // The sequencer distinguishes the events of an object, also in a bucket without versions.
      idempotencyKey: [
        '{% $states.input.detail.bucket.name %}',
        '{% $states.input.detail.object.key %}',
        '{% $states.input.detail.object.sequencer %}',
      ],
      payload: "{% { 'type': $states.input.`detail-type`, 'etag': $states.input.detail.object.etag } %}",
      step: noteObject,
    });
    const pattern = {
      source: ['aws.s3'],
      detailType: ['Object Created', 'Object Deleted'],
      detail: { bucket: { name: [uploads.bucketName] } },
    };
    // S3 sends to the default bus of the account, and to no other.
    const defaultBus = EventBus.fromEventBusName(this, 'DefaultBus', 'default');
    notes.startFrom(Source.eventBridge(defaultBus, pattern, { id: 'S3' }));

    new CfnOutput(this, 'BucketName', { value: uploads.bucketName });
    new CfnOutput(this, 'CatalogueTableName', { value: catalogue.tableName });
    new CfnOutput(this, 'ScansTableName', { value: scans.tableName });
  }

  private uploads(): Bucket {
    const uploads = new Bucket(this, 'Uploads', {
      enforceSSL: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    });
    Validations.of(uploads).acknowledge({
      id: 'AwsSolutions::AwsSolutions-S1',
      reason: 'its events report each change of its objects',
    });
    // CDK's `eventBridgeEnabled` would deploy a function that sets this one property.
    const { defaultChild } = uploads.node;
    if (!(defaultChild instanceof CfnBucket)) throw new Error('the bucket has no CfnBucket');
    defaultChild.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } };
    return uploads;
  }

  private table(id: string, key: string): Table {
    return new Table(this, id, {
      partitionKey: { name: key, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    });
  }
}
