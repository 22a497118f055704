import type { Call, ExecutionState } from '../model/execution-state';
import type { ModelState, OrphanedRequest } from '../model/model-state';
import { PackedStates } from '../model/packed-states';
import type { StateSpace } from '../model/state-space';
import type { Chunk, Frontier } from './frontier';

/**
 * States in a form that means the same in any state space, and that threads can send to each other: what a state
 * refers to by number is listed once, by the number it has there.
 */
export interface MovedStates {
  readonly states: readonly { readonly number: number; readonly model: ModelState }[];
  readonly executions: ReadonlyMap<number, ExecutionState>;
  readonly dispatchers: ReadonlyMap<number, ExecutionState>;
  readonly recoveries: ReadonlyMap<number, ExecutionState>;
  readonly calls: ReadonlyMap<number, Call>;
  readonly tables: ReadonlyMap<number, object>;
}

/** All states of some chunks, to be taken by another state space. */
export function movedStates(packed: PackedStates, chunks: readonly Chunk[]): MovedStates {
  const { space } = packed;
  const states: { number: number; model: ModelState }[] = [];
  for (const { words, length } of chunks) {
    for (let at = 0; at < length; at += 1 + PackedStates.lengthAt(words, at + 1))
      states.push({ number: words[at] ?? 0, model: packed.unpacked(words, at + 1) });
  }
  const models = states.map(({ model }) => model);
  const dispatcher = (number: number) => dispatcherOf(space).get(number);
  return {
    states,
    executions: listed(
      models.flatMap(({ executions }) => executions),
      number => space.workflow.get(number),
    ),
    dispatchers: listed(
      models.flatMap(({ dispatchers }) => dispatchers.map(({ state }) => state)),
      dispatcher,
    ),
    recoveries: listed(
      models.flatMap(({ recoveries }) => recoveries.flatMap(({ state }) => state ?? [])),
      number => recoveryOf(space).get(number),
    ),
    calls: listed(
      models.flatMap(({ orphans }) => orphans.map(({ call }) => call)),
      number => space.calls.get(number),
    ),
    tables: listed(
      models.flatMap(({ table, tableBefore }) => [table, tableBefore]),
      number => space.tables.get(number),
    ),
  };
}

/** Takes states that come from another state space into a frontier. */
export function takeStates(packed: PackedStates, moved: MovedStates, frontier: Frontier): void {
  const { space } = packed;
  const executions = renumbered(moved.executions, state => space.workflow.numberOf(state));
  const dispatchers = renumbered(moved.dispatchers, state => dispatcherOf(space).numberOf(state));
  const recoveries = renumbered(moved.recoveries, state => recoveryOf(space).numberOf(state));
  const calls = renumbered(moved.calls, call => space.calls.numberOf(call));
  const tables = renumbered(moved.tables, table => space.tables.numberOf(table as never));
  for (const { number, model } of moved.states) {
    packed.pack({
      ...model,
      table: tables(model.table),
      tableBefore: tables(model.tableBefore),
      executions: model.executions.map(executions),
      dispatchers: model.dispatchers.map(each => ({ ...each, state: dispatchers(each.state) })),
      recoveries: model.recoveries.map(each =>
        each.state === undefined ? each : { ...each, state: recoveries(each.state) },
      ),
      orphans: model.orphans.map((orphan): OrphanedRequest => ({ ...orphan, call: calls(orphan.call) })),
    });
    frontier.add(number, packed.words, packed.length);
  }
}

function dispatcherOf({ dispatcher }: StateSpace) {
  if (!dispatcher) throw new Error('a dispatcher is under way, and there is none');
  return dispatcher;
}

function recoveryOf({ recovery }: StateSpace) {
  if (!recovery) throw new Error('a recovery is under way, and there is none');
  return recovery;
}

function listed<Of>(numbers: readonly number[], toValue: (number: number) => Of): ReadonlyMap<number, Of> {
  return new Map([...new Set(numbers)].map(number => [number, toValue(number)]));
}

function renumbered<Of>(values: ReadonlyMap<number, Of>, numberOf: (value: Of) => number) {
  const numbers = new Map([...values].map(([number, value]) => [number, numberOf(value)]));
  return (number: number): number => {
    const own = numbers.get(number);
    if (own === undefined) throw new Error(`${number} is not among what was moved`);
    return own;
  };
}
