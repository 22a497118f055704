import { isJsonObject } from '../../../packages/local/json/json';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import type { TableOperation } from '../../../packages/local/services/dynamodb/table/operation';
import {
  performOn,
  type Table,
  type TableAnswer,
} from '../../../packages/local/services/dynamodb/table/table';
import { type ExploredMachine, type Subject, statesOf } from '../subject';
import { Interned } from './interned';
import type { Call } from './local-state';
import { Locals } from './locals';

/** One moment of everything. What has happened is in it only as far as it decides something, or is checked. */
export interface World {
  /** Epoch milliseconds. */
  readonly now: number;
  /** By how many milliseconds clocks may be wrong: within it an expiry may be met or not. */
  readonly skewMs: number;
  /** The record table, by its number. */
  readonly table: number;
  /** The table before its last change, where a definition has reads that may still see it; else always the same. */
  readonly tableBefore: number;
  /** The executions of the workflow, in the order of their starts, by the numbers of their states. */
  readonly executions: readonly number[];
  /** Dispatchers under way. */
  readonly dispatchers: readonly Dispatcher[];
  /** Runs of the business step's function: they outlive who called them. */
  readonly lambdas: readonly Lambda[];
  /** Requests that nobody waits for any more, and that are on their way all the same. */
  readonly strays: readonly Stray[];
  /** How many deliveries have begun, and how many there will be. */
  readonly delivered: number;
  readonly deliveries: number;
  /** How many faults there may still be. */
  readonly faults: number;
  readonly past: Past;
}

/** A dispatcher that is under way for one delivery. */
export interface Dispatcher {
  readonly delivery: number;
  readonly state: number;
  /** Whether Step Functions has answered its start, or would have, with an execution. */
  readonly isStarted: boolean;
  /** Whether the event has come to the dead-letter queue. */
  readonly isKept: boolean;
}

/** One run of the business step. */
export interface Lambda {
  /** The place of its execution. */
  readonly execution: number;
  readonly attempt: number;
  /** Epoch milliseconds until which it may go on: then the service ends it. */
  readonly until: number;
  /** Whether its execution still waits for its answer. */
  readonly isAwaited: boolean;
}

/** A request that has left an execution and is made late. */
export interface Stray {
  readonly execution: number;
  /** The call, by its number. */
  readonly call: number;
  /** Epoch milliseconds when it has been carried out, or never will be. */
  readonly until: number;
}

/** What the invariants have to remember of a key since its record was absent or expired. */
export interface Past {
  /** Runs of the step whose success came to their execution, of all retentions. All others were cut off, or failed. */
  readonly successes: number;
  /** How many of them there may be by now. */
  readonly allowed: number;
  /** Results that a record has held, as their texts, the last two. */
  readonly results: readonly string[];
  /** The executions that have written them. */
  readonly finishers: readonly number[];
  /** The payload that the key was claimed with. */
  readonly payload: number | null;
  /** The fencing token of the last run, and whose it was. */
  readonly attempt: number;
  readonly runner: number;
}

/** The record's key name. */
export const KEY_NAME = 'idempotencyKey';

/** When explorations begin. */
export const ORIGIN = Date.parse('2026-11-20T09:00:00.000Z');

/** The most faults that any exploration or walk has. */
export const FAULTS_MAX = 12;

/** What all worlds of one exploration share: states, tables and calls by their numbers. */
export class Universe {
  readonly subject: Subject;
  readonly workflow: Locals;
  readonly dispatcher: Locals | undefined;
  readonly calls = new Interned<Call>();
  /** How many milliseconds the clocks of executions are ahead of the true time, by their places, over and over. */
  skews: readonly number[] = [];
  /** What was found not to be stuck, where all had ended: by the record, the executions and the time. */
  readonly notStuck = new Set<string>();
  readonly #tables = new Interned<readonly (readonly [string, Item])[]>();
  readonly #performed = new Map<string, TableAnswer & { readonly number: number }>();

  readonly #hasLateReads: boolean;

  /** `faults`: how many there are at most. */
  constructor(subject: Subject, faults = FAULTS_MAX) {
    this.subject = subject;
    this.#hasLateReads =
      hasLateReads(subject.workflow) || (!!subject.dispatcher && hasLateReads(subject.dispatcher));
    this.workflow = new Locals(subject.workflow, faults);
    this.dispatcher = subject.dispatcher && new Locals(subject.dispatcher, faults);
  }

  tableOf(number: number): Table {
    return { keyName: KEY_NAME, items: new Map(this.#tables.get(number)) };
  }

  numberOfTable({ items }: Table): number {
    return this.#tables.numberOf([...items].map(([key, item]) => [key, sorted(item)] as const));
  }

  /** What the clock of the execution at a place says. */
  clockOf({ now }: World, place: number): number {
    return this.skews.length === 0 ? now : now + (this.skews[place % this.skews.length] ?? 0);
  }

  /** A table that is kept as the one before, if any read may still see it. */
  kept(table: number): number {
    return this.#hasLateReads ? table : 0;
  }

  /** The record of the one key that is explored; undefined where there is none. */
  recordOf({ table }: World): Item | undefined {
    return this.#tables.get(table)[0]?.[1];
  }

  /** Performs a request on a table; worked out once for each. */
  perform(table: number, operation: TableOperation, call: Call) {
    const key = `${table} ${this.calls.numberOf(call)}`;
    const known = this.#performed.get(key);
    if (known) return known;
    const answer = performOn(this.tableOf(table), operation, call.arguments);
    const performed = { ...answer, number: this.numberOfTable(answer.table) };
    this.#performed.set(key, performed);
    return performed;
  }
}

// One order of attributes for one item, however it came about.
function sorted(item: Item): Item {
  return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function hasLateReads({ json }: ExploredMachine): boolean {
  return Object.values(statesOf(json)).some(({ Resource, Arguments }) => {
    const isRead = typeof Resource === 'string' && Resource.endsWith(':dynamodb:getItem');
    return isRead && !(isJsonObject(Arguments) && Arguments['ConsistentRead'] === true);
  });
}

/** The world before anything has happened. */
export function firstWorld(universe: Universe, deliveries: number, faults: number): World {
  const table = universe.numberOfTable({ keyName: KEY_NAME, items: new Map() });
  return {
    now: ORIGIN,
    skewMs: Math.max(0, ...universe.skews.map(Math.abs)),
    table,
    tableBefore: table,
    executions: [],
    dispatchers: [],
    lambdas: [],
    strays: [],
    delivered: 0,
    deliveries,
    faults,
    past: { successes: 0, allowed: 1, results: [], finishers: [], payload: null, attempt: 0, runner: -1 },
  };
}

/** A text that two worlds share if and only if they are the same in all that matters. */
export function textOf(world: World): string {
  const { now, table, tableBefore, executions, delivered, deliveries, faults, past } = world;
  const lambdas = world.lambdas
    .map(l => `${l.execution} ${l.attempt} ${l.until - now} ${Number(l.isAwaited)}`)
    .sort();
  const strays = world.strays.map(s => `${s.execution} ${s.call} ${s.until - now}`).sort();
  const dispatchers = world.dispatchers
    .map(d => `${d.delivery} ${d.state} ${Number(d.isStarted)}${Number(d.isKept)}`)
    .sort();
  const { successes, allowed, results, finishers, payload, attempt, runner } = past;
  const held = JSON.stringify(results);
  const memory = [successes, allowed, held, finishers.join(), payload, attempt, runner].join(' ');
  const parts = [now - ORIGIN, table, tableBefore, executions.join(), delivered, deliveries, faults];
  return [...parts, lambdas.join(), strays.join(), dispatchers.join(), memory].join('|');
}

/** The world with another state of one execution. */
export function withExecution(world: World, index: number, state: number): World {
  return { ...world, executions: world.executions.map((other, at) => (at === index ? state : other)) };
}
