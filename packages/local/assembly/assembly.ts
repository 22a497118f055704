import type { Json, JsonObject } from '../json/json';

/** What a cloud assembly deploys, with every reference resolved: all that a local stack needs to run it. */
export interface Assembly {
  readonly stateMachines: readonly StateMachineSpec[];
  readonly functions: readonly FunctionSpec[];
  readonly tables: readonly TableSpec[];
  /** The buses the templates define. The account's `default` bus always exists and is not among them. */
  readonly eventBuses: readonly EventBusSpec[];
  readonly rules: readonly RuleSpec[];
  readonly queues: readonly QueueSpec[];
  readonly queueSources: readonly QueueSourceSpec[];
  readonly outputs: readonly OutputSpec[];
  /** Resources that nothing plays locally; references to the known ones among them still resolve. */
  readonly unsupported: readonly UnsupportedResource[];
}

/** A state machine; `definitionText` is the definition as Step Functions receives it, not yet parsed. */
export interface StateMachineSpec {
  readonly logicalId: string;
  readonly stack: string;
  readonly arn: string;
  readonly name: string;
  readonly type: 'STANDARD' | 'EXPRESS';
  readonly definitionText: string;
  readonly roleArn?: string;
  /** What is to be logged, as CreateStateMachine takes it. */
  readonly loggingConfiguration?: LoggingSpec;
  readonly tracingConfiguration?: { readonly enabled: boolean };
}

/** The logging configuration of a state machine, as CreateStateMachine takes it. */
export interface LoggingSpec {
  readonly level?: 'ALL' | 'ERROR' | 'FATAL' | 'OFF';
  readonly includeExecutionData?: boolean;
  readonly destinations?: readonly { readonly cloudWatchLogsLogGroup: { readonly logGroupArn: string } }[];
}

/** A Lambda function whose code lies unpacked in `directory` (absolute). */
export interface FunctionSpec {
  readonly logicalId: string;
  readonly stack: string;
  readonly arn: string;
  readonly name: string;
  readonly directory: string;
  readonly handler: string;
  readonly runtime: string;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * A DynamoDB table: the input for `CreateTable`, and the TTL attribute, which is a call of its own on AWS.
 */
export interface TableSpec {
  readonly logicalId: string;
  readonly stack: string;
  readonly arn: string;
  readonly name: string;
  readonly createTable: CreateTableInput;
  readonly ttlAttribute?: string;
}

/**
 * The part of DynamoDB's `CreateTable` input that shapes data; encryption, tags and table class are left out.
 */
export interface CreateTableInput {
  readonly TableName: string;
  readonly AttributeDefinitions: { AttributeName: string; AttributeType: 'S' | 'N' | 'B' }[];
  readonly KeySchema: KeySchema;
  readonly BillingMode: 'PAY_PER_REQUEST' | 'PROVISIONED';
  readonly ProvisionedThroughput?: Throughput;
  readonly GlobalSecondaryIndexes?: SecondaryIndex[];
  readonly LocalSecondaryIndexes?: SecondaryIndex[];
  readonly StreamSpecification?: { StreamEnabled: true; StreamViewType: StreamViewType };
}

/** The key of a table or an index, as DynamoDB's API writes it. */
export type KeySchema = { AttributeName: string; KeyType: 'HASH' | 'RANGE' }[];

/** What a stream record carries. */
export type StreamViewType = 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES' | 'KEYS_ONLY';

/** Provisioned capacity, in DynamoDB's units. */
export interface Throughput {
  readonly ReadCapacityUnits: number;
  readonly WriteCapacityUnits: number;
}

/** A secondary index, as `CreateTable` takes it. */
export interface SecondaryIndex {
  readonly IndexName: string;
  readonly KeySchema: KeySchema;
  readonly Projection: { ProjectionType?: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'; NonKeyAttributes?: string[] };
  readonly ProvisionedThroughput?: Throughput;
}

/** A custom event bus. */
export interface EventBusSpec {
  readonly logicalId: string;
  readonly stack: string;
  readonly arn: string;
  readonly name: string;
}

/** An EventBridge rule: by `pattern`, by `schedule`, or by both. */
export interface RuleSpec {
  readonly logicalId: string;
  readonly stack: string;
  readonly arn: string;
  readonly name: string;
  /** The bus's name, also where the template gives its ARN. */
  readonly eventBusName: string;
  readonly pattern?: JsonObject;
  /** As written: `rate(5 minutes)` or `cron(...)`. */
  readonly schedule?: string;
  readonly enabled: boolean;
  readonly targets: readonly RuleTargetSpec[];
}

/** One target of a rule; of `input`, `inputPath` and `inputTransformer` AWS allows one at most. */
export interface RuleTargetSpec {
  readonly id: string;
  readonly arn: string;
  readonly input?: string;
  readonly inputPath?: string;
  readonly inputTransformer?: {
    readonly inputPathsMap: Readonly<Record<string, string>>;
    readonly inputTemplate: string;
  };
  readonly deadLetterArn?: string;
  readonly retryPolicy?: {
    readonly maximumEventAgeInSeconds?: number;
    readonly maximumRetryAttempts?: number;
  };
}

/** A standard queue of SQS. What is absent is the service's default; times are seconds. */
export interface QueueSpec {
  readonly logicalId: string;
  readonly stack: string;
  readonly arn: string;
  readonly name: string;
  readonly attributes: QueueAttributesSpec;
}

/** What a queue does with its messages; times are seconds. */
export interface QueueAttributesSpec {
  readonly visibilityTimeoutSeconds?: number;
  readonly delaySeconds?: number;
  readonly messageRetentionSeconds?: number;
  readonly receiveMessageWaitTimeSeconds?: number;
  readonly redrivePolicy?: { readonly deadLetterTargetArn: string; readonly maxReceiveCount: number };
}

/** An event source mapping: a queue whose messages are handed to a function in batches. */
export interface QueueSourceSpec {
  readonly logicalId: string;
  readonly stack: string;
  readonly queueArn: string;
  /** As the template names it: a name or an ARN, perhaps of a version or an alias. */
  readonly functionName: string;
  readonly enabled: boolean;
  readonly batchSize: number;
  readonly maximumBatchingWindowInSeconds: number;
  readonly reportBatchItemFailures: boolean;
  /** Batches that may be worked on at the same time. */
  readonly maximumConcurrency?: number;
}

/** A stack output; `value` is absent when it hangs on something that has no local value. */
export interface OutputSpec {
  readonly stack: string;
  readonly name: string;
  readonly value?: Json;
  readonly exportName?: string;
}

/** A resource of a template that has no local counterpart. */
export interface UnsupportedResource {
  readonly logicalId: string;
  readonly type: string;
  readonly stack: string;
}

/** Why an assembly cannot be run: `where` is a file and the path inside it, `message` says what to do. */
export interface Problem {
  readonly where: string;
  readonly message: string;
}
