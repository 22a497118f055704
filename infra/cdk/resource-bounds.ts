import { Stack, Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import {
  compareEnvironment,
  type Environment,
  environmentOf,
} from '../../state-machine/template/environment';
import { documentation } from '../../state-machine/words/documentation';
import { type ArnKind, requireArn } from './arns';

/** What AWS takes of a resource of another account or region. */
interface Bounds {
  /** What it must be; undefined: the option takes several kinds, names, or a construct that no ARN imports. */
  readonly kind: ArnKind | undefined;
  /** What must be the stack's own; the other may differ, and a request then has the resource's ARN or URL. */
  readonly own: readonly (keyof Environment)[];
  readonly because: string;
  /** What to do instead. */
  readonly remedy: string;
}

const CALLED: Omit<Bounds, 'kind'> = {
  own: ['region'],
  because: 'Step Functions calls services only in its own region',
  remedy: 'Use one of the region',
};
const READ_BY_PIPE: Omit<Bounds, 'kind'> = {
  own: ['account', 'region'],
  because: 'AWS documents pipes only for sources of their own account and region',
  remedy: 'Copy the records to a stream or queue of the account and region of the workflow',
};
const ENCRYPTING: Omit<Bounds, 'kind'> = {
  own: ['region'],
  because: 'KMS keys encrypt only in their own region',
  remedy: 'Use a key of the region, or the replica of a multi-region key',
};
const BOTH = ['account', 'region'] as const;

/** Every option that takes a resource, by its name in messages. */
export const RESOURCE_BOUNDS = {
  step: { ...CALLED, kind: 'function' },
  table: { ...CALLED, kind: 'table' },
  results: { ...CALLED, kind: 'bucket' },
  onFailure: { ...CALLED, kind: undefined },
  onSuccess: { ...CALLED, kind: undefined },
  role: {
    kind: 'role',
    own: ['account'],
    because: 'IAM does not let a state machine use a role of another account',
    remedy: 'Use a role of the account',
  },
  encryptionKey: { ...ENCRYPTING, kind: 'key' },
  logs: {
    kind: 'logGroup',
    own: BOTH,
    because: 'Step Functions delivers logs only to its own account and region',
    remedy: 'Use a log group there, and forward it with a subscription filter',
  },
  formerStateMachines: {
    kind: undefined,
    own: BOTH,
    because: 'onceflow looks up their executions there',
    remedy: 'Leave it out: its records belong to another workflow',
  },
  grantTo: {
    kind: 'stateMachine',
    own: BOTH,
    because: 'the function of the fragment redrives its executions there',
    remedy: 'Define the fragment in the stack of the state machine',
  },
  'Source.eventBridge': {
    kind: 'eventBus',
    own: BOTH,
    because: 'a rule starts only state machines of the account and region of its bus',
    remedy: `Forward the events to a bus of the workflow: ${documentation('docs/guide/sources.md#a-bus-of-another-account')}`,
  },
  'Source.customEventBus': {
    kind: 'customEventBus',
    own: ['region'],
    because: 'a subscriber starts only state machines of the region of its bus',
    remedy: 'Publish to a custom event bus of the region',
  },
  'Source.queue': {
    kind: 'queue',
    own: ['region'],
    because: 'Lambda reads queues only in its own region',
    remedy: 'Subscribe a queue of the region to the sender',
  },
  'Source.topic': {
    kind: 'topic',
    own: ['region'],
    because: 'SNS needs the dead-letter queue of a subscription in the region of the topic',
    remedy: 'Subscribe a queue of your own, and use `Source.queue`',
  },
  'Source.http': {
    kind: undefined,
    own: BOTH,
    because: 'API Gateway calls Step Functions with a role of its own account, and in its own region',
    remedy: 'Define the workflow in the stack of the API',
  },
  'RecordStream.kinesis': { ...READ_BY_PIPE, kind: 'stream' },
  'RecordStream.dynamoDb': { ...READ_BY_PIPE, kind: 'table' },
  'RecordStream.msk': { ...READ_BY_PIPE, kind: 'cluster' },
  saslScram512Auth: {
    kind: 'secret',
    own: ['region'],
    because: 'a pipe reads secrets only in its own region',
    remedy: 'Replicate the secret to the region',
  },
  Monitoring: {
    kind: 'stateMachine',
    own: BOTH,
    because: 'the metrics of the workflow are there',
    remedy: 'Create it in the stack of the workflow',
  },
} as const satisfies Readonly<Record<string, Bounds>>;

/**
 * Rejects a resource of another kind, as an import can be, and one of another account or region, if AWS does not take
 * it for this option and synthesis knows both.
 *
 * @throws Error with the remedy
 */
export function requireOwn(
  option: keyof typeof RESOURCE_BOUNDS,
  resource: object,
  arn: string,
  scope: IConstruct,
  kind: ArnKind | undefined = RESOURCE_BOUNDS[option].kind,
): void {
  const { own, because, remedy }: Bounds = RESOURCE_BOUNDS[option];
  const { region } = Stack.of(scope);
  if (kind) requireArn(option, kind, arn, Token.isUnresolved(region) ? undefined : region);
  const compared = compareEnvironment(resource, arn, scope);
  if (own.every(part => compared[part] !== 'other')) return;
  const valuesOf = (environment: Environment) => own.map(part => environment[part]).join(' and ');
  const { node } = resource as Partial<IConstruct>;
  const got = node && Token.isUnresolved(arn) ? node.path : `'${arn}'`;
  throw new Error(
    `\`${option}\` must be in the ${own.join(' and ')} of the stack, ${valuesOf(Stack.of(scope))}, because ${because}; ` +
      `got ${got} of ${valuesOf(environmentOf(resource, arn, scope))}. ${remedy}`,
  );
}
