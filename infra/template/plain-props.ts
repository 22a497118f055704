import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus, type IEventBus } from 'aws-cdk-lib/aws-events';
import { Role } from 'aws-cdk-lib/aws-iam';
import { Key as EncryptionKey } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { TableSchema } from '../../state-machine/contract/table-schema';
import { FailureDestination } from '../../state-machine/options/failure-destination';
import { KeepPayload } from '../../state-machine/options/keep-payload';
import { Key } from '../../state-machine/options/key';
import { OnFailed, type StoredFailureOptions } from '../../state-machine/options/on-failed';
import { OnInProgress } from '../../state-machine/options/on-in-progress';
import { Redrive } from '../../state-machine/options/redrive';
import { Results } from '../../state-machine/options/results';
import { StoreError } from '../../state-machine/options/store-error';
import { SuccessDestination } from '../../state-machine/options/success-destination';
import type { IdempotentWorkflowProps } from '../idempotent-workflow-props';
import { RecordTable } from '../record-table';
import { Recovery } from '../recovery';
import {
  arnOf,
  durationOf,
  membersOf,
  nameOrArnOf,
  type Plain,
  type PlainObject,
  textOf,
  withDurations,
} from './plain';

/** Makes what a prop takes in code of what a file says. */
type Reader = (value: Plain, prop: string, scope: Construct) => unknown;

/** The event bus that `eventBus` names, by name or ARN. */
function eventBusOf({ eventBus }: PlainObject, prop: string, scope: Construct): IEventBus {
  const name = nameOrArnOf(eventBus, `${prop}.eventBus`, 'eventBus', 'a bus');
  const id = `${prop}Bus`;
  return name.startsWith('arn:')
    ? EventBus.fromEventBusArn(scope, id, name)
    : EventBus.fromEventBusName(scope, id, name);
}

function queueOf({ queue }: PlainObject, prop: string, scope: Construct): IQueue {
  return Queue.fromQueueArn(scope, `${prop}Queue`, arnOf(queue, `${prop}.queue`, 'queue'));
}

const tableOf: Reader = (value, prop, scope) => {
  const table = nameOrArnOf(value, prop, 'table', 'a table');
  return table.startsWith('arn:')
    ? Table.fromTableArn(scope, 'Table', table)
    : Table.fromTableName(scope, 'Table', table);
};

/** The static methods of the classes that props take, by prop and method. */
const METHODS: Readonly<Record<string, Readonly<Record<string, Reader>>>> = {
  idempotencyKey: {
    ofPayload: value => Key.ofPayload(value as string),
    unchecked: (value, prop) => {
      const { expression, ...options } = membersOf(value, `${prop}.unchecked`);
      return Key.unchecked(expression as string, options as { readonly reason: string });
    },
  },
  keepPayload: { all: () => KeepPayload.all(), redacted: value => KeepPayload.redacted(value as string) },
  onDuplicateInProgress: {
    fail: () => OnInProgress.fail(),
    wait: (value, prop) => OnInProgress.wait(durationOf(value, `${prop}.wait`)),
  },
  onFailedBefore: {
    retry: () => OnFailed.retry(),
    returnStoredFailure: (value, prop) =>
      OnFailed.returnStoredFailure(membersOf(value, `${prop}.returnStoredFailure`) as StoredFailureOptions),
  },
  storeError: {
    all: () => StoreError.all(),
    nameOnly: () => StoreError.nameOnly(),
    upTo: value => StoreError.upTo(value as number),
  },
  redrive: { byFunction: () => Redrive.byFunction(), direct: () => Redrive.direct() },
  recovery: {
    none: () => Recovery.none(),
    automatic: value => Recovery.automatic(withDurations(value) as object),
  },
  results: {
    inBucket(value, prop, scope) {
      const { bucket, ...options } = membersOf(value, prop);
      const name = textOf(bucket, `${prop}.inBucket.bucket`, 'the name of a bucket');
      return Results.inBucket(Bucket.fromBucketName(scope, 'ResultsBucket', name), options);
    },
  },
  onFailure: {
    queue(value, prop, scope) {
      const { queue = null, ...options } = membersOf(value, prop);
      return FailureDestination.queue(queueOf({ queue }, prop, scope), options);
    },
    eventBus(value, prop, scope) {
      const { eventBus = null, ...options } = membersOf(value, prop);
      return FailureDestination.eventBus(eventBusOf({ eventBus }, prop, scope), options);
    },
  },
  onSuccess: {
    queue: (value, prop, scope) => SuccessDestination.queue(queueOf(membersOf(value, prop), prop, scope)),
    eventBus: (value, prop, scope) =>
      SuccessDestination.eventBus(eventBusOf(membersOf(value, prop), prop, scope)),
  },
  table: {
    fromTable(value, prop, scope) {
      const { table = null, ...schema } = membersOf(value, prop);
      const found = tableOf(table, `${prop}.fromTable.table`, scope) as Table;
      return RecordTable.fromTable(found, schema as unknown as TableSchema);
    },
  },
};

/** Props that take a construct of something that there is: in a file its name or ARN. */
const EXISTING: Readonly<Record<string, Reader>> = {
  table: tableOf,
  role: (value, prop, scope) => Role.fromRoleArn(scope, 'Role', arnOf(value, prop, 'role')),
  encryptionKey: (value, prop, scope) => EncryptionKey.fromKeyArn(scope, 'Key', arnOf(value, prop, 'key')),
};

/**
 * The props of the construct, from props that a file gives under the same names. Durations are in ISO 8601. Existing
 * resources are given by name or ARN. The value of a static method is given by the method's name, `returnStoredFailure`
 * or `{ wait: PT5M }`. All else is handed on as it is: the construct rejects what it does not take.
 *
 * @throws Error for what only code can say
 */
export function propsOf(plain: PlainObject, scope: Construct): Partial<IdempotentWorkflowProps> {
  if (plain['logs'] !== undefined)
    throw new Error(
      '`logs` needs a log group of an app, and a template has none. Leave it out, or set `metrics: true`, which creates one',
    );
  const props = Object.entries(plain).map(([prop, value]) => [prop, propOf(prop, value, scope)]);
  return Object.fromEntries(props);
}

function propOf(prop: string, value: Plain, scope: Construct): unknown {
  const methods = Object.hasOwn(METHODS, prop) ? METHODS[prop] : undefined;
  const [method, argument] = callIn(value);
  const make = methods && Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (make) return make(argument, prop, scope);
  const existing = Object.hasOwn(EXISTING, prop) ? EXISTING[prop] : undefined;
  if (existing) return existing(value, prop, scope);
  // A text, a list or a flag that the prop may take beside.
  const isOther = prop === 'idempotencyKey' || (prop === 'keepPayload' && typeof value === 'boolean');
  if (!methods || isOther) return withDurations(value, prop);
  const all = Object.keys(methods).join(' or ');
  throw new Error(`\`${prop}\` takes ${all}, got ${JSON.stringify(value)}`);
}

/** `name` and `{ name: argument }`: a method, and what it is called with. */
function callIn(value: Plain): readonly [method: string, argument: Plain] {
  if (typeof value === 'string') return [value, {}];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ['', {}];
  const [only, ...others] = Object.entries(value);
  return only && others.length === 0 ? only : ['', {}];
}
