import {
  type DeployedSettings,
  type DeployedWorkflow,
  type ReadSettings,
  readSettings,
} from '../../state-machine/contract/deployed-settings';
import { RECORD, type TableSchema } from '../../state-machine/contract/index';
import { DISPATCHER_STATE, STATE } from '../../state-machine/contract/state-names';
import { type StateAt, type States, statesIn } from './states';

/** The scopes of the workflows in a definition, one for each; undefined if its settings cannot be read. */
export function scopesIn(definition: string): readonly (string | undefined)[] {
  return claimsIn(definition).map(({ settings }) => deployedIn(settings)?.scope);
}

/** The URL of the queue in which a dispatcher stores what it could not start; undefined for another definition. */
export function keptInQueue(definition: string): string | undefined {
  const keeps = statesIn(JSON.parse(definition)).find(({ name }) => name === DISPATCHER_STATE.keepEvent);
  const { Arguments } = (keeps?.state ?? {}) as { readonly Arguments?: { readonly QueueUrl?: unknown } };
  return typeof Arguments?.QueueUrl === 'string' ? Arguments.QueueUrl : undefined;
}

/** What a definition says of itself in its `Comment`. */
export function settingsOfMachine(definition: string): ReadSettings {
  try {
    return readSettings((JSON.parse(definition) as { readonly Comment?: unknown } | null)?.Comment);
  } catch {
    return { kind: 'unreadable' };
  }
}

/** Whether a definition is of the machine of this kind. */
export function isMachine(definition: string, machine: DeployedSettings['machine']): boolean {
  const read = settingsOfMachine(definition);
  return read.kind === 'settings' && read.settings.machine === machine;
}

/** A claim of ours within a definition. */
export interface Claim {
  /** What stands before the names of our states. */
  readonly prefix: string;
  readonly table: string;
  readonly schema: TableSchema;
  /** What the workflow says of itself, in the definition or in the first state of a fragment. */
  readonly settings: ReadSettings;
  /** What the state machine evaluates for the record's key, without `{% %}`: the scope, `#` and the key. */
  readonly keyExpression: string;
  /** True where an execution begins with it, so that its input is the execution's. */
  readonly isStart: boolean;
  /** The states beside it, itself included. */
  readonly states: States;
}

/** The claims of the workflows in a definition; none where it is not a JSON document. */
export function claimsIn(definition: string): readonly Claim[] {
  try {
    const machine = JSON.parse(definition) as {
      readonly Comment?: unknown;
      readonly StartAt?: string;
      readonly States?: States;
    };
    return statesIn(machine)
      .flatMap(state => claimAt(state, machine.Comment))
      .map(claim => {
        const isStart =
          claim.states === machine.States && machine.StartAt === `${claim.prefix}${STATE.claim}`;
        return { ...claim, isStart };
      });
  } catch {
    return [];
  }
}

function claimAt({ name, state, siblings: states }: StateAt, comment: unknown): Claim[] {
  if (!name.endsWith(STATE.claim)) return [];
  const { Resource, Arguments } = state as {
    readonly Resource?: string;
    readonly Arguments?: {
      readonly TableName?: unknown;
      readonly Item?: Item;
      readonly ExpressionAttributeNames?: Readonly<Record<string, unknown>>;
    };
  };
  const schema = schemaIn(Arguments?.Item ?? {}, Arguments?.ExpressionAttributeNames ?? {});
  const key = Arguments?.Item?.[schema.partitionKey]?.S;
  const isOurs = /:dynamodb:putItem$/.test(Resource ?? '') && typeof key === 'string';
  if (!isOurs || typeof Arguments?.TableName !== 'string') return [];
  const prefix = name.slice(0, -STATE.claim.length);
  // The definition around a fragment is a team's own; the fragment begins with this state.
  const first = states[`${prefix}${STATE.makeClaimId}`];
  return [
    {
      prefix,
      table: Arguments.TableName,
      schema,
      settings: readSettings(first === undefined ? comment : first['Comment']),
      keyExpression: key.replace(/^\{%|%\}$/g, ''),
      isStart: false,
      states,
    },
  ];
}

type Item = Readonly<Record<string, { readonly S?: unknown } | undefined>>;

const OWN: ReadonlySet<string> = new Set(
  Object.values(RECORD).filter(name => name !== RECORD.idempotencyKey && name !== RECORD.expiry),
);

// The condition names the attributes of key and expiry; the remaining attribute that no record has is the sort key.
function schemaIn(item: Item, names: Readonly<Record<string, unknown>>): TableSchema {
  const nameOf = (own: string) => {
    const name = names[`#${own}`];
    return typeof name === 'string' ? name : own;
  };
  const partitionKey = nameOf(RECORD.idempotencyKey);
  const timeToLiveAttribute = nameOf(RECORD.expiry);
  const others = Object.entries(item).filter(([name]) => name !== partitionKey && !OWN.has(name));
  const [sortKey] = others.flatMap(([name, value]) =>
    typeof value?.S === 'string' ? [{ name, value: value.S }] : [],
  );
  return { partitionKey, timeToLiveAttribute, ...(sortKey && { sortKey }) };
}

/** The settings of a workflow or fragment, if they could be read. */
export function deployedIn(read: ReadSettings): DeployedWorkflow | undefined {
  if (read.kind !== 'settings') return undefined;
  const { settings } = read;
  return settings.machine === 'workflow' || settings.machine === 'fragment' ? settings : undefined;
}

/** The team's own expressions of the key, one for each part; undefined for a key that is a payload's hash. */
export function keyExpressionsOf({ key }: Pick<DeployedWorkflow, 'key'>): readonly string[] | undefined {
  if (typeof key === 'string') return [key];
  return 'payload' in key ? undefined : key;
}

/** The team's own expression of the payload whose hash is the key; undefined for any other key. */
export function keyPayloadOf({ key }: Pick<DeployedWorkflow, 'key'>): string | undefined {
  return typeof key === 'object' && 'payload' in key ? key.payload : undefined;
}
