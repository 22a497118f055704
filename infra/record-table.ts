import type { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { RECORD } from '../state-machine/contract/record';

/** Settings of a {@link RecordTable}. */
export interface RecordTableProps {
  /**
   * What becomes of the table when it leaves the stack. Without its records every key counts as new.
   *
   * @default - RETAIN
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
   * Whether DynamoDB refuses to delete the table.
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

/**
 * The table with the idempotency records: one item per key.
 *
 * Billed on demand, restorable to any second of the last 35 days, encrypted, and cleaned by TTL some days after a
 * record's retention has ended. One table may serve many workflows, each with its own scope.
 *
 * @see https://github.com/onceflow/onceflow/blob/main/docs/reference/record.md
 */
export class RecordTable extends Construct {
  /** The table itself, for grants and metrics. */
  readonly table: ITable;
  /** The name of the table: what `startOnce` takes as `table`, and the command line as `--table`. */
  readonly tableName: string;
  readonly tableArn: string;

  constructor(scope: Construct, id: string, props: RecordTableProps = {}) {
    super(scope, id);
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
      ...(props.encryptionKey
        ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: props.encryptionKey }
        : { encryption: TableEncryption.AWS_MANAGED }),
      ...(props.removalPolicy ? { removalPolicy: props.removalPolicy } : {}),
    });
    this.tableName = this.table.tableName;
    this.tableArn = this.table.tableArn;
  }
}

/** For constructs that take either: the table itself. */
export function tableOf(table: ITable | RecordTable): ITable {
  return table instanceof RecordTable ? table.table : table;
}
