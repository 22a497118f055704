import { Duration, Token } from 'aws-cdk-lib';
import { type ITable, Table } from 'aws-cdk-lib/aws-dynamodb';
import { RECORD, SCOPE_BYTES_MAX } from '../../state-machine/contract/record';

/** The scopes in use, by table: two workflows that share both would take each other's records for their own. */
const SCOPES = new WeakMap<ITable, Set<string>>();

/**
 * Refuses a table without the records' key, and a scope that another workflow of the table has.
 *
 * @throws Error with the remedy
 */
export function validateTable(table: ITable, scope: string): void {
  if (table instanceof Table) {
    const name = table.schemaV2().partitionKeys[0]?.name;
    if (name !== RECORD.idempotencyKey) {
      throw new Error(
        `\`table\` must have the partition key ${RECORD.idempotencyKey}, got ${name}; use a RecordTable`,
      );
    }
  }
  const scopes = SCOPES.get(table) ?? new Set();
  if (scopes.has(scope)) {
    throw new Error(
      `\`scope\` must be another for each workflow of a table, got ${scope} again; set \`scope\``,
    );
  }
  SCOPES.set(table, scopes.add(scope));
}

/** Refuses what is neither a function nor chainable. @throws Error with the remedy */
export function validateStep(step: unknown): void {
  const isStep = typeof step === 'object' && step !== null && ('functionArn' in step || 'startState' in step);
  if (isStep) return;
  throw new Error(`\`step\` must be a Lambda function, a task or a chain of states, got ${nameOf(step)}`);
}

/** Refuses a scope that could not be told from the key behind it. @throws Error with the remedy */
export function validateScope(scope: string): void {
  if (Token.isUnresolved(scope)) return;
  const isText = typeof scope === 'string' && scope !== '' && !scope.includes('#');
  if (isText && Buffer.byteLength(scope) <= SCOPE_BYTES_MAX) return;
  throw new Error(
    `\`scope\` must have 1 to ${SCOPE_BYTES_MAX} bytes and no '#', which ends it in the record; ` +
      `got ${JSON.stringify(scope)}; set \`scope\``,
  );
}

/** Refuses what is no Duration. @throws Error with the remedy */
export function validateDuration(duration: Duration | undefined, prop: string): void {
  if (duration === undefined || duration instanceof Duration) return;
  throw new Error(`\`${prop}\` must be a Duration such as Duration.days(30), got ${nameOf(duration)}`);
}

/** Refuses a retention that keeps nothing. @throws Error with the remedy */
export function validateRetention(retention: Duration): void {
  if (retention.isUnresolved() || retention.toSeconds() > 0) return;
  throw new Error(
    '`retention` must be at least one second, got 0; a record that never counts deduplicates nothing',
  );
}

function nameOf(value: unknown): string {
  return value === null || typeof value !== 'object'
    ? String(value)
    : (value.constructor?.name ?? 'an object');
}
