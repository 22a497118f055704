import { carriedOutOn } from '../../../packages/local/explore/kernel/index';
import { isJsonObject } from '../../../packages/local/json/json';
import type { JobResult } from '../../../packages/local/runtime/calls/service';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import type { Table } from '../../../packages/local/services/dynamodb/table/table';
import { statesOf } from './definition-states';
import { entryOf, executionOf, itemIndexOf } from './entries';
import type { Call, ExecutionState } from './execution-state';
import { ORIGIN } from './execution-state';
import { ExecutionStates } from './execution-states';
import { directName, inputOf } from './inputs';
import { Interned } from './interned';
import { type ModelState, numberAt, type Recovery } from './model-state';
import { type ExploredMachine, runningMachine, type Subject } from './subject';

/** The record's key name. */
export const KEY_NAME = 'idempotencyKey';
const SCHEMA = { partition: { name: KEY_NAME, type: 'S' } } as const;

/** How the places of objects in a bucket begin; no record's key does. */
const OBJECT = 's3://';

/** The most faults that any exploration or walk has. */
export const FAULTS_MAX = 12;

/** What a request on a table came to: the answer, and the number of the table after it. */
interface Performed {
  readonly result: JobResult;
  readonly number: number;
}

/** What all model states of one exploration share: states, tables and calls by their numbers. */
export class StateSpace {
  readonly subject: Subject;
  readonly workflow: ExecutionStates;
  readonly dispatcher: ExecutionStates | undefined;
  readonly recovery: ExecutionStates | undefined;
  /** Those of `redeliverFailed`: their numbers are among those of recovery, so that no two states share one. */
  readonly redelivery: ExecutionStates | undefined;
  readonly frontDoor: ExecutionStates | undefined;
  readonly calls: Interned<Call>;
  /** The items of tables, by their keys. */
  readonly tables: Interned<readonly (readonly [string, Item])[]>;
  /** The performed calls by number: the answer for each table. */
  readonly #performed: Map<number, Performed>[];
  readonly #faults: number;
  #probe: StateSpace | undefined;
  #skews: readonly number[] = [];

  /** What claims of the two payloads hold of them, by the definition as it is deployed; undefined: nothing. */
  readonly payloadHashes: readonly (string | undefined)[];
  /** What a claim of the first payload writes, by the definition as it is deployed. */
  readonly claim: Item | undefined;
  readonly #hasLateReads: boolean;

  /** `faults`: how many there are at most. `sharing`: the space to share numbers with. */
  constructor(subject: Subject, faults = FAULTS_MAX, sharing?: StateSpace) {
    const { workflow, dispatcher } = subject;
    const recovery = runningMachine(subject, 'recovery');
    const redelivery = runningMachine(subject, 'redelivery');
    const frontDoor = runningMachine(subject, 'frontDoor');
    this.subject = subject;
    this.#faults = faults;
    const machines = [workflow, dispatcher, recovery, redelivery, frontDoor];
    this.#hasLateReads = machines.some(machine => machine && hasLateReads(machine));
    this.workflow = new ExecutionStates(workflow, faults, sharing?.workflow, subject.former);
    this.dispatcher = dispatcher && new ExecutionStates(dispatcher, faults, sharing?.dispatcher);
    this.recovery = recovery && new ExecutionStates(recovery, faults, sharing?.recoverers);
    const shared = sharing?.recoverers ?? this.recovery;
    this.redelivery = redelivery && new ExecutionStates(redelivery, faults, shared);
    this.frontDoor = frontDoor && new ExecutionStates(frontDoor, faults, sharing?.frontDoor);
    this.calls = sharing?.calls ?? new Interned();
    this.tables = sharing?.tables ?? new Interned();
    this.#performed = sharing ? sharing.#performed : [];
    // The empty table is number 0 in all spaces.
    this.numberOfTable(new Map());
    const deployed = new ExecutionStates(subject.workflow.deployed ?? subject.workflow, faults);
    const claims = [0, 1].map(payload => claimOf(deployed, payload, subject.orderId));
    this.payloadHashes = claims.map(item => item?.['payloadHash']?.['S']?.toString());
    this.claim = claims[0];
  }

  /** A space with the same numbers, which keeps to itself which states of the definitions are entered in it. */
  get probe(): StateSpace {
    this.#probe ??= new StateSpace({ ...this.subject, running: ['recovery'] }, this.#faults, this);
    this.#probe.#skews = this.#skews;
    return this.#probe;
  }

  /** Any state of a recovery, or of a redelivery, by its number; undefined if there is neither. */
  get recoverers(): ExecutionStates | undefined {
    return this.recovery ?? this.redelivery;
  }

  /** What moves a recovery, or a redelivery, on. */
  recovererOf({ redelivery }: Pick<Recovery, 'redelivery'>): ExecutionStates | undefined {
    return redelivery ? this.redelivery : this.recovery;
  }

  /** The states of the definitions that are entered in the probe alone, by their names. */
  get enteredInProbe(): readonly string[] {
    const probe = this.#probe;
    const onlyThere = (here: ExecutionStates | undefined, there: ExecutionStates | undefined) =>
      here?.neverEntered.filter(name => there?.coverage.has(name)) ?? [];
    return [...onlyThere(this.workflow, probe?.workflow), ...onlyThere(this.dispatcher, probe?.dispatcher)];
  }

  numberOfTable(items: Table['items']): number {
    const all = [...items].map(([key, item]) => [key, sorted(item)] as const);
    return this.tables.numberOf(all.length > 1 ? all.sort(([a], [b]) => (a < b ? -1 : 1)) : all);
  }

  /** The same table with this record instead of its own; undefined: with none. An object in a bucket stays there. */
  withRecord(table: number, record: Item | undefined): number {
    const objects = this.tables.get(table).filter(([key]) => key.startsWith(OBJECT));
    const key = String(record?.[KEY_NAME]?.['S']);
    return this.numberOfTable(new Map([...objects, ...(record ? [[key, record] as const] : [])]));
  }

  /** The object in a bucket at this place, which is kept beside the record; undefined if there is none. */
  objectOf(table: number, location: string): Item | undefined {
    return this.tables.get(table).find(([key]) => key === location)?.[1];
  }

  /** The same table with this object at the place; undefined: with none. */
  withObject(table: number, location: string, object: Item | undefined): number {
    const items = new Map(this.tables.get(table));
    if (object) items.set(location, object);
    else items.delete(location);
    return this.numberOfTable(items);
  }

  /** How many milliseconds the clocks of executions are ahead of the true time, by their indexes, over and over. */
  get skews(): readonly number[] {
    return this.#skews;
  }

  /** Sets the clocks, before a walk begins. */
  setSkews(skews: readonly number[]): void {
    this.#skews = skews;
  }

  /** By how many milliseconds clocks may be wrong. */
  get skewMs(): number {
    return Math.max(0, ...this.#skews.map(Math.abs));
  }

  /** What the clock of an execution says, by its index. */
  clockOf({ now }: ModelState, index: number): number {
    const skews = this.#skews;
    return skews.length === 0 ? now : now + (skews[executionOf(index) % skews.length] ?? 0);
  }

  /** A table as the one before the current one, if any read may still see it; else always the same. */
  asTableBefore(table: number): number {
    return this.#hasLateReads ? table : 0;
  }

  /** The record of the one key that is explored; undefined if there is none. */
  recordOf({ table }: ModelState): Item | undefined {
    return this.tables.get(table).find(([key]) => !key.startsWith(OBJECT))?.[1];
  }

  /** Performs a request on a table; worked out once for each. */
  perform(table: number, call: Call): Performed {
    const number = this.calls.numberOf(call);
    const onTables = this.#performed[number] ?? new Map<number, Performed>();
    this.#performed[number] = onTables;
    const known = onTables.get(table);
    if (known) return known;
    const before = { schema: SCHEMA, items: new Map(this.tables.get(table)) };
    const answer = carriedOutOn(before, call.resource, call.arguments);
    const performed = { result: answer.result, number: this.numberOfTable(answer.table.items) };
    onTables.set(table, performed);
    return performed;
  }
}

// One order of attributes for one item, however it came about.
function sorted(item: Item): Item {
  return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function claimOf(workflow: ExecutionStates, payload: number, orderId?: string): Item | undefined {
  const input = inputOf(payload, orderId);
  const started = workflow.started({ name: directName(1), input, now: ORIGIN });
  const item = workflow.get(started).call?.arguments['Item'];
  return isJsonObject(item) ? (item as Item) : undefined;
}

function hasLateReads({ json }: ExploredMachine): boolean {
  return Object.values(statesOf(json)).some(({ Resource, Arguments, Parameters = Arguments }) => {
    const isRead = typeof Resource === 'string' && Resource.endsWith(':dynamodb:getItem');
    return isRead && !(isJsonObject(Parameters) && Parameters['ConsistentRead'] === true);
  });
}

/** A cache of the calling module for each space, which is created when it is first needed. */
export function cachePerSpace<Cache extends object>(
  create: (space: StateSpace) => Cache,
): (space: StateSpace) => Cache {
  const caches = new WeakMap<StateSpace, Cache>();
  return space => {
    const known = caches.get(space);
    if (known) return known;
    const cache = create(space);
    caches.set(space, cache);
    return cache;
  };
}

/** The state before anything has happened. */
export function initialState(space: StateSpace, deliveries: number, faults: number): ModelState {
  const table = space.numberOfTable(new Map());
  return {
    now: ORIGIN,
    skewMs: space.skewMs,
    table,
    tableBefore: table,
    executions: [],
    dispatchers: [],
    requests: [],
    recoveries: [],
    lambdas: [],
    orphans: [],
    delivered: 0,
    deliveries,
    faults,
    past: {
      successes: [],
      allowed: 1,
      results: [],
      finishers: [],
      payload: null,
      lastRun: undefined,
      mayHaveRun: space.subject.workflow.traits.isAtMostOnce ? 0 : undefined,
    },
  };
}

/** The state of an entry: of the execution at this index of `executions`, unless that has several. */
export function executionAt(space: StateSpace, model: ModelState, entry: number): ExecutionState {
  return space.workflow.entry(numberAt(model, entry), itemIndexOf(entry));
}

/** All entries of one execution, by its index: one, unless it is in a fragment several times. */
export function entriesAt({ workflow }: StateSpace, { executions }: ModelState, index: number): number[] {
  const count = workflow.entriesOf(executions[index] ?? -1);
  return Array.from({ length: count }, (_, itemIndex) => entryOf(index, itemIndex));
}

/** The entries of all executions. */
export function entriesOf(space: StateSpace, model: ModelState): number[] {
  return model.executions.flatMap((_, index) => entriesAt(space, model, index));
}
