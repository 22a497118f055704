import { Duration } from 'aws-cdk-lib';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { type KeyExpressions, tellsItemsApart } from '../../state-machine/expression/key-expressions';
import { nodesOf, type Pair, plain, written } from '../../state-machine/expression/syntax';
import { problemsOf } from '../../state-machine/template/at-synthesis';
import type { ResolvedTime } from '../../state-machine/template/resolved-time';
import {
  type Definition,
  definitionOf,
  definitionsIn,
  type StateJson,
  statesAround,
  transitionsOf,
} from '../cdk/definition';
import { validateTimeout } from './props';

/** A fragment, and where it is said to be. */
export interface GrantedFragment {
  readonly path: string;
  /** The name of its state. */
  readonly stateName: string;
  /** The state machines that it was granted to. */
  readonly stateMachines: readonly StateMachine[];
  readonly key: KeyExpressions;
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
export function placementProblems(fragment: GrantedFragment): string[] {
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

function distributed({ path, stateName }: GrantedFragment, definition: Definition): string[] {
  const around = statesAround(stateName, definition) ?? [];
  if (around.every(state => state.ItemProcessor?.ProcessorConfig?.Mode !== 'DISTRIBUTED')) return [];
  return [
    `${path} is in a distributed Map, whose executions cannot be redriven one by one. Use an inline Map, ` +
      'or start a workflow for each item',
  ];
}

function oneKeyForAll({ path, stateName, key }: GrantedFragment, definition: Definition): string[] {
  const around = statesAround(stateName, definition) ?? [];
  const at = around.findLastIndex(state => itemsOf(state) !== undefined);
  const [map, ...within] = around.slice(Math.max(at, 0));
  if (at < 0 || !map) return [];
  const isShared = isSelected(map, within, stateName) ? sharedBy(map) : () => false;
  if (tellsItemsApart(key) && !readsOnly(key, isShared)) return [];
  return [
    `${path} is in a Map, and its \`idempotencyKey\` is the same for all items, so that one of them runs and the others get ` +
      `its result; got ${key.parts.map(({ text }) => text).join(', ')}. Read the item in $states.input, such as ` +
      '{% $states.input.orderId %}, in one part at least',
  ];
}

function itemsOf({ ItemProcessor, Iterator }: StateJson): Definition | undefined {
  return ItemProcessor ?? Iterator;
}

/** Whether the input of a state within a Map can be what the Map selects, through the states around it and before it. */
function isSelected(map: StateJson, within: readonly StateJson[], stateName: string): boolean {
  return [map, ...within].every((state, at) => {
    const inner = within[at];
    const isPassedOn = state === map || PASSED_ON.every(field => state[field] === undefined);
    return isPassedOn && definitionsIn(state).some(one => isReached(one, inner ?? one.States[stateName]));
  });
}

/** Whether a state can get the input of its definition: no state before it makes another one of it. */
function isReached({ StartAt = '', States }: Definition, wanted: StateJson | undefined): boolean {
  const names = new Set([StartAt]);
  for (const name of names) {
    const state = States[name];
    if (state === undefined) continue;
    if (state === wanted) return true;
    const isPassing = /^(?:Pass|Wait|Choice)$/.test(state.Type ?? '') && !MAKES_OUTPUT.test(fieldsOf(state));
    if (isPassing) for (const { Next } of transitionsOf(state)) if (Next !== undefined) names.add(Next);
  }
  return false;
}

/** Fields by which a Parallel gives its branches another input than its own. */
const PASSED_ON = ['Arguments', 'Parameters', 'InputPath'] as const;
/** Fields by which a state, or a rule of a Choice, gives another output than its input. */
const MAKES_OUTPUT = /^(?:.*,)?(?:Output|Result|Parameters|InputPath|OutputPath)(?:,|$)/;

const fieldsOf = (state: StateJson) => [state, ...(state.Choices ?? [])].flatMap(Object.keys).join(',');

/** Which members of what a Map selects are made without the item: all items have the same. */
function sharedBy(map: StateJson): (name: string) => boolean {
  const selector = map.ItemSelector ?? map.Parameters;
  if (selector === undefined) return () => false;
  const members = typeof selector === 'string' ? membersOf(selector) : Object.entries(selector as object);
  if (members === undefined) return () => !OF_AN_ITEM.test(JSON.stringify(selector));
  const shared = members.filter(([, made]) => !OF_AN_ITEM.test(JSON.stringify(made)));
  const names = new Set(shared.map(([name]) => name.replace(/\.\$$/, '')));
  return name => names.has(name);
}

/** The members of an object that an expression writes, each with its text; undefined for any other expression. */
function membersOf(text: string): readonly (readonly [name: string, made: string])[] | undefined {
  const source = /^\s*\{%([\s\S]*)%\}\s*$/.exec(text)?.[1];
  const { type, value, lhs } = source === undefined ? {} : plain(nodesOf(source, 'itemSelector')[0]);
  if (type !== 'unary' || value !== '{') return undefined;
  return (lhs as readonly Pair[]).map(([name, made]) => [String(name.value), written(made) ?? OF_ANY_ITEM]);
}

/** Stands for an expression that is too complex to be read: it may be of the item. */
const OF_ANY_ITEM = 'Map';
/** `Map.Item` of the context, all of the context, and what is another for each evaluation. */
const OF_AN_ITEM = /Map|(?:context|\$\$)(?!\s*\.\s*(?:Execution|State)\b)|random|uuid|UUID/i;

function readsOnly({ parts }: KeyExpressions, isShared: (name: string) => boolean): boolean {
  const places = parts.flatMap(({ reads }) => reads.given.filter(([member]) => member === 'input'));
  return places.every(([, name = '']) => isShared(name));
}

function tooShort(
  { path, maxStepDuration, waitsUpTo }: GrantedFragment,
  { TimeoutSeconds }: Definition,
): string[] {
  // Zero stands for a value that only the deployment knows.
  if (!TimeoutSeconds) return [];
  const timeout = Duration.seconds(TimeoutSeconds);
  const problems = problemsOf(() => validateTimeout(timeout, maxStepDuration.seconds(), waitsUpTo));
  return problems.map(problem => `${path}: in its state machine, ${problem}`);
}
