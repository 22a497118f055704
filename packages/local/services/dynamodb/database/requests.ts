import type { Members, Shape } from './shape';

// The members of each operation that the local DynamoDB has, as the service's API model names them. Those of the API
// before expressions (`Expected`, `KeyConditions`) are rejected by name in `legacy.ts`.

const ITEM: Shape = { map: 'Value' };
const CAPACITY: Shape = { oneOf: ['INDEXES', 'TOTAL', 'NONE'] };
const ON_CHECK_FAILURE: Shape = { oneOf: ['ALL_OLD', 'NONE'] };

const NAMES_AND_VALUES: Members = {
  ExpressionAttributeNames: { map: 'String' },
  ExpressionAttributeValues: ITEM,
};

const WRITE: Members = {
  TableName: { required: 'TableName' },
  ConditionExpression: 'String',
  ...NAMES_AND_VALUES,
  ReturnConsumedCapacity: CAPACITY,
  ReturnItemCollectionMetrics: { oneOf: ['SIZE', 'NONE'] },
  ReturnValues: { oneOf: ['ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW'] },
  ReturnValuesOnConditionCheckFailure: ON_CHECK_FAILURE,
};

const READ: Members = {
  TableName: { required: 'TableName' },
  ConsistentRead: 'Boolean',
  ProjectionExpression: 'String',
  ExpressionAttributeNames: { map: 'String' },
  ReturnConsumedCapacity: CAPACITY,
};

const READ_MANY: Members = {
  ...READ,
  ...NAMES_AND_VALUES,
  IndexName: 'String',
  FilterExpression: 'String',
  Select: { oneOf: ['SPECIFIC_ATTRIBUTES', 'COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES'] },
  Limit: 'Integer',
  ExclusiveStartKey: ITEM,
};

/** The names of the attributes of a key, and of those that are projected. */
const KEY_NAME: Shape = { text: true, min: 1, max: 255 };
const KEY_SCHEMA: Shape = {
  list: {
    members: { AttributeName: { required: KEY_NAME }, KeyType: { required: { oneOf: ['HASH', 'RANGE'] } } },
  },
  min: 1,
  max: 2,
};
/** An index can have four attributes of each kind; those of more than one are rejected by name. */
const INDEX_KEY_SCHEMA: Shape = { ...KEY_SCHEMA, max: 8 };

const INDEXES: Shape = {
  list: {
    members: {
      IndexName: { required: 'IndexName' },
      KeySchema: { required: INDEX_KEY_SCHEMA },
      Projection: {
        required: {
          members: {
            ProjectionType: { oneOf: ['ALL', 'INCLUDE', 'KEYS_ONLY'] },
            NonKeyAttributes: { list: KEY_NAME, min: 1, max: 20 },
          },
        },
      },
      ProvisionedThroughput: 'Any',
      OnDemandThroughput: 'Any',
      WarmThroughput: 'Any',
    },
  },
};

const TAGS: Shape = { list: { members: { Key: { required: 'String' }, Value: { required: 'String' } } } };

const CONDITION_IN_TRANSACTION: Members = {
  TableName: { required: 'TableName' },
  ConditionExpression: 'String',
  ...NAMES_AND_VALUES,
  ReturnValuesOnConditionCheckFailure: ON_CHECK_FAILURE,
};

/** The actions that one element of a transaction of writes may have. */
export const TRANSACT_WRITES: Members = {
  ConditionCheck: { members: { ...CONDITION_IN_TRANSACTION, Key: { required: ITEM } } },
  Put: { members: { ...CONDITION_IN_TRANSACTION, Item: { required: ITEM } } },
  Update: {
    members: {
      ...CONDITION_IN_TRANSACTION,
      Key: { required: ITEM },
      UpdateExpression: { required: 'String' },
    },
  },
  Delete: { members: { ...CONDITION_IN_TRANSACTION, Key: { required: ITEM } } },
};

/** Requests of a batch or transaction. */
const BATCH_WRITES_MAX = 25;
const BATCH_READS_MAX = 100;
const TRANSACTION_MAX = 100;

/** The members of each operation. An operation that is not here is not supported. */
export const REQUESTS = {
  PutItem: { ...WRITE, Item: { required: ITEM } },
  GetItem: { ...READ, Key: { required: ITEM } },
  UpdateItem: { ...WRITE, Key: { required: ITEM }, UpdateExpression: 'String' },
  DeleteItem: { ...WRITE, Key: { required: ITEM } },
  Query: { ...READ_MANY, KeyConditionExpression: 'String', ScanIndexForward: 'Boolean' },
  Scan: { ...READ_MANY, Segment: 'Integer', TotalSegments: 'Integer' },
  BatchGetItem: {
    RequestItems: {
      required: {
        map: {
          members: {
            Keys: { required: { list: ITEM, min: 1, max: BATCH_READS_MAX } },
            ConsistentRead: 'Boolean',
            ProjectionExpression: 'String',
            ExpressionAttributeNames: { map: 'String' },
          },
        },
        min: 1,
      },
    },
    ReturnConsumedCapacity: CAPACITY,
  },
  BatchWriteItem: {
    RequestItems: {
      required: {
        map: {
          list: {
            members: {
              PutRequest: { members: { Item: { required: ITEM } } },
              DeleteRequest: { members: { Key: { required: ITEM } } },
            },
          },
          min: 1,
          max: BATCH_WRITES_MAX,
        },
        min: 1,
      },
    },
    ReturnConsumedCapacity: CAPACITY,
    ReturnItemCollectionMetrics: { oneOf: ['SIZE', 'NONE'] },
  },
  TransactWriteItems: {
    TransactItems: { required: { list: { members: TRANSACT_WRITES }, min: 1, max: TRANSACTION_MAX } },
    ClientRequestToken: { text: true, min: 1, max: 36 },
    ReturnConsumedCapacity: CAPACITY,
    ReturnItemCollectionMetrics: { oneOf: ['SIZE', 'NONE'] },
  },
  TransactGetItems: {
    TransactItems: {
      required: {
        list: {
          members: {
            Get: {
              required: {
                members: {
                  TableName: { required: 'TableName' },
                  Key: { required: ITEM },
                  ProjectionExpression: 'String',
                  ExpressionAttributeNames: { map: 'String' },
                },
              },
            },
          },
        },
        min: 1,
        max: TRANSACTION_MAX,
      },
    },
    ReturnConsumedCapacity: CAPACITY,
  },
  CreateTable: {
    TableName: { required: 'TableName' },
    AttributeDefinitions: {
      required: {
        list: {
          members: {
            AttributeName: { required: KEY_NAME },
            AttributeType: { required: { oneOf: ['B', 'N', 'S'] } },
          },
        },
      },
    },
    KeySchema: { required: KEY_SCHEMA },
    BillingMode: { oneOf: ['PROVISIONED', 'PAY_PER_REQUEST'] },
    ProvisionedThroughput: { members: { ReadCapacityUnits: 'Integer', WriteCapacityUnits: 'Integer' } },
    GlobalSecondaryIndexes: INDEXES,
    LocalSecondaryIndexes: INDEXES,
    StreamSpecification: { members: { StreamEnabled: { required: 'Boolean' }, StreamViewType: 'String' } },
    DeletionProtectionEnabled: 'Boolean',
    SSESpecification: 'Any',
    TableClass: 'Any',
    Tags: TAGS,
  },
  DeleteTable: { TableName: { required: 'TableName' } },
  DescribeTable: { TableName: { required: 'TableName' } },
  ListTables: { ExclusiveStartTableName: 'String', Limit: 'Integer' },
  DescribeTimeToLive: { TableName: { required: 'TableName' } },
  UpdateTimeToLive: {
    TableName: { required: 'TableName' },
    TimeToLiveSpecification: {
      required: { members: { AttributeName: { required: 'String' }, Enabled: { required: 'Boolean' } } },
    },
  },
  TagResource: { ResourceArn: { required: 'String' }, Tags: { required: TAGS } },
  UntagResource: { ResourceArn: { required: 'String' }, TagKeys: { required: { list: 'String' } } },
  ListTagsOfResource: { ResourceArn: { required: 'String' }, NextToken: 'String' },
} satisfies Readonly<Record<string, Members>>;

/** An operation of the local DynamoDB. */
export type OperationName = keyof typeof REQUESTS;

/** Whether the local DynamoDB has an operation of this name. */
export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(REQUESTS, name);
}
