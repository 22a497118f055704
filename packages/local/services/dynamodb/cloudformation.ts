import { arnOf } from '../../assembly/stack';
import type {
  Identity,
  Read,
  ResourceReader,
  ResourceSpec,
  ResourceType,
  ResourceTypes,
  Section,
} from '../../assembly/types';

/**
 * A DynamoDB table: the input for `CreateTable`, and the TTL attribute, which is a call of its own on AWS.
 */
export interface TableSpec extends ResourceSpec {
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

/**
 * A stream is labelled with the time it was enabled; locally with this one, so that its ARN never changes.
 */
const STREAM_LABEL = '2020-01-01T00:00:00.000';

/** What tables of one region and global tables share: names and references. */
const TABLE_REFERENCES = {
  nameProperty: 'TableName',
  attributes: { Arn: tableArn, StreamArn: identity => `${tableArn(identity)}/stream/${STREAM_LABEL}` },
} satisfies ResourceType;

/** AWS::DynamoDB::Table. */
export const TABLE: ResourceType<TableSpec> = {
  ...TABLE_REFERENCES,
  read: resource => readTable(resource, tableCapacity),
};

/**
 * AWS::DynamoDB::GlobalTable, what CDK's `TableV2` makes, as one table in the stack's own region.
 *
 * Always billed per request: the type describes capacity per replica and by auto scaling, neither of which
 * exists locally. Replicas in other regions are left out.
 */
export const GLOBAL_TABLE: ResourceType<TableSpec> = {
  ...TABLE_REFERENCES,
  read: resource =>
    readTable(resource, () => ({ table: { BillingMode: 'PAY_PER_REQUEST' }, index: () => ({}) })),
};

/** The types of CloudFormation that belong to DynamoDB. */
export const DYNAMODB_RESOURCE_TYPES: ResourceTypes = new Map<string, ResourceType>([
  ['AWS::DynamoDB::Table', TABLE],
  ['AWS::DynamoDB::GlobalTable', GLOBAL_TABLE],
]);

/** How a table or an index is billed: the part of `CreateTable` in which the two table types differ. */
type ReadCapacity = (resource: ResourceReader) => {
  readonly table: Pick<CreateTableInput, 'BillingMode' | 'ProvisionedThroughput'>;
  index(index: Section): { readonly ProvisionedThroughput?: Throughput };
};

/** A table's `CreateTable` input. Missing keys are problems; settings without a local effect are dropped. */
function readTable(resource: ResourceReader, readCapacity: ReadCapacity): Read<TableSpec> {
  const { identity } = resource;
  const capacity = readCapacity(resource);
  const globalIndexes = resource.objects('GlobalSecondaryIndexes');
  const localIndexes = resource.objects('LocalSecondaryIndexes');
  const streamViewType = resource
    .object('StreamSpecification')
    ?.oneOf('StreamViewType', ['NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES', 'KEYS_ONLY']);
  const createTable: CreateTableInput = {
    TableName: identity.name,
    AttributeDefinitions: readAttributes(resource),
    KeySchema: readKey(resource),
    ...capacity.table,
    ...(globalIndexes.length > 0 && {
      GlobalSecondaryIndexes: globalIndexes.map(index => ({ ...readIndex(index), ...capacity.index(index) })),
    }),
    ...(localIndexes.length > 0 && { LocalSecondaryIndexes: localIndexes.map(readIndex) }),
    ...(streamViewType && { StreamSpecification: { StreamEnabled: true, StreamViewType: streamViewType } }),
  };
  const ttlAttribute = readTtlAttribute(resource.object('TimeToLiveSpecification'));
  const spec = { arn: tableArn(identity), name: identity.name, createTable };
  return ttlAttribute === undefined ? spec : { ...spec, ttlAttribute };
}

function tableCapacity(resource: ResourceReader): ReturnType<ReadCapacity> {
  if (resource.oneOf('BillingMode', ['PAY_PER_REQUEST', 'PROVISIONED']) === 'PAY_PER_REQUEST') {
    return { table: { BillingMode: 'PAY_PER_REQUEST' }, index: () => ({}) };
  }
  return {
    table: { BillingMode: 'PROVISIONED', ProvisionedThroughput: readThroughput(resource) },
    index: index => ({ ProvisionedThroughput: readThroughput(index) }),
  };
}

function tableArn({ environment, name }: Identity): string {
  return arnOf(environment, 'dynamodb', `table/${name}`);
}

function readThroughput(section: Section): Throughput {
  const throughput = section.object('ProvisionedThroughput');
  if (throughput === undefined)
    section.problem('ProvisionedThroughput', 'is missing; set it or bill per request');
  return {
    ReadCapacityUnits: throughput?.optionalNumber('ReadCapacityUnits') ?? 1,
    WriteCapacityUnits: throughput?.optionalNumber('WriteCapacityUnits') ?? 1,
  };
}

function readAttributes(section: Section): CreateTableInput['AttributeDefinitions'] {
  return section.objects('AttributeDefinitions').map(attribute => ({
    AttributeName: attribute.text('AttributeName'),
    AttributeType: attribute.oneOf('AttributeType', ['S', 'N', 'B']) ?? 'S',
  }));
}

function readKey(section: Section): KeySchema {
  const key = section.objects('KeySchema').map(part => ({
    AttributeName: part.text('AttributeName'),
    KeyType: part.oneOf('KeyType', ['HASH', 'RANGE']) ?? ('HASH' as const),
  }));
  if (key.length === 0) section.problem('KeySchema', 'is missing; name the partition key');
  return key;
}

function readIndex(index: Section): SecondaryIndex {
  const projection = index.object('Projection');
  const type = projection?.oneOf('ProjectionType', ['ALL', 'KEYS_ONLY', 'INCLUDE']);
  const attributes = projection?.texts('NonKeyAttributes') ?? [];
  return {
    IndexName: index.text('IndexName'),
    KeySchema: readKey(index),
    Projection: {
      ...(type && { ProjectionType: type }),
      ...(attributes.length > 0 && { NonKeyAttributes: attributes }),
    },
  };
}

function readTtlAttribute(ttl: Section | undefined): string | undefined {
  // `Enabled` may be a boolean or its text; a table whose TTL is switched off keeps everything.
  return String(ttl?.value('Enabled')) === 'true' ? ttl?.optionalText('AttributeName') : undefined;
}
