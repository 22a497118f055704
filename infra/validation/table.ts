import { Stack, Token } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IConstruct } from 'constructs';
import { schemaProblem } from '../../state-machine/contract/table-schema';
import type { IRecordTable } from '../../state-machine/settings';
import { problemsOf } from '../../state-machine/template/at-synthesis';
import { compareEnvironment } from '../../state-machine/template/environment';
import { noted } from '../../state-machine/template/noted';
import { propertiesOf } from '../../state-machine/template/rendered-properties';
import { requireUnchanged } from '../../state-machine/template/require-unchanged';
import { describeValue } from '../../state-machine/words/describe-value';
import { requireOwn } from '../cdk/resource-bounds';
import { indexProblems, TABLES, validateSchema } from './schema';

/** The owners of the records in a table. */
export interface RecordsOf {
  readonly scope: string;
  /** False where the scope is the id of the construct. */
  readonly isScopeGiven: boolean;
}

/**
 * Rejects a schema that no table of records can have, a table that the app does not define without a scope
 * that is given, and a scope that another workflow of the table has.
 *
 * @throws Error with the remedy
 */
export function validateTable(
  construct: IConstruct,
  records: IRecordTable,
  { scope, isScopeGiven }: RecordsOf,
): void {
  const { table, schema } = records;
  if (!isTable(table)) {
    throw new Error(
      `\`table\` must be a RecordTable, or a DynamoDB table as a construct, got ${describeValue(table)}`,
    );
  }
  requireOwn('table', table, table.tableArn, construct);
  const problem = schemaProblem(schema);
  if (problem !== undefined) throw new Error(problem);
  if (isImported(table) && !isScopeGiven) {
    throw new Error(
      '`scope` is required if the app does not define the table, because another stack might store records in it too. ' +
        `Set a \`scope\` that no other workflow of the table has (the id of the construct is ${scope})`,
    );
  }
  const scopes = scopesOn(table);
  if (scopes.has(scope)) {
    throw new Error(
      `\`scope\` '${scope}' is already used by another workflow on this table. Give each workflow its own \`scope\``,
    );
  }
  scopes.add(scope);
  requireUnchanged(table, KEY_OF_A_TABLE, table.encryptionKey?.keyArn, 'Set `encryptionKey` of the table');
}

const KEY_OF_A_TABLE = {
  'AWS::DynamoDB::Table': ['SSESpecification', 'KMSMasterKeyId'],
  'AWS::DynamoDB::GlobalTable': ['Replicas', '0', 'SSESpecification', 'KMSMasterKeyId'],
};

/** Whether it is a table of DynamoDB as a construct. */
export function isTable(given: unknown): given is ITable {
  return typeof given === 'object' && given !== null && 'tableName' in given && 'tableArn' in given;
}

/** The scopes in use: two workflows that share table and scope would take each other's records for their own. */
function scopesOn(table: ITable): Set<string> {
  // A table of the app has no name yet. One that a stack imports may be imported twice, so it is known by its name.
  if (Token.isUnresolved(table.tableName)) return noted(table, 'Scopes', () => new Set());
  const isOther = compareEnvironment(table, table.tableArn, table).account === 'other';
  const name = isOther ? table.tableArn : table.tableName;
  return noted(Stack.of(table), `ScopesOf${name.replaceAll('/', ':')}`, () => new Set());
}

function isImported({ node }: ITable): boolean {
  return node.defaultChild === undefined;
}

/** The faults of a table when the app has been put together, in words. Empty if that is unknown at synthesis. */
export function tableProblems(records: IRecordTable): string[] {
  return [
    ...problemsOf(() => validateSchema(records)),
    ...replicaProblems(records.table),
    ...indexProblems(records),
  ];
}

// Of two regions each would let one execution claim a key, and neither can ask about the owners of the other.
function replicaProblems(table: ITable): string[] {
  const regions = replicasOf(table);
  if (regions.length === 0) return [];
  return [
    `\`table\` must be in one region, because a key is claimed in one table; ${table.node.path} has replicas ` +
      `(${regions.join(', ')}). Use a table without replicas, and one region for each key`,
  ];
}

function replicasOf(table: ITable): readonly string[] {
  const { Replicas } = propertiesOf(table, ...TABLES) ?? {};
  if (Array.isArray(Replicas)) {
    const regions = Replicas.map(({ Region }: Replica) => Region).map(region =>
      typeof region === 'string' ? region : describeValue(region),
    );
    return regions.length > 1 ? regions : [];
  }
  // What `replicationRegions` of a Table makes.
  return table.node.children.flatMap(({ node: { id } }) => /^Replica(.+)$/.exec(id)?.[1] ?? []);
}

interface Replica {
  readonly Region?: unknown;
}
