import type { OrphanedRequest } from '../../../packages/local/explore/kernel/index';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import type { Call, ExecutionState } from '../model/execution-state';
import type { Dispatcher, HttpRequest, ModelState, Recovery } from '../model/model-state';
import { PackedStates } from '../model/packed-states';
import type { StateSpace } from '../model/state-space';
import type { Chunk, Frontier } from './frontier';

/**
 * States with what they refer to in place of its numbers: they mean the same in any state space. What several of them
 * share is sent to a thread, and written to a file, once.
 */
export type MovedStates = readonly { readonly number: number; readonly model: MovedState }[];

type Numbered =
  | 'table'
  | 'tableBefore'
  | 'executions'
  | 'dispatchers'
  | 'requests'
  | 'recoveries'
  | 'orphans';
type Items = readonly (readonly [string, Item])[];
type Moved<Of> = Omit<Of, 'state'> & { readonly state: ExecutionState | undefined };

interface MovedState extends Omit<ModelState, Numbered> {
  readonly table: Items;
  readonly tableBefore: Items;
  readonly executions: readonly ExecutionState[];
  readonly dispatchers: readonly Moved<Dispatcher>[];
  readonly requests: readonly Moved<HttpRequest>[];
  readonly recoveries: readonly Moved<Recovery>[];
  readonly orphans: readonly OrphanedRequest<Call>[];
}

/** All states of some chunks, to be taken by another state space. */
export function movedStates(packed: PackedStates, chunks: readonly Chunk[]): MovedStates {
  const { tables, workflow, dispatcher, frontDoor, recoverers, calls } = packed.space;
  const moved = (model: ModelState): MovedState => ({
    ...model,
    table: tables.get(model.table),
    tableBefore: tables.get(model.tableBefore),
    executions: model.executions.map(number => workflow.get(number)),
    dispatchers: model.dispatchers.map(each => ({ ...each, state: dispatcher?.get(each.state) })),
    requests: model.requests.map(each => ({ ...each, state: frontDoor?.get(each.state) })),
    recoveries: model.recoveries.map(each => ({
      ...each,
      state: each.state === undefined ? undefined : recoverers?.get(each.state),
    })),
    orphans: model.orphans.map(orphan => ({ ...orphan, call: calls.get(orphan.call) })),
  });
  return chunks.flatMap(({ words, length }) => {
    const states: MovedStates[number][] = [];
    for (let at = 0; at < length; at += 1 + PackedStates.lengthAt(words, at + 1))
      states.push({ number: words[at] ?? 0, model: moved(packed.unpacked(words, at + 1)) });
    return states;
  });
}

/** Takes states that come from another state space into a frontier. */
export function takeStates(packed: PackedStates, states: MovedStates, frontier: Frontier): void {
  const { tables, workflow, dispatcher, frontDoor, recoverers, calls } = packed.space;
  for (const { number, model } of states) {
    packed.pack({
      ...model,
      table: tables.numberOf(model.table),
      tableBefore: tables.numberOf(model.tableBefore),
      executions: model.executions.map(state => workflow.numberOf(state)),
      dispatchers: model.dispatchers.map(each => ({ ...each, state: numberIn(dispatcher, each.state) ?? 0 })),
      requests: model.requests.map(each => ({ ...each, state: numberIn(frontDoor, each.state) ?? 0 })),
      recoveries: model.recoveries.map(each => ({ ...each, state: numberIn(recoverers, each.state) })),
      orphans: model.orphans.map(orphan => ({ ...orphan, call: calls.numberOf(orphan.call) })),
    });
    frontier.add(number, packed.words, packed.length);
  }
}

function numberIn(states: StateSpace['dispatcher'], state: ExecutionState | undefined): number | undefined {
  return state && states?.numberOf(state);
}
