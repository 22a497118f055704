import { findResource } from '../assembly/find-resource';
import type { Machine } from '../engine/index';
import type { Json } from '../json/json';
import { type Definition, parseDefinition, type State } from '../language/index';
import type { Assembly } from '../load-assembly';
import type { JobResult } from '../runtime/calls/service';
import type { Item } from '../services/dynamodb/table/attribute-value';
import { type KeyAttribute, type KeySchema, keyTextOfItem } from '../services/dynamodb/table/key';
import { RequestError } from '../services/dynamodb/table/request-error';
import type { Table } from '../services/dynamodb/table/table';
import { atOnce, ExploreError, OPERATIONS, operationOf } from './kernel/index';
import type { EffectRecord } from './state';

/**
 * The name of a key, of type S, or its name and type.
 *
 * @example
 * const partitionKey: ExploredKey = { name: 'orderId', type: 'S' };
 */
export type ExploredKey = string | { readonly name: string; readonly type: 'S' | 'N' | 'B' };

/**
 * A table that the workflow uses.
 *
 * @example
 * const records: ExploredTable = { partitionKey: 'idempotencyKey' };
 */
export interface ExploredTable {
  readonly partitionKey: ExploredKey;
  /** @default - none */
  readonly sortKey?: ExploredKey;
  /** What is in it at the beginning, in DynamoDB's JSON: `{ orderId: { S: 'order-1' } }`. @default - nothing */
  readonly items?: readonly Item[];
}

/**
 * What a service other than DynamoDB does when it is called: it must answer the same to the same.
 *
 * @example
 * const charge: ExploredEffect = (_call, before) => ({ Payload: { charges: before.length + 1 } });
 */
export type ExploredEffect = (
  call: EffectRecord,
  /** The steps before this one. */
  before: readonly EffectRecord[],
) => Json | { readonly error: string; readonly cause?: string };

/**
 * A workflow to explore.
 *
 * @example
 * const subject: ExploreSubject = { definition, inputs: [{ orderId: 'order-7' }], tables: { records } };
 */
export interface ExploreSubject {
  /** The definition: as an object, as text, or of a state machine of an assembly. */
  readonly definition: Json | { readonly assembly: Assembly; readonly stateMachine: string };
  /** The inputs of its executions. */
  readonly inputs: readonly Json[];
  /** The tables, by name. @default - those of the assembly, empty */
  readonly tables?: Readonly<Record<string, ExploredTable>>;
  /**
   * What services answer, by the name of the state or by the integration. An object with a text as `error` is a
   * failure.
   *
   * @default - `lambda:invoke` has null as its `Payload`, everything else answers `{}`
   */
  readonly effects?: Readonly<Record<string, ExploredEffect>>;
  /**
   * Whether a call without a caller that waits arrives before the `TimeoutSeconds` of its state are over, or never.
   * That holds if these seconds are at least the time that the called service may work. Otherwise it arrives at any
   * time. @default false
   */
  readonly callsEndInTime?: boolean;
}

/** A subject as the search has it. */
export interface LoadedSubject {
  readonly machine: Machine;
  readonly inputs: readonly Json[];
  readonly tables: ReadonlyMap<string, Table>;
  readonly answer: (call: EffectRecord, before: readonly EffectRecord[]) => JobResult;
  readonly callsEndInTime: boolean;
  /** Whether what the workflow does can depend on the time. */
  readonly looksAtClock: boolean;
}

/** What JSONata and the context object say of the time, and states that wait until a moment. */
const CLOCK = /\$now\b|\$millis\b|\.(?:Entered|Start|Redrive)Time|"Timestamp/;

const ARN = 'arn:aws:states:us-east-1:111111111111:stateMachine:Explored';

/** Reads a subject. @throws ExploreError for a definition or a state machine that cannot be explored */
export function loadSubject(subject: ExploreSubject): LoadedSubject {
  const { inputs, effects = {}, callsEndInTime = false } = subject;
  const { text, tables } = sourceOf(subject);
  const parsed = parseDefinition(text);
  if (parsed.kind === 'problems') {
    const problems = parsed.problems.map(
      ({ location, message }) => `${location ?? 'definition'}: ${message}`,
    );
    throw new ExploreError(['the definition cannot be explored:', ...problems].join('\n  '));
  }
  const { definition } = parsed;
  const unknown = [...definition.states.values()].flatMap(state => unexploredIn(state) ?? []);
  if (unknown.length > 0) {
    const remedy = 'give a definition that has a call in its place, such as of lambda:invoke';
    const lines = ['these states cannot be explored:', ...unknown].join('\n  ');
    throw new ExploreError(`${lines}\n${remedy}`);
  }
  checkEffects(effects, definition);
  checkTables(subject, text);
  return {
    machine: { definition, arn: ARN, name: 'Explored', roleArn: '' },
    inputs,
    tables: new Map(Object.entries(tables).map(([name, table]) => [name, tableOf(name, table)])),
    answer: (call, before) => answerOf(effects[call.stateName] ?? effects[call.resource], call, before),
    callsEndInTime,
    looksAtClock: CLOCK.test(text),
  };
}

/** What a state does that is not explored, in words. */
function unexploredIn(state: State): string | undefined {
  if (state.kind === 'map' && state.distributed) return `"${state.name}" is a distributed Map`;
  if (state.kind !== 'task') return undefined;
  const { pattern, integration } = state.resource;
  if (pattern !== 'request' && pattern !== 'function')
    return `"${state.name}" waits for something outside (${integration}, ${pattern})`;
  const operation = operationOf(integration);
  if (operation === undefined || OPERATIONS.includes(operation)) return undefined;
  return `"${state.name}" calls ${integration}; of tables only ${OPERATIONS.join(', ')} are known`;
}

/** Rejects the name of an effect that no call has: its call would get the ordinary answer without a message. */
function checkEffects(effects: NonNullable<ExploreSubject['effects']>, { states }: Definition): void {
  const tasks = [...states.values()].flatMap(state => (state.kind === 'task' ? [state] : []));
  const calls = tasks.filter(({ resource }) => operationOf(resource.integration) === undefined);
  const known = new Set(calls.flatMap(({ name, resource }) => [name, resource.integration]));
  for (const name of Object.keys(effects)) {
    if (known.has(name)) continue;
    const listed = [...known].map(each => `"${each}"`).join(', ') || 'none';
    throw new ExploreError(
      `"${name}" of \`effects\` is neither a state nor an integration that they answer for; there are: ${listed}`,
    );
  }
}

/** A name that is computed: of a table, or within parameters that are one expression. */
const COMPUTED = /"(?:TableName|Arguments|Parameters)" *: *"\{%|"(?:TableName|Parameters)\.\$"/;

/** Rejects a table that no call can name: its items would be in no table that is used. */
function checkTables({ definition, tables = {} }: ExploreSubject, text: string): void {
  if (COMPUTED.test(text)) return;
  const { assembly } = definition as { readonly assembly?: Assembly };
  const named = [...text.matchAll(/"TableName" *: *"(?:arn:[^"]*:table\/)?([^"]+)"/g)].map(
    ([, name = '']) => name,
  );
  const known = new Set([...named, ...(assembly?.tables ?? []).map(({ name }) => name)]);
  const unknown = Object.keys(tables).filter(name => !known.has(name));
  // A definition that calls no table is given those of others, and needs none.
  if (unknown.length === 0 || known.size === 0) return;
  const listed = [...known].join(', ');
  throw new ExploreError(`\`tables\` has ${unknown.join(', ')}, which no call uses; there are: ${listed}`);
}

function sourceOf({ definition, tables }: ExploreSubject): {
  readonly text: string;
  readonly tables: Readonly<Record<string, ExploredTable>>;
} {
  if (typeof definition === 'string') return { text: definition, tables: tables ?? {} };
  const of = definition as { readonly assembly?: Assembly; readonly stateMachine?: string } | null;
  if (!of?.assembly || of.stateMachine === undefined) {
    return { text: JSON.stringify(definition), tables: tables ?? {} };
  }
  const { namedResources, stateMachines, tables: deployed } = of.assembly;
  const machine = stateMachines.find(
    ({ arn }) => arn === machineArnOf(of.stateMachine as string, namedResources),
  );
  if (!machine) throw new ExploreError(`${of.stateMachine} is not run here`);
  const own = deployed.map(({ name, createTable }) => [name, keysOf(createTable)] as const);
  return { text: machine.definitionText, tables: { ...Object.fromEntries(own), ...tables } };
}

/** The ARN of a state machine that is given by it, or by the path of its construct. */
function machineArnOf(path: string, resources: Assembly['namedResources']): string | undefined {
  if (path.startsWith('arn:')) return path;
  const found = findResource(resources, path, 'AWS::StepFunctions::StateMachine');
  if (found.kind === 'problem') throw new ExploreError(found.message);
  return found.resource.arn;
}

function keysOf({
  KeySchema,
  AttributeDefinitions,
}: Assembly['tables'][number]['createTable']): ExploredTable {
  const keyOf = (kind: string): ExploredKey | undefined => {
    const { AttributeName: name } = KeySchema.find(({ KeyType }) => KeyType === kind) ?? {};
    const { AttributeType: type = 'S' } =
      AttributeDefinitions.find(({ AttributeName }) => AttributeName === name) ?? {};
    return name === undefined ? undefined : { name, type };
  };
  const sortKey = keyOf('RANGE');
  return { partitionKey: keyOf('HASH') ?? '', ...(sortKey !== undefined && { sortKey }) };
}

function attributeOf(key: ExploredKey): KeyAttribute {
  return typeof key === 'string' ? { name: key, type: 'S' } : key;
}

function tableOf(name: string, { partitionKey, sortKey, items = [] }: ExploredTable): Table {
  const sort = sortKey === undefined ? {} : { sort: attributeOf(sortKey) };
  const schema: KeySchema = { partition: attributeOf(partitionKey), ...sort };
  const keyIn = (item: Item) => {
    try {
      return keyTextOfItem(schema, item);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      throw new ExploreError(`an item of the table ${name} of \`tables\` is rejected: ${error.message}`);
    }
  };
  return { schema, items: new Map(items.map(item => [keyIn(item), item])) };
}

function answerOf(
  effect: ExploredEffect | undefined,
  call: EffectRecord,
  before: readonly EffectRecord[],
): JobResult {
  if (!effect) {
    const isInvoke = call.resource === 'lambda:invoke';
    return { kind: 'succeeded', output: isInvoke ? { Payload: null, StatusCode: 200 } : {} };
  }
  const output = atOnce(asked(effect, call, before), `the effect of "${call.stateName}"`);
  if (output === undefined) {
    throw new ExploreError(`the effect of "${call.stateName}" answers undefined; give JSON, such as null`);
  }
  const { error, cause = '' } = (output ?? {}) as { readonly error?: unknown; readonly cause?: unknown };
  const text = typeof cause === 'string' ? cause : JSON.stringify(cause);
  return typeof error === 'string'
    ? { kind: 'failed', error, cause: text }
    : { kind: 'succeeded', output: output as Json };
}

function asked(effect: ExploredEffect, call: EffectRecord, before: readonly EffectRecord[]): unknown {
  try {
    return effect(call, before);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ExploreError(
      `the effect of "${call.stateName}" throws: ${reason}; for a call that fails, return { error, cause }`,
      { cause: error },
    );
  }
}
