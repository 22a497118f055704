import type { CfnStateMachine, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { wholeDefinition } from './shared-definitions';

/** A definition, or one within it, as far as it is looked at. */
export interface Definition {
  readonly QueryLanguage?: string;
  readonly StartAt?: string;
  readonly TimeoutSeconds?: number;
  readonly States: Readonly<Record<string, StateJson>>;
}

/** A state of a definition, by its fields. */
export interface StateJson {
  readonly Type?: string;
  readonly QueryLanguage?: string;
  readonly Resource?: string;
  readonly Arguments?: unknown;
  readonly Parameters?: unknown;
  readonly InputPath?: unknown;
  readonly ItemSelector?: unknown;
  readonly Next?: string;
  readonly Default?: string;
  readonly Assign?: object;
  readonly Choices?: readonly Transition[];
  readonly Retry?: readonly { readonly MaxAttempts?: number }[];
  readonly Catch?: readonly Transition[];
  readonly Branches?: readonly Definition[];
  readonly ItemProcessor?: Definition & { readonly ProcessorConfig?: { readonly Mode?: string } };
  readonly Iterator?: Definition;
  readonly ItemReader?: { readonly ReaderConfig?: object };
  readonly ItemBatcher?: object;
  readonly ResultWriter?: object;
}

/** A state by its name. */
export type NamedState = readonly [name: string, json: StateJson];

/** A rule of a Choice, a catcher, or the way a state goes otherwise: without `Next` it ends. */
export interface Transition {
  readonly Next?: string | undefined;
  readonly Assign?: object | undefined;
}

/**
 * What the state machine is to run; undefined where that is not known at synth, as with a definition out of a bucket.
 */
export function definitionOf(stateMachine: StateMachine): Definition | undefined {
  const resolved = wholeDefinition(stateMachine.node.defaultChild as CfnStateMachine);
  const [, parts] = (resolved as { 'Fn::Join'?: [string, unknown[]] } | undefined)?.['Fn::Join'] ?? [];
  // A value that is known only at deployment is a name or a number: 0 stands for either.
  const text = parts ? parts.map(part => (typeof part === 'string' ? part : '0')).join('') : resolved;
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text) as Definition;
  } catch {
    return undefined;
  }
}

/** The definitions that a Parallel or a Map runs; none for any other state. */
export function definitionsIn({ Branches = [], ItemProcessor, Iterator }: StateJson): readonly Definition[] {
  return [...Branches, ...(ItemProcessor ? [ItemProcessor] : []), ...(Iterator ? [Iterator] : [])];
}

/** All states within the Parallel or Map state; none for any other. */
export function statesIn(state: StateJson): NamedState[] {
  return definitionsIn(state).flatMap(({ States }) =>
    Object.entries(States).flatMap(([name, json]) => [[name, json] as const, ...statesIn(json)]),
  );
}

/** Every way out of a state. */
export function transitionsOf({
  Next,
  Default,
  Assign,
  Choices = [],
  Catch = [],
}: StateJson): readonly Transition[] {
  const otherwise = { Next: Next ?? Default, Assign };
  return [otherwise, ...Choices, ...Catch];
}

/** The states around the state of this name, the outermost first; undefined where there is no such state. */
export function statesAround(name: string, { States }: Definition): readonly StateJson[] | undefined {
  if (name in States) return [];
  for (const state of Object.values(States)) {
    for (const inner of definitionsIn(state)) {
      const around = statesAround(name, inner);
      if (around) return [state, ...around];
    }
  }
  return undefined;
}
