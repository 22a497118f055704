import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { Deployment } from '../../../cli/verify/deployment';
import { STACK_NAME } from '../../../cli/verify/environment';

const cloudFormation = mockClient(CloudFormationClient);
const s3 = mockClient(S3Client);
const LEFT = `${STACK_NAME}-0123456789ab`;
const OURS = {
  StackName: STACK_NAME,
  StackId: 'id',
  CreationTime: new Date(0),
  Tags: [{ Key: STACK_NAME, Value: '' }],
};
const GONE = Object.assign(new Error('Stack with id id does not exist'), { name: 'ValidationError' });
const UNSUPPORTED = Object.assign(new Error('no DeleteStack'), { name: 'UnsupportedOperation' });
const OUTPUTS = ['WorkflowArn', 'ThrottledArn', 'RecoveryArn'].map(OutputKey => ({
  OutputKey,
  OutputValue: 'arn',
}));

const deployment = () =>
  new Deployment({
    config: { region: 'eu-west-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } },
    progress: () => undefined,
  });

beforeEach(() => {
  cloudFormation.reset();
  s3.reset();
  s3.on(ListBucketsCommand).resolves({ Buckets: [] });
  s3.on(ListObjectsV2Command).resolves({ Contents: [{ Key: 'template.json' }] });
});

describe('what an earlier run has left', () => {
  test('nothing: nothing is deleted', async () => {
    cloudFormation.on(DescribeStacksCommand).rejects(GONE);

    expect(await deployment().clean()).toEqual({ served: undefined, left: [] });
    expect(cloudFormation.commandCalls(DeleteStackCommand)).toEqual([]);
  });

  test('a stack and a bucket: both are deleted; a bucket of another name stays', async () => {
    cloudFormation
      .on(DescribeStacksCommand)
      .resolvesOnce({ Stacks: [{ ...OURS, StackStatus: 'CREATE_COMPLETE' }] });
    cloudFormation.on(DescribeStacksCommand, { StackName: 'id' }).rejects(GONE);
    s3.on(ListBucketsCommand).resolves({ Buckets: [{ Name: LEFT }, { Name: `${STACK_NAME}-mine` }] });

    expect(await deployment().clean()).toEqual({ served: undefined, left: [] });
    expect(cloudFormation.commandCalls(DeleteStackCommand)).toHaveLength(1);
    expect(s3.commandCalls(DeleteObjectCommand).map(({ args: [{ input }] }) => input.Bucket)).toEqual([LEFT]);
    expect(s3.commandCalls(DeleteBucketCommand).map(({ args: [{ input }] }) => input.Bucket)).toEqual([LEFT]);
  });

  test('a stack that cannot be deleted: what is still there is named', async () => {
    cloudFormation
      .on(DescribeStacksCommand)
      .resolvesOnce({ Stacks: [{ ...OURS, StackStatus: 'CREATE_COMPLETE' }] });
    cloudFormation
      .on(DescribeStacksCommand, { StackName: 'id' })
      .resolves({ Stacks: [{ ...OURS, StackStatus: 'DELETE_FAILED' }] });
    const resource = (name: string, ResourceStatus: 'DELETE_FAILED' | 'DELETE_COMPLETE') => ({
      LogicalResourceId: name,
      PhysicalResourceId: name,
      ResourceType: 'AWS::DynamoDB::Table',
      ResourceStatus,
      Timestamp: new Date(0),
    });
    cloudFormation
      .on(DescribeStackResourcesCommand)
      .resolves({ StackResources: [resource('one', 'DELETE_FAILED'), resource('two', 'DELETE_COMPLETE')] });
    s3.on(DeleteBucketCommand).rejects(new Error('no'));
    s3.on(ListBucketsCommand).resolves({ Buckets: [{ Name: LEFT }] });

    const { left } = await deployment().clean();
    expect(left).toEqual([`the stack ${STACK_NAME}`, 'AWS::DynamoDB::Table one', `AWS::S3::Bucket ${LEFT}`]);
  });

  test('a stack of the name with another owner: rejected, and not deleted', async () => {
    cloudFormation
      .on(DescribeStacksCommand)
      .resolves({ Stacks: [{ ...OURS, Tags: [], StackStatus: 'CREATE_COMPLETE' }] });

    await expect(deployment().clean()).rejects.toThrow('onceflow verify did not create');
    expect(cloudFormation.commandCalls(DeleteStackCommand)).toEqual([]);
  });

  test('a stack that the endpoint serves: used as it is', async () => {
    const served = { ...OURS, Tags: [], Outputs: OUTPUTS, StackStatus: 'CREATE_COMPLETE' as const };
    cloudFormation.on(DescribeStacksCommand).resolves({ Stacks: [served] });
    cloudFormation.on(DeleteStackCommand).rejects(UNSUPPORTED);

    expect(await deployment().clean()).toMatchObject({
      served: { isServed: true, outputs: { WorkflowArn: 'arn' } },
    });
  });
});

describe('a new stack', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-verify-'));
  writeFileSync(path.join(directory, `${STACK_NAME}.template.json`), '{"Resources":{}}');
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const create = () => deployment().create(directory, new AbortController().signal);

  test('made: its outputs, and the bucket with the template is gone', async () => {
    cloudFormation.on(CreateStackCommand).resolves({ StackId: 'id' });
    cloudFormation
      .on(DescribeStacksCommand)
      .resolves({ Stacks: [{ ...OURS, Outputs: OUTPUTS, StackStatus: 'CREATE_COMPLETE' }] });

    expect(await create()).toMatchObject({ isServed: false, outputs: { RecoveryArn: 'arn' } });
    const [bucket] = s3.commandCalls(CreateBucketCommand).map(({ args: [{ input }] }) => input);
    expect(bucket?.CreateBucketConfiguration).toEqual({ LocationConstraint: 'eu-west-1' });
    expect(cloudFormation.commandCalls(CreateStackCommand)[0]?.args[0].input.TemplateURL).toBe(
      `https://${bucket?.Bucket}.s3.eu-west-1.amazonaws.com/template.json`,
    );
    expect(s3.commandCalls(DeleteBucketCommand)[0]?.args[0].input.Bucket).toBe(bucket?.Bucket);
  });

  test('rolled back: rejected with the first resource that failed, and the bucket is gone', async () => {
    cloudFormation.on(CreateStackCommand).resolves({ StackId: 'id' });
    cloudFormation
      .on(DescribeStacksCommand)
      .resolves({ Stacks: [{ ...OURS, StackStatus: 'ROLLBACK_COMPLETE' }] });
    cloudFormation.on(DescribeStackResourcesCommand).resolves({
      StackResources: [
        {
          LogicalResourceId: 'Machine',
          ResourceType: 'AWS::StepFunctions::StateMachine',
          ResourceStatus: 'CREATE_FAILED',
          ResourceStatusReason: 'INVALID_DEFINITION',
          Timestamp: new Date(0),
        },
      ],
    });

    await expect(create()).rejects.toThrow(
      'Machine of type AWS::StepFunctions::StateMachine: INVALID_DEFINITION',
    );
    expect(s3.commandCalls(PutObjectCommand)).toHaveLength(1);
    expect(s3.commandCalls(DeleteBucketCommand)).toHaveLength(1);
  });

  test('an endpoint that makes no stacks: says what to do', async () => {
    s3.on(CreateBucketCommand).rejects(UNSUPPORTED);

    await expect(create()).rejects.toThrow('onceflow verify --synth DIR');
  });
});
