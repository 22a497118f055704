import { Annotations } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { RECORD } from '../../state-machine/contract/record';
import { attributeIn, type TableSchema } from '../../state-machine/contract/table-schema';
import type { IRecordTable } from '../../state-machine/settings';
import { propertiesOf } from '../../state-machine/template/rendered-properties';

/** What a template says of a table, as far as it is looked at. */
interface TableText {
  readonly KeySchema?: readonly { readonly AttributeName: string; readonly KeyType: string }[];
  readonly AttributeDefinitions?: readonly AttributeText[];
  readonly TimeToLiveSpecification?: { readonly AttributeName?: string; readonly Enabled: unknown };
}

interface AttributeText {
  readonly AttributeName: string;
  readonly AttributeType: string;
}

/**
 * Rejects a schema that the table does not have, as the template has it, also that of an import. The schema of a
 * table that the app does not define is unknown: the options count. Warns of one that has no TTL.
 *
 * @throws Error with the remedy
 */
export function validateSchema({ table, schema }: IRecordTable): void {
  const text = textOf(table);
  if (!text?.KeySchema) return;
  const reject = (what: string) => new Error(`\`table\` must have ${what}. ${remedyFor(text)}`);

  const { partitionKey, sortKey } = schema;
  const keys = { HASH: nameOfKey(text, 'HASH'), RANGE: nameOfKey(text, 'RANGE') };
  if (keys.HASH !== partitionKey) throw reject(`the partition key ${partitionKey}, got ${keys.HASH}`);
  if (keys.RANGE !== sortKey?.name) {
    throw reject(`${sortKey ? `the sort key ${sortKey.name}` : 'no sort key'}, got ${keys.RANGE ?? 'none'}`);
  }
  for (const key of [keys.HASH, keys.RANGE]) {
    const type = typeOf(text, key);
    if (type === undefined || type === 'S') continue;
    throw new Error(`\`table\` must have string keys, got ${key} of type ${type}. Use another table`);
  }
  validateTimeToLive(table, text, schema);
}

function validateTimeToLive(table: ITable, text: TableText, schema: TableSchema): void {
  const wanted = attributeIn(schema, RECORD.expiry);
  const { AttributeName: attributeName, Enabled } = text.TimeToLiveSpecification ?? {};
  if (attributeName === undefined || String(Enabled) === 'false') {
    Annotations.of(table).addWarningV2(
      'onceflow:timeToLive',
      `the table has no TTL, so DynamoDB never deletes expired records. Set timeToLiveAttribute to '${wanted}'`,
    );
  } else if (attributeName !== wanted) {
    throw new Error(
      `\`table\` must have the TTL attribute ${wanted}, got ${attributeName}. ${remedyFor(text)}`,
    );
  }
}

/** How the schema that the table has is said. */
function remedyFor(text: TableText): string {
  const sortKey = nameOfKey(text, 'RANGE');
  const ttl = text.TimeToLiveSpecification?.AttributeName;
  const members = [
    `partitionKey: '${nameOfKey(text, 'HASH')}'`,
    ...(sortKey === undefined ? [] : [`sortKey: { name: '${sortKey}', value: 'IDEMPOTENCY' }`]),
    ...(ttl === undefined ? [] : [`timeToLiveAttribute: '${ttl}'`]),
  ];
  return `Use a RecordTable, or RecordTable.fromTable(table, { ${members.join(', ')} })`;
}

/**
 * The faults of the indexes of a table, in words: DynamoDB rejects an item whose attribute is of another type than an
 * index has it.
 */
export function indexProblems({ table, schema }: IRecordTable): string[] {
  const types = typesIn(schema);
  const definitions = textOf(table)?.AttributeDefinitions ?? [];
  return definitions.flatMap(({ AttributeName: name, AttributeType: type }) => {
    const own = types.get(name);
    if (own === undefined || own === type) return [];
    return [
      `\`table\`: ${table.node.path} has an index on '${name}' of type ${type}, but records have type ${own} there, ` +
        'so DynamoDB would reject them. Use another table',
    ];
  });
}

const NUMBERS: ReadonlySet<string> = new Set([
  RECORD.attempt,
  RECORD.stepTimeout,
  RECORD.leaseExpiry,
  RECORD.expiry,
]);

/** The types of a record's attributes, by their names in a table of this schema. */
function typesIn(schema: TableSchema): ReadonlyMap<string, string> {
  return new Map(
    Object.values(RECORD).map(name => [attributeIn(schema, name), NUMBERS.has(name) ? 'N' : 'S']),
  );
}

function nameOfKey({ KeySchema = [] }: TableText, type: 'HASH' | 'RANGE'): string | undefined {
  return KeySchema.find(({ KeyType }) => KeyType === type)?.AttributeName;
}

function typeOf({ AttributeDefinitions = [] }: TableText, name: string | undefined): string | undefined {
  return AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType;
}

function textOf(table: ITable): TableText | undefined {
  return propertiesOf(table, ...TABLES) as TableText | undefined;
}

/** The types of resource that are a table. */
export const TABLES = ['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable'] as const;
