import type { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { RECORD } from '../state-machine/contract/record';
import { RECORD_SCHEMA, schemaProblem, type TableSchema } from '../state-machine/contract/table-schema';
import type { IRecordTable } from '../state-machine/settings';
import { describeValue } from '../state-machine/words/describe-value';
import { validateNames } from '../state-machine/words/validate-names';
import { requireKey } from './cdk/customer-key';
import { KEPT } from './cdk/removal-policy';
import { withConstructPath } from './cdk/with-construct-path';
import { isTable } from './validation/table';

/**
 * Settings of a {@link RecordTable}.
 *
 * @example
 * new RecordTable(this, 'Records', { tableName: 'records', deletionProtection: true })
 */
export interface RecordTableProps {
  /**
   * What becomes of the table when it leaves the stack. Without its records every key counts as new.
   *
   * @default RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE: retained, unless the deployment that creates it is rolled back
   */
  readonly removalPolicy?: RemovalPolicy;
  /**
   * A customer-managed key for encryption at rest.
   *
   * @default - the key that AWS manages for DynamoDB in the account
   */
  readonly encryptionKey?: IKey;
  /**
   * The name of the table. With a name, renaming or moving the construct cannot replace the table by an empty one: the
   * deployment fails instead.
   *
   * @default - CloudFormation makes one
   */
  readonly tableName?: string;
  /**
   * Whether DynamoDB rejects deletions of the table.
   *
   * @default false
   */
  readonly deletionProtection?: boolean;
  /**
   * The most write request units a second, a bound on what a storm may cost. Above it DynamoDB throttles.
   *
   * @default - no bound of the table's own
   */
  readonly maxWriteRequestUnits?: number;
  /**
   * The most read request units a second.
   *
   * @default - no bound of the table's own
   */
  readonly maxReadRequestUnits?: number;
}

/** The name of every option of a {@link RecordTable}. */
const RECORD_TABLE_PROPS: Readonly<Record<keyof RecordTableProps, true>> = {
  removalPolicy: true,
  encryptionKey: true,
  tableName: true,
  deletionProtection: true,
  maxWriteRequestUnits: true,
  maxReadRequestUnits: true,
};

/**
 * The table with the idempotency records: one item per key.
 *
 * Billed on demand, restorable to any second of the last 35 days, encrypted, and cleaned by TTL some days after a
 * record's retention has ended. One table may serve many workflows, each with its own scope.
 *
 * @see https://github.com/onceflow/onceflow/blob/main/docs/reference/record.md
 *
 * @example
 * const table = new RecordTable(stack, 'Records');
 * new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step, table });
 */
export class RecordTable extends Construct implements IRecordTable {
  /**
   * Keeps the records in an existing table, also beside other items. Its partition key has any name and holds
   * `<scope>#<key>`. Its sort key, if it has one, holds the same text in every record.
   *
   * Choose the text, or the scope, such that no other item has the same key: an item there that is not a record is
   * never changed, unless its TTL attribute is over.
   *
   * @throws Error for a schema that no table of records can have; where the table is defined in the app, the construct
   * that uses it rejects one that the table does not have
   *
   * @example
   * const table = RecordTable.fromTable(orders, {
   *   partitionKey: 'PK',
   *   sortKey: { name: 'SK', value: 'IDEMPOTENCY' },
   *   timeToLiveAttribute: 'ttl',
   * });
   */
  static fromTable(table: ITable, schema: TableSchema): IRecordTable {
    if (!isTable(table)) {
      throw new Error(
        `\`RecordTable.fromTable\` takes a DynamoDB table as a construct, such as new Table(this, …), got ${describeValue(table)}`,
      );
    }
    withConstructPath(table, () => {
      const problem = schemaProblem(schema);
      if (problem !== undefined) throw new Error(`\`RecordTable.fromTable\`: ${problem}`);
    });
    return { table, schema };
  }

  /** The table itself, for grants and metrics. */
  readonly table: ITable;
  /** The name of the table: what `startOnce` takes as `table`, and the command line as `--table`. */
  readonly tableName: string;
  readonly tableArn: string;
  readonly schema: TableSchema = RECORD_SCHEMA;

  constructor(scope: Construct, id: string, props: RecordTableProps = {}) {
    super(scope, id);
    withConstructPath(this, () => validateNames('RecordTable', props, RECORD_TABLE_PROPS));
    const { encryptionKey } = props;
    if (encryptionKey) withConstructPath(this, () => requireKey(encryptionKey, this));
    const { tableName, deletionProtection, maxWriteRequestUnits, maxReadRequestUnits } = props;
    this.table = new Table(this, 'Resource', {
      ...(tableName !== undefined && { tableName }),
      ...(deletionProtection !== undefined && { deletionProtection }),
      ...(maxWriteRequestUnits !== undefined && { maxWriteRequestUnits }),
      ...(maxReadRequestUnits !== undefined && { maxReadRequestUnits }),
      partitionKey: { name: RECORD.idempotencyKey, type: AttributeType.STRING },
      timeToLiveAttribute: RECORD.expiry,
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      ...(encryptionKey
        ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey }
        : { encryption: TableEncryption.AWS_MANAGED }),
      removalPolicy: props.removalPolicy ?? KEPT,
    });
    this.tableName = this.table.tableName;
    this.tableArn = this.table.tableArn;
  }
}

/** For constructs that take either: the table, and its schema. A table alone has that of a {@link RecordTable}. */
export function recordTableOf(given: ITable | IRecordTable): IRecordTable {
  // CDK's own tables have a method of this name.
  const isRecordTable = typeof (given as Partial<IRecordTable> | null)?.schema === 'object';
  return isRecordTable ? (given as IRecordTable) : { table: given as ITable, schema: RECORD_SCHEMA };
}
