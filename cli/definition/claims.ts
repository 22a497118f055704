import { RECORD, type TableSchema } from '../../state-machine/contract/index';
import { DISPATCHER_STATE, FRONT_DOOR_STATE, STATE } from '../../state-machine/contract/state-names';
import { type StateAt, type States, statesIn } from './states';

/** The scopes of the workflows in a definition, one for each; undefined for one that cannot be read from it. */
export function scopesIn(definition: string): readonly (string | undefined)[] {
  return claimsIn(definition).map(({ scope }) => scope);
}

/** The URL of the queue in which a dispatcher keeps what it could not start; undefined where the definition is none. */
export function keptInQueue(definition: string): string | undefined {
  const { States } = JSON.parse(definition) as { readonly States?: States };
  const { Arguments } = (States?.[DISPATCHER_STATE.keepEvent] ?? {}) as {
    readonly Arguments?: { readonly QueueUrl?: unknown };
  };
  return typeof Arguments?.QueueUrl === 'string' ? Arguments.QueueUrl : undefined;
}

/** Whether a definition is that of a front door, which makes the workflow's input of a request by HTTP. */
export function isFrontDoor(definition: string): boolean {
  const { States = {} } = JSON.parse(definition) as { readonly States?: States };
  return FRONT_DOOR_STATE.parseBody in States && FRONT_DOOR_STATE.startRequest in States;
}

/** A claim of ours within a definition. */
export interface Claim {
  /** What stands before the names of our states. */
  readonly prefix: string;
  readonly table: string;
  readonly schema: TableSchema;
  readonly scope: string | undefined;
  /** What the state machine evaluates for the record's key, without `{% %}`: the scope, `#` and the key. */
  readonly keyExpression: string;
  /** How many parts a composite key has, or that it is one value; undefined where the definition does not say. */
  readonly keyParts: number | 'one' | undefined;
  /**
   * The app's own expressions of the key, one for each part, without `{% %}`; undefined as `keyParts`, and for a key
   * that is a payload's hash.
   */
  readonly keySources: readonly string[] | undefined;
  /** The app's own expression of the payload whose hash is the key; undefined for any other key. */
  readonly keyPayloadSource: string | undefined;
  /** The app's own expression of the payload; undefined where none is compared. */
  readonly payloadSource: string | undefined;
  /** True where an execution begins with it, so that its input is the execution's. */
  readonly isStart: boolean;
  /** The states beside it, itself included. */
  readonly states: States;
}

/** The claims of the workflows in a definition; none where it is not a JSON document. */
export function claimsIn(definition: string): readonly Claim[] {
  try {
    const machine = JSON.parse(definition) as { readonly StartAt?: string; readonly States?: States };
    return statesIn(machine)
      .flatMap(claimAt)
      .map(claim => {
        const isStart =
          claim.states === machine.States && machine.StartAt === `${claim.prefix}${STATE.claim}`;
        return { ...claim, isStart };
      });
  } catch {
    return [];
  }
}

function claimAt({ name, state, siblings: states }: StateAt): Claim[] {
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
  const keySources = keySourcesIn(key);
  const keyPayloadSource = payloadSourceIn(key);
  const isHash = keyPayloadSource !== undefined;
  return [
    {
      prefix: name.slice(0, -STATE.claim.length),
      table: Arguments.TableName,
      schema,
      scope: scopeIn(key),
      keyExpression: key.replace(/^\{%|%\}$/g, ''),
      keyParts: isComposite(key) ? keySources?.length : keySources || isHash ? 'one' : undefined,
      keySources,
      keyPayloadSource,
      payloadSource: payloadSourceIn(Arguments.Item?.[RECORD.payloadHash]?.S),
      isStart: false,
      states,
    },
  ];
}

type Item = Readonly<Record<string, { readonly S?: unknown } | undefined>>;

const OWN: ReadonlySet<string> = new Set(
  Object.values(RECORD).filter(name => name !== RECORD.idempotencyKey && name !== RECORD.expiry),
);

// The condition says what the table calls key and expiry; the one attribute more that is no record's is the sort key.
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

// The key's expression has the scope near its end as a literal, written with JSON's escapes in single quotes.
function scopeIn(keyExpression: string): string | undefined {
  const literal = SCOPE.exec(keyExpression)?.[1];
  if (literal === undefined) return undefined;
  try {
    return JSON.parse(`"${literal.replaceAll('"', '\\"')}"`) as string;
  } catch {
    return undefined;
  }
}

const SCOPE = /\? '((?:[^'\\]|\\.)*)#' & (?:\(\$length\(\$id\)[^{}]*|\$hash\(\$text, 'SHA-256'\)) \) %\}$/;
const COMPOSITE = /\$id := \$join\(\[\$part\(\((.*?)\)\)\], ','\); \$id = /s;
const SINGLE = /^\{% \( \$id := \$join\(\$map\(\((.*?)\), function\(\$p\) /s;
const PAYLOAD = /^\{% \( \$root := \{'at': '', 'v': \((.*?)\)\}; \$quoted := /s;

function isComposite(keyExpression: string): boolean {
  return COMPOSITE.test(keyExpression);
}

// A composite key calls a function for each of its parts, one expression a single time for all of them.
function keySourcesIn(keyExpression: string): readonly string[] | undefined {
  const single = SINGLE.exec(keyExpression)?.[1];
  if (single !== undefined) return [single];
  return COMPOSITE.exec(keyExpression)?.[1]?.split(')), $part((');
}

function payloadSourceIn(hashExpression: unknown): string | undefined {
  return typeof hashExpression === 'string' ? PAYLOAD.exec(hashExpression)?.[1] : undefined;
}
