import { BOOLEAN, list, map, NUMBER, type Shape, STRING, structure, text } from '../shape';

const ATTRIBUTE_VALUE: Shape = structure({
  S: STRING,
  N: STRING,
  B: STRING,
  SS: list(STRING),
  NS: list(STRING),
  BS: list(STRING),
  M: map(() => ATTRIBUTE_VALUE),
  L: list(() => ATTRIBUTE_VALUE),
  NULL: BOOLEAN,
  BOOL: BOOLEAN,
});

const ATTRIBUTE_MAP = map(ATTRIBUTE_VALUE);

const CAPACITY = structure({ ReadCapacityUnits: NUMBER, WriteCapacityUnits: NUMBER, CapacityUnits: NUMBER });

const SECONDARY_INDEXES_CAPACITY_MAP = map(CAPACITY);

const CONSUMED_CAPACITY = structure({
  TableName: text({ min: 1, max: 1024 }),
  CapacityUnits: NUMBER,
  ReadCapacityUnits: NUMBER,
  WriteCapacityUnits: NUMBER,
  Table: CAPACITY,
  LocalSecondaryIndexes: SECONDARY_INDEXES_CAPACITY_MAP,
  GlobalSecondaryIndexes: SECONDARY_INDEXES_CAPACITY_MAP,
});

const ITEM_COLLECTION_METRICS = structure({
  ItemCollectionKey: map(ATTRIBUTE_VALUE),
  SizeEstimateRangeGB: list(NUMBER),
});

const ITEM_LIST = list(ATTRIBUTE_MAP);

const KEY = map(ATTRIBUTE_VALUE);

const CONSUMED_CAPACITY_MULTIPLE = list(CONSUMED_CAPACITY);

const ITEM_COLLECTION_METRICS_PER_TABLE = map(list(ITEM_COLLECTION_METRICS));

/** What operations answer, by the own model of the service. */
export const DYNAMODB = {
  putItem: structure({
    Attributes: ATTRIBUTE_MAP,
    ConsumedCapacity: CONSUMED_CAPACITY,
    ItemCollectionMetrics: ITEM_COLLECTION_METRICS,
  }),
  getItem: structure({ Item: ATTRIBUTE_MAP, ConsumedCapacity: CONSUMED_CAPACITY }),
  updateItem: structure({
    Attributes: ATTRIBUTE_MAP,
    ConsumedCapacity: CONSUMED_CAPACITY,
    ItemCollectionMetrics: ITEM_COLLECTION_METRICS,
  }),
  deleteItem: structure({
    Attributes: ATTRIBUTE_MAP,
    ConsumedCapacity: CONSUMED_CAPACITY,
    ItemCollectionMetrics: ITEM_COLLECTION_METRICS,
  }),
  query: structure({
    Items: ITEM_LIST,
    Count: NUMBER,
    ScannedCount: NUMBER,
    LastEvaluatedKey: KEY,
    ConsumedCapacity: CONSUMED_CAPACITY,
  }),
  scan: structure({
    Items: ITEM_LIST,
    Count: NUMBER,
    ScannedCount: NUMBER,
    LastEvaluatedKey: KEY,
    ConsumedCapacity: CONSUMED_CAPACITY,
  }),
  batchGetItem: structure({
    Responses: map(ITEM_LIST),
    UnprocessedKeys: map(
      structure(
        {
          Keys: list(KEY),
          AttributesToGet: list(text({ max: 65535 })),
          ConsistentRead: BOOLEAN,
          ProjectionExpression: STRING,
          ExpressionAttributeNames: map(text({ max: 65535 })),
        },
        ['Keys'],
      ),
    ),
    ConsumedCapacity: CONSUMED_CAPACITY_MULTIPLE,
  }),
  batchWriteItem: structure({
    UnprocessedItems: map(
      list(
        structure({
          PutRequest: structure({ Item: map(ATTRIBUTE_VALUE) }, ['Item']),
          DeleteRequest: structure({ Key: KEY }, ['Key']),
        }),
      ),
    ),
    ItemCollectionMetrics: ITEM_COLLECTION_METRICS_PER_TABLE,
    ConsumedCapacity: CONSUMED_CAPACITY_MULTIPLE,
  }),
  transactGetItems: structure({
    ConsumedCapacity: CONSUMED_CAPACITY_MULTIPLE,
    Responses: list(structure({ Item: ATTRIBUTE_MAP })),
  }),
  transactWriteItems: structure({
    ConsumedCapacity: CONSUMED_CAPACITY_MULTIPLE,
    ItemCollectionMetrics: ITEM_COLLECTION_METRICS_PER_TABLE,
  }),
};
