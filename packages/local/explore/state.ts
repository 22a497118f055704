import type { Effect, Execution, Timer } from '../engine/index';
import type { Json } from '../json/json';
import type { Item } from '../services/dynamodb/table/attribute-value';
import type { Table } from '../services/dynamodb/table/table';
import type { OrphanedRequest } from './kernel/index';

/** A call that an execution has made. */
export type Call = Effect & { readonly kind: 'call' };

/** An execution with what it waits for. It never changes. */
export interface ExecutionState {
  /** From 1, in the order in which they began. */
  readonly number: number;
  /** The index of the input that it was started with. */
  readonly input: number;
  readonly execution: Execution;
  readonly calls: readonly Call[];
  readonly timers: readonly Timer[];
}

/**
 * Something that was done in a service other than DynamoDB, in the order in which it was done.
 *
 * @example
 * const charges = (seen: Seen) => seen.effects.filter(({ stateName }: EffectRecord) => stateName === 'Charge');
 */
export interface EffectRecord {
  readonly stateName: string;
  /** The integration, e.g. `lambda:invoke`. */
  readonly resource: string;
  readonly arguments: Json;
  /** The number of the execution that asked for it. */
  readonly execution: number;
}

/** A place in an item, as a document path; without a piece the whole item. */
export type DocumentPath = readonly (string | number)[];

/** What an execution has read or written of an item, and what others have changed of that since. */
export interface Knowledge {
  readonly known: readonly DocumentPath[];
  readonly stale: readonly DocumentPath[];
}

/** What executions know of items, by table and key, and by the number of the execution. */
type Reads = ReadonlyMap<string, Readonly<Record<string, Knowledge>>>;

/** All that there is at one moment. It never changes: what happens leads to another. */
export interface ModelState {
  /** Epoch milliseconds. */
  readonly now: number;
  /** How often each input has been delivered. */
  readonly delivered: readonly number[];
  /** How many faults there have been. */
  readonly faults: number;
  readonly executions: readonly ExecutionState[];
  readonly orphans: readonly OrphanedRequest<Call>[];
  readonly effects: readonly EffectRecord[];
  readonly tables: ReadonlyMap<string, Table>;
  /** What executions know of items, if lost writes are looked for. */
  readonly reads?: Reads;
  /** The write that has destroyed another, in words. */
  readonly lost?: string;
}

/** A text that two states share if and only if the same can come of them. */
export function stateText(state: ModelState): string {
  const { now, executions, orphans } = state;
  const parts = executions.map(execution => textOf(execution, () => execution));
  return JSON.stringify([now, parts, orphans, ...sharedParts(state)]);
}

/**
 * A text that two states share if the same can come of them, at another time. The workflow must not look at the clock.
 */
export function timelessText(state: ModelState): string {
  const { now, executions, orphans } = state;
  const ids = new Map<unknown, number>();
  const text = JSON.stringify([executions, orphans], (name: string, value: unknown) => {
    if (OF_TIME.has(name)) return undefined;
    if (DATA.has(name)) return JSON.stringify(value);
    if (name === 'due' || name === 'until') return Number(value) - now;
    if (!IDS.has(name)) return value;
    if (!ids.has(value)) ids.set(value, ids.size);
    return ids.get(value);
  });
  return JSON.stringify([text, ...sharedParts(state)]);
}

/** What grows with time, and what contains data of the workflow, in which any name can be. */
const OF_TIME = new Set([
  ...[
    'lastEventId',
    'transitions',
    'startedAt',
    'lastAdvancedAt',
    'eventIdBeforeAdvance',
    'redrivenAt',
    'at',
  ],
  ...['enteredAt', 'enteredEventId', 'enteredFrom', 'previousEventId'],
]);
const DATA = new Set(['input', 'output', 'variables', 'arguments', 'item', 'items', 'end']);
const IDS = new Set(['taskId', 'timerId', 'pauseId']);

function sharedParts({ delivered, faults, effects, tables, reads, lost }: ModelState): readonly unknown[] {
  const items = [...tables].map(([name, table]) => [name, textOf(table, () => sorted(table))]);
  const past = effects.map(effect => textOf(effect, () => effect));
  return [delivered, faults, past, items, ...(reads ? [[...reads].sort(), lost] : [])];
}

// A part that does not change has one text, however many states it is part of.
const TEXTS = new WeakMap<object, string>();

function textOf(value: object, shown: () => unknown): string {
  const known = TEXTS.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(shown());
  TEXTS.set(value, text);
  return text;
}

function sorted({ items }: Table): readonly unknown[] {
  const byName = (item: Item) => Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1));
  return [...items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, byName(item)]);
}
