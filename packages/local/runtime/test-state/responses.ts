/** What a service's model says of a value in its answers. Times and bytes are text, as Step Functions shows them. */
export type Shape =
  | 'text'
  | 'number'
  | 'boolean'
  | { readonly text: Bounds }
  | { readonly number: Bounds }
  | { readonly oneOf: readonly string[] }
  | { readonly list: Shape }
  | { readonly map: Shape }
  | Structure;

/** Named members, some of which an answer always has. */
export interface Structure {
  readonly members: { readonly [name: string]: Shape };
  readonly required?: readonly string[];
}

/** Of a number, or of the characters of a text. */
export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

const ATTRIBUTE_VALUE: Structure = {
  members: {
    S: 'text',
    N: 'text',
    B: 'text',
    SS: { list: 'text' },
    NS: { list: 'text' },
    BS: { list: 'text' },
    get M(): Shape {
      return { map: ATTRIBUTE_VALUE };
    },
    get L(): Shape {
      return { list: ATTRIBUTE_VALUE };
    },
    NULL: 'boolean',
    BOOL: 'boolean',
  },
};
const CAPACITY: Structure = {
  members: { CapacityUnits: 'number', ReadCapacityUnits: 'number', WriteCapacityUnits: 'number' },
};
const CONSUMED_CAPACITY: Structure = {
  members: {
    ...CAPACITY.members,
    TableName: { text: { min: 1, max: 1024 } },
    Table: CAPACITY,
    LocalSecondaryIndexes: { map: CAPACITY },
    GlobalSecondaryIndexes: { map: CAPACITY },
  },
};
const ITEM_READ: Structure = {
  members: { Item: { map: ATTRIBUTE_VALUE }, ConsumedCapacity: CONSUMED_CAPACITY },
};
const ITEM_WRITTEN: Structure = {
  members: {
    Attributes: { map: ATTRIBUTE_VALUE },
    ConsumedCapacity: CONSUMED_CAPACITY,
    ItemCollectionMetrics: {
      members: { ItemCollectionKey: { map: ATTRIBUTE_VALUE }, SizeEstimateRangeGB: { list: 'number' } },
    },
  },
};

const EVENTS_PUT: Structure = {
  members: {
    FailedEntryCount: 'number',
    Entries: {
      list: { members: { EventId: { text: { max: 64 } }, ErrorCode: 'text', ErrorMessage: 'text' } },
    },
  },
};

const INVOKED: Structure = {
  members: {
    StatusCode: 'number',
    FunctionError: 'text',
    LogResult: 'text',
    ExecutedVersion: { text: { min: 1, max: 1024 } },
  },
};

const ARN: Shape = { text: { min: 1, max: 256 } };
const STATUS = ['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED', 'PENDING_REDRIVE'];
/** What DescribeExecution and ListExecutions say of an execution. */
const EXECUTION: Structure = {
  members: {
    ExecutionArn: ARN,
    StateMachineArn: ARN,
    Name: { text: { min: 1, max: 80 } },
    Status: { oneOf: STATUS },
    StartDate: 'text',
    StopDate: 'text',
    MapRunArn: { text: { min: 1, max: 2000 } },
    StateMachineVersionArn: ARN,
    StateMachineAliasArn: ARN,
    RedriveCount: 'number',
    RedriveDate: 'text',
  },
  required: ['ExecutionArn', 'StateMachineArn', 'Status', 'StartDate'],
};
const STARTED: Structure = {
  members: { ExecutionArn: ARN, StartDate: 'text' },
  required: ['ExecutionArn', 'StartDate'],
};
/** Its input and output are values in `.sync:2`, and texts elsewhere. */
const ENDED: Structure = {
  members: {
    ...EXECUTION.members,
    Error: { text: { max: 256 } },
    Cause: { text: { max: 32_768 } },
    RedriveStatus: { oneOf: ['REDRIVABLE', 'NOT_REDRIVABLE', 'REDRIVABLE_BY_MAP_RUN'] },
  },
  ...(EXECUTION.required && { required: EXECUTION.required }),
};
const DESCRIBED: Structure = {
  ...ENDED,
  members: { ...ENDED.members, Input: { text: { max: 262_144 } }, Output: { text: { max: 262_144 } } },
};

const OBJECT: Structure['members'] = {
  ETag: 'text',
  VersionId: 'text',
  Expiration: 'text',
  ServerSideEncryption: { oneOf: ['AES256', 'aws:fsx', 'aws:kms', 'aws:kms:dsse'] },
  SSEKMSKeyId: 'text',
  BucketKeyEnabled: 'boolean',
};
const STORAGE_CLASSES = [
  'STANDARD',
  'REDUCED_REDUNDANCY',
  'STANDARD_IA',
  'ONEZONE_IA',
  'INTELLIGENT_TIERING',
  'GLACIER',
  'DEEP_ARCHIVE',
  'OUTPOSTS',
  'GLACIER_IR',
  'SNOW',
  'EXPRESS_ONEZONE',
  'FSX_OPENZFS',
  'FSX_ONTAP',
];

/**
 * What integrations answer, as far as state machines read it; that of other integrations is taken as it comes. An
 * optimized integration answers as its `aws-sdk` twin does, unless it is here itself.
 */
const RESPONSES: ReadonlyMap<string, Structure> = new Map<string, Structure>([
  ['aws-sdk:dynamodb:getItem', ITEM_READ],
  ['aws-sdk:dynamodb:putItem', ITEM_WRITTEN],
  ['aws-sdk:dynamodb:updateItem', ITEM_WRITTEN],
  ['aws-sdk:dynamodb:deleteItem', ITEM_WRITTEN],
  ['aws-sdk:eventbridge:putEvents', EVENTS_PUT],
  ['events:putEvents', EVENTS_PUT],
  ['aws-sdk:kms:encrypt', { members: { CiphertextBlob: { text: { min: 1 } } } }],
  [
    'aws-sdk:lambda:getFunction',
    { members: { Configuration: { members: { MemorySize: { number: { min: 128, max: 10_240 } } } } } },
  ],
  // Its payload is the value itself, not its text.
  ['lambda:invoke', INVOKED],
  ['aws-sdk:lambda:invoke', { members: { ...INVOKED.members, Payload: 'text' } }],
  [
    'aws-sdk:s3:getObject',
    {
      members: {
        ...OBJECT,
        Body: 'text',
        ContentLength: 'number',
        ContentType: 'text',
        LastModified: 'text',
        Metadata: { map: 'text' },
        StorageClass: { oneOf: STORAGE_CLASSES },
      },
    },
  ],
  ['aws-sdk:s3:putObject', { members: { ...OBJECT, Size: 'number' } }],
  ['aws-sdk:sfn:describeExecution', DESCRIBED],
  [
    'aws-sdk:sfn:listExecutions',
    { members: { Executions: { list: EXECUTION }, NextToken: 'text' }, required: ['Executions'] },
  ],
  ['aws-sdk:sfn:startExecution', STARTED],
  ['states:startExecution', STARTED],
  ['states:startExecution.sync', DESCRIBED],
  ['states:startExecution.sync:2', ENDED],
  ['aws-sdk:sns:publish', { members: { MessageId: 'text', SequenceNumber: 'text' } }],
  [
    'aws-sdk:sqs:sendMessage',
    {
      members: {
        MD5OfMessageBody: 'text',
        MD5OfMessageAttributes: 'text',
        MD5OfMessageSystemAttributes: 'text',
        MessageId: 'text',
        SequenceNumber: 'text',
      },
    },
  ],
]);

/** What an integration (`dynamodb:putItem`, `aws-sdk:s3:getObject`) answers, if that is known here. */
export function responseOf(integration: string): Structure | undefined {
  return RESPONSES.get(integration) ?? RESPONSES.get(`aws-sdk:${integration}`);
}
