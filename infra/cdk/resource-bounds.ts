import { Stack, Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import {
  compareEnvironment,
  type Environment,
  environmentOf,
} from '../../state-machine/template/environment';
import { documentation } from '../../state-machine/words/documentation';

/** What AWS takes of a resource of another account or region. */
interface Bounds {
  /** What must be the stack's own; the other may differ, and a request then has the resource's ARN or URL. */
  readonly own: readonly (keyof Environment)[];
  readonly because: string;
  /** What to do instead. */
  readonly remedy: string;
}

const CALLED: Bounds = {
  own: ['region'],
  because: 'Step Functions calls services only in its own region',
  remedy: 'Use one of the region',
};
const READ_BY_PIPE: Bounds = {
  own: ['account', 'region'],
  because: 'AWS documents pipes only for sources of their own account and region',
  remedy: 'Copy the records to a stream or queue of the account and region of the workflow',
};
const ENCRYPTING: Bounds = {
  own: ['region'],
  because: 'KMS keys encrypt only in their own region',
  remedy: 'Use a key of the region, or the replica of a multi-region key',
};
const BOTH = ['account', 'region'] as const;

/** Every option that takes a resource, by its name in messages. */
export const RESOURCE_BOUNDS = {
  step: CALLED,
  table: CALLED,
  results: CALLED,
  onFailure: CALLED,
  onSuccess: CALLED,
  role: {
    own: ['account'],
    because: 'IAM does not let a state machine use a role of another account',
    remedy: 'Use a role of the account',
  },
  encryptionKey: ENCRYPTING,
  logs: {
    own: BOTH,
    because: 'Step Functions delivers logs only to its own account and region',
    remedy: 'Use a log group there, and forward it with a subscription filter',
  },
  formerStateMachines: {
    own: BOTH,
    because: 'onceflow looks up their executions there',
    remedy: 'Leave it out: its records belong to another workflow',
  },
  grantTo: {
    own: BOTH,
    because: 'the function of the fragment redrives its executions there',
    remedy: 'Define the fragment in the stack of the state machine',
  },
  'Source.eventBridge': {
    own: BOTH,
    because: 'a rule starts only state machines of the account and region of its bus',
    remedy: `Forward the events to a bus of the workflow: ${documentation('docs/guide/sources.md#a-bus-of-another-account')}`,
  },
  'Source.customEventBus': {
    own: ['region'],
    because: 'a subscriber starts only state machines of the region of its bus',
    remedy: 'Publish to a custom event bus of the region',
  },
  'Source.queue': {
    own: ['region'],
    because: 'Lambda reads queues only in its own region',
    remedy: 'Subscribe a queue of the region to the sender',
  },
  'Source.topic': {
    own: ['region'],
    because: 'SNS needs the dead-letter queue of a subscription in the region of the topic',
    remedy: 'Subscribe a queue of your own, and use `Source.queue`',
  },
  'Source.http': {
    own: BOTH,
    because: 'API Gateway calls Step Functions with a role of its own account, and in its own region',
    remedy: 'Define the workflow in the stack of the API',
  },
  'RecordStream.kinesis': READ_BY_PIPE,
  'RecordStream.dynamoDb': READ_BY_PIPE,
  'RecordStream.msk': READ_BY_PIPE,
  saslScram512Auth: {
    own: ['region'],
    because: 'a pipe reads secrets only in its own region',
    remedy: 'Replicate the secret to the region',
  },
  Monitoring: {
    own: BOTH,
    because: 'the metrics of the workflow are there',
    remedy: 'Create it in the stack of the workflow',
  },
} as const satisfies Readonly<Record<string, Bounds>>;

/**
 * Rejects a resource of another account or region, if AWS does not take it for this option and synthesis knows both.
 *
 * @throws Error with the remedy
 */
export function requireOwn(
  option: keyof typeof RESOURCE_BOUNDS,
  resource: object,
  arn: string,
  scope: IConstruct,
): void {
  const { own, because, remedy }: Bounds = RESOURCE_BOUNDS[option];
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
