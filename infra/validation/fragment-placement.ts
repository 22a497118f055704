import { Duration } from 'aws-cdk-lib';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { problemsOf } from '../../state-machine/at-synthesis';
import { type KeySource, tellsItemsApart } from '../../state-machine/expression/key-source';
import type { ResolvedTime } from '../../state-machine/resolved-time';
import { type Definition, definitionOf, type StateJson, statesAround } from '../cdk/definition';
import { validateTimeout } from './props';

/** A fragment, and where it is said to be. */
export interface Placed {
  readonly path: string;
  /** The name of its state. */
  readonly stateName: string;
  /** The state machines that it was granted to. */
  readonly stateMachines: readonly StateMachine[];
  readonly key: KeySource;
  /** How long it takes at most for the step, as far as that is known: see `IdempotentStates`. */
  readonly maxStepDuration: ResolvedTime;
  /** How long a duplicate waits in it. */
  readonly waitsUpTo: Duration | undefined;
}

/**
 * The fault in the place of a fragment, in words. It is in none of the state machines that it was granted to. Or its
 * owner could not be redriven there, or would be redriven into the machine's timeout again and again. Empty if the
 * place is right, or unknown at synthesis.
 */
export function placementProblems(fragment: Placed): string[] {
  const { path, stateName, stateMachines } = fragment;
  if (stateMachines.length === 0) {
    return [
      `${path} is not connected to a state machine. After you create the state machine, call ` +
        '`grantTo(stateMachine)` of the fragment, so that it can describe and redrive its executions',
    ];
  }
  const definitions = stateMachines.map(definitionOf).filter(definition => definition !== undefined);
  // The fragment may be in one that is not known.
  if (definitions.length < stateMachines.length) return [];

  const definition = definitions.find(one => statesAround(stateName, one));
  if (!definition) {
    const names = stateMachines.map(({ node }) => node.path).join(', ');
    return [`${path} is not in ${names}. Call \`grantTo\` with the state machine that contains it`];
  }
  return [
    ...distributed(fragment, definition),
    ...oneKeyForAll(fragment, definition),
    ...tooShort(fragment, definition),
  ];
}

function distributed({ path, stateName }: Placed, definition: Definition): string[] {
  const around = statesAround(stateName, definition) ?? [];
  if (around.every(state => state.ItemProcessor?.ProcessorConfig?.Mode !== 'DISTRIBUTED')) return [];
  return [
    `${path} is in a distributed Map, whose executions cannot be redriven one by one. Use an inline Map, ` +
      'or start a workflow for each item',
  ];
}

function oneKeyForAll({ path, stateName, key }: Placed, definition: Definition): string[] {
  const map = statesAround(stateName, definition)?.findLast(state => itemsOf(state) !== undefined);
  if (!map || (tellsItemsApart(key) && !readsOnly(key, sharedMembers(map, stateName)))) return [];
  return [
    `${path} is in a Map, and its \`idempotencyKey\` is the same for all items, so that one of them runs and the others get ` +
      `its result; got ${key.parts.map(({ text }) => text).join(', ')}. Read the item in $states.input, such as ` +
      '{% $states.input.orderId %}, in one part at least',
  ];
}

function itemsOf({ ItemProcessor, Iterator }: StateJson): Definition | undefined {
  return ItemProcessor ?? Iterator;
}

/** Members of the input of a Map's first state that its selector makes without the item: all items have the same. */
function sharedMembers(map: StateJson, stateName: string): ReadonlySet<string> {
  const selector = map.ItemSelector ?? map.Parameters;
  const isKnown = itemsOf(map)?.StartAt === stateName && typeof selector === 'object' && selector !== null;
  const members = Object.entries(isKnown ? selector : {}).filter(
    ([, made]) => !OF_AN_ITEM.test(JSON.stringify(made)),
  );
  return new Set(members.map(([name]) => name.replace(/\.\$$/, '')));
}

/** `Map.Item` of the context, all of the context, and what is another for each evaluation. */
const OF_AN_ITEM = /Map|(?:context|\$\$)(?!\s*\.\s*(?:Execution|State)\b)|random|uuid|UUID/i;

function readsOnly({ parts }: KeySource, members: ReadonlySet<string>): boolean {
  const places = parts.flatMap(({ reads }) => reads.given.filter(([member]) => member === 'input'));
  return places.every(([, name = '']) => members.has(name));
}

function tooShort({ path, maxStepDuration, waitsUpTo }: Placed, { TimeoutSeconds }: Definition): string[] {
  // Zero stands for what is known at deploy time only.
  if (!TimeoutSeconds) return [];
  const timeout = Duration.seconds(TimeoutSeconds);
  const problems = problemsOf(() => validateTimeout(timeout, maxStepDuration.seconds(), waitsUpTo));
  return problems.map(problem => `${path}: in its state machine, ${problem}`);
}
