import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  CloudFormationClient,
  type CloudFormationClientConfig,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
  type Stack,
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
import { sentenceFor } from '../aws/failures';
import { Rejection } from '../program/rejection';
import { STACK_NAME } from './environment';

/** The deployed stack, and its owner, who deletes it. */
export interface Deployed {
  readonly outputs: Readonly<Record<string, string>>;
  /** Whether the endpoint serves the stack already, as `onceflow dev` does: nothing was made, nothing is deleted. */
  readonly isServed: boolean;
}

/** The maker of stacks, and its report of progress. */
export interface DeploymentOptions {
  readonly config: CloudFormationClientConfig;
  readonly progress: (text: string) => void;
}

/** The buckets that hold the template while CloudFormation reads it. */
const BUCKET = new RegExp(`^${STACK_NAME}-[0-9a-f]{12}$`);
const LOOK_EVERY_MS = 3_000;
/** A stack of this size takes some two minutes on AWS. */
const READY_WITHIN_MS = 15 * 60_000;

/**
 * The stack of a verification: made, found again after a process that was killed, and deleted. A begun deployment is
 * deleted at every interruption: only the wait for a new stack listens to Ctrl-C.
 */
export class Deployment {
  readonly #cloudFormation: CloudFormationClient;
  readonly #s3: S3Client;

  constructor(private readonly options: DeploymentOptions) {
    this.#cloudFormation = new CloudFormationClient(options.config);
    const checksums = 'WHEN_REQUIRED';
    const isElsewhere = options.config.endpoint !== undefined;
    this.#s3 = new S3Client({
      ...options.config,
      forcePathStyle: isElsewhere,
      requestChecksumCalculation: checksums,
      responseChecksumValidation: checksums,
    } as ConstructorParameters<typeof S3Client>[0] & object);
  }

  /**
   * Deletes what an earlier run has left, by its names.
   *
   * @returns the stack that the endpoint serves and cannot delete; what could not be deleted
   */
  async clean(): Promise<{ readonly served: Deployed | undefined; readonly left: readonly string[] }> {
    const stack = await this.#stack(STACK_NAME);
    if (stack === undefined) return { served: undefined, left: await this.#deleteBuckets() };
    if (!isOurs(stack)) {
      throw new Rejection(
        `this account already has a stack ${STACK_NAME} that onceflow verify did not create. Use another account or region`,
      );
    }
    try {
      await this.#cloudFormation.send(new DeleteStackCommand({ StackName: stack.StackId ?? STACK_NAME }));
    } catch (error) {
      if (!isUnsupported(error)) throw rejection(error, 'DeleteStack', `the stack ${STACK_NAME}`);
      return { served: { outputs: outputsOf(stack), isServed: true }, left: [] };
    }
    const left = await this.#untilDeleted(stack);
    return { served: undefined, left: [...left, ...(await this.#deleteBuckets())] };
  }

  /** Makes the stack of an assembly, and waits for it. @throws Rejection where it cannot be made */
  async create(assembly: string, signal: AbortSignal): Promise<Deployed> {
    const bucket = `${STACK_NAME}-${randomBytes(6).toString('hex')}`;
    this.options.progress('creating the stack');
    const subject = `the stack ${STACK_NAME}`;
    try {
      await this.#s3.send(new CreateBucketCommand(await this.#newBucket(bucket)));
      const Body = templateIn(assembly);
      await this.#s3.send(new PutObjectCommand({ Bucket: bucket, Key: TEMPLATE, Body }));
      const { StackId } = await this.#cloudFormation.send(
        new CreateStackCommand({
          StackName: STACK_NAME,
          TemplateURL: await this.#urlOf(bucket),
          Capabilities: ['CAPABILITY_IAM'],
          OnFailure: 'ROLLBACK',
          Tags: [{ Key: STACK_NAME, Value: bucket }],
        }),
      );
      const stack = await this.#untilCreated(StackId ?? STACK_NAME, signal);
      return { outputs: outputsOf(stack), isServed: false };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Rejection) throw error;
      throw rejection(error, 'CreateStack', subject);
    } finally {
      await this.#deleteBuckets([bucket]);
    }
  }

  close(): void {
    this.#cloudFormation.destroy();
    this.#s3.destroy();
  }

  async #newBucket(Bucket: string) {
    const region = await this.#s3.config.region();
    const isFirst = region === 'us-east-1';
    type Region = NonNullable<
      ConstructorParameters<typeof CreateBucketCommand>[0]['CreateBucketConfiguration']
    >['LocationConstraint'];
    const LocationConstraint = region as Region;
    return { Bucket, ...(!isFirst && { CreateBucketConfiguration: { LocationConstraint } }) };
  }

  async #urlOf(bucket: string): Promise<string> {
    const { endpoint } = this.options.config;
    if (endpoint !== undefined) return `${String(endpoint).replace(/\/$/, '')}/${bucket}/${TEMPLATE}`;
    return `https://${bucket}.s3.${await this.#s3.config.region()}.amazonaws.com/${TEMPLATE}`;
  }

  /** A stack by its name or id; undefined where there is none, or no more. */
  async #stack(name: string): Promise<Stack | undefined> {
    try {
      const { Stacks = [] } = await this.#cloudFormation.send(new DescribeStacksCommand({ StackName: name }));
      return Stacks.find(({ StackStatus }) => StackStatus !== 'DELETE_COMPLETE');
    } catch (error) {
      if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
      throw rejection(error, 'DescribeStacks', `the stack ${STACK_NAME}`);
    }
  }

  async #untilCreated(id: string, signal: AbortSignal): Promise<Stack> {
    for (let ms = 0; ms < READY_WITHIN_MS; ms += LOOK_EVERY_MS) {
      const stack = await this.#stack(id);
      const status = String(stack?.StackStatus);
      if (stack && status === 'CREATE_COMPLETE') return stack;
      if (!/^(?:CREATE|ROLLBACK)_IN_PROGRESS$|^REVIEW/.test(status)) {
        throw new Rejection(`the stack was not created: ${await this.#failure(id)} (${status})`);
      }
      this.options.progress(`creating the stack: ${Math.round(ms / 1000)} s`);
      await wait(LOOK_EVERY_MS, undefined, { signal });
    }
    throw new Rejection(`the stack was not ready within ${READY_WITHIN_MS / 60_000} minutes`);
  }

  /** The first resource that could not be made, and why. */
  async #failure(id: string): Promise<string> {
    const resources = await this.#resources(id);
    const failed = resources.find(({ ResourceStatus }) => /CREATE_FAILED/.test(String(ResourceStatus)));
    if (failed === undefined) return 'CloudFormation gives no reason';
    return `${failed.LogicalResourceId} of type ${failed.ResourceType}: ${failed.ResourceStatusReason}`;
  }

  async #resources(id: string) {
    const request = new DescribeStackResourcesCommand({ StackName: id });
    const { StackResources = [] } = await this.#cloudFormation
      .send(request)
      .catch(() => ({ StackResources: [] }));
    return StackResources;
  }

  /** The rest of a stack when its deletion has ended. */
  async #untilDeleted({ StackId: id = STACK_NAME }: Stack): Promise<readonly string[]> {
    for (let ms = 0; ms < READY_WITHIN_MS; ms += LOOK_EVERY_MS) {
      const stack = await this.#stack(id);
      if (stack === undefined) return [];
      if (stack.StackStatus === 'DELETE_FAILED') break;
      this.options.progress(`deleting the stack: ${Math.round(ms / 1000)} s`);
      await wait(LOOK_EVERY_MS);
    }
    const resources = await this.#resources(id);
    const left = resources.filter(({ ResourceStatus }) => ResourceStatus !== 'DELETE_COMPLETE');
    return [
      `the stack ${STACK_NAME}`,
      ...left.map(({ ResourceType, PhysicalResourceId }) => `${ResourceType} ${PhysicalResourceId}`),
    ];
  }

  /** Deletes the buckets that hold a template, by their names. Gives what could not be deleted. */
  async #deleteBuckets(own: readonly string[] = []): Promise<readonly string[]> {
    const listed = await this.#s3
      .send(new ListBucketsCommand({}))
      .then(({ Buckets = [] }) => Buckets.flatMap(({ Name = '' }) => (BUCKET.test(Name) ? [Name] : [])))
      // Who may not list them knows at least the one just made.
      .catch(() => []);
    const left: string[] = [];
    for (const Bucket of new Set([...listed, ...own])) {
      try {
        const { Contents = [] } = await this.#s3.send(new ListObjectsV2Command({ Bucket }));
        for (const { Key } of Contents) await this.#s3.send(new DeleteObjectCommand({ Bucket, Key }));
        await this.#s3.send(new DeleteBucketCommand({ Bucket }));
      } catch (error) {
        if (!(error instanceof Error && error.name === 'NoSuchBucket'))
          left.push(`AWS::S3::Bucket ${Bucket}`);
      }
    }
    return left;
  }
}

const TEMPLATE = 'template.json';

/** The template, with the code of its functions in it: nothing else is uploaded, and nothing bootstrapped. */
function templateIn(assembly: string): string {
  const template = JSON.parse(readFileSync(path.join(assembly, `${STACK_NAME}.template.json`), 'utf8')) as {
    readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: Properties }>>;
  };
  for (const { Type, Properties } of Object.values(template.Resources)) {
    const hash = /^([0-9a-f]{64})\.zip$/.exec(Properties?.Code?.S3Key ?? '')?.[1];
    if (Type !== 'AWS::Lambda::Function' || !Properties || hash === undefined) continue;
    Properties.Code = { ZipFile: readFileSync(path.join(assembly, `asset.${hash}`, 'index.js'), 'utf8') };
  }
  return JSON.stringify(template);
}

interface Properties {
  Code?: { readonly S3Key?: string; readonly ZipFile?: string };
}

/** By its tag; a stack that is served by an endpoint has none, and is known by what it tells. */
function isOurs(stack: Stack): boolean {
  const isTagged = (stack.Tags ?? []).some(({ Key }) => Key === STACK_NAME);
  return isTagged || ['WorkflowArn', 'ThrottledArn', 'RecoveryArn'].every(name => name in outputsOf(stack));
}

function outputsOf({ Outputs = [] }: Stack): Readonly<Record<string, string>> {
  return Object.fromEntries(Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
}

/** Whether an endpoint has no such operation. */
export function isUnsupported(error: unknown): boolean {
  const { name = '', message = '' } = error as Partial<Error>;
  return (
    /Unsupported|NotImplemented|^(?:UnknownOperation|InvalidAction)/.test(name) ||
    /not (?:yet )?implemented/i.test(message)
  );
}

function rejection(error: unknown, operation: string, subject: string): Rejection {
  if (isUnsupported(error)) {
    return new Rejection(
      `this endpoint does not support ${operation}. Write the stack with onceflow verify --synth DIR, and serve it with ` +
        'onceflow dev --assembly DIR',
    );
  }
  const { message = '' } = error as Partial<Error>;
  return new Rejection(`${sentenceFor(error, operation, subject)}${message === '' ? '' : `: ${message}`}`);
}
