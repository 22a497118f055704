import type { Machine } from '../../../packages/local/engine/index';
import type { JsonObject } from '../../../packages/local/json/json';
import type { Assumption } from './assumptions';
import type { Traits } from './traits';

/** The subject of an exploration: a definition as deployed, with the facts that the exploration needs. */
export interface Subject {
  readonly workflow: ExploredMachine;
  /** What starts the workflow by name; undefined: deliveries start it directly. */
  readonly dispatcher: ExploredMachine | undefined;
  /** What recovers its executions; undefined: nothing does. */
  readonly recovery?: ExploredMachine | undefined;
  /** What delivers events again whose step has failed; undefined: nothing does. */
  readonly redelivery?: ExploredMachine | undefined;
  /** What answers requests by HTTP; undefined: nothing does. */
  readonly frontDoor?: ExploredMachine | undefined;
  /**
   * Which of these three machines run in the exploration; undefined: none. Without `recovery` every recovery is lost,
   * until everything has ended; without `redelivery` every redelivery; without `frontDoor` no delivery comes by HTTP.
   */
  readonly running?: readonly OptionalMachine[];
  /** The definition that the first deliveries begin with; all others begin with `workflow`. Undefined: the same. */
  readonly former?: ExploredMachine;
  /** How many deliveries begin with `former`, before the other definition is deployed; undefined: one. */
  readonly formerDeliveries?: number;
  /** Another order than the one that is explored by default: another key. */
  readonly orderId?: string;
  /** The names of invariants that are not checked, to see what the others find; undefined: all are. */
  readonly unchecked?: readonly string[];
  /**
   * The guard that a completion by hand is explored without, to see what breaks then: the new owner that it writes, or
   * the condition that no release has changed the record. Undefined: it has both.
   */
  readonly completionWithout?: 'owner' | 'condition';
  /** The assumption that is turned off, to see what breaks then; undefined if all hold. */
  readonly without?: Assumption;
}

/** A machine that a workflow can be explored with, or without. */
export type OptionalMachine = 'recovery' | 'redelivery' | 'frontDoor';

/** The machine of this kind, if it runs in the exploration. */
export function runningMachine(subject: Subject, kind: OptionalMachine): ExploredMachine | undefined {
  return subject.running?.includes(kind) ? subject[kind] : undefined;
}

/** A machine and what can be said of its definition without running it. */
export interface ExploredMachine {
  readonly machine: Machine;
  readonly type: 'STANDARD' | 'EXPRESS';
  readonly traits: Traits;
  /** The definition as it was written, of which mutations are made. */
  readonly json: JsonObject;
  /** Variables that may still be read from a state on, by the state's name. */
  readonly liveVariables: ReadonlyMap<string, ReadonlySet<string>>;
  /** The states with an expression that asks when they were entered. */
  readonly readsEnteredTime: ReadonlySet<string>;
  /** Whether an expression can read when an execution began: false for recovery. */
  readonly readsStartTime: boolean;
  /** Up to which number an expression can tell how often its state has been tried again. */
  readonly retryCountMax: number;
  /**
   * For how many milliseconds the business step may work, as it was deployed: the timeout of its Task. What a chain has
   * begun may work on for so long, whatever its states say: its `stepTimeout`.
   */
  readonly stepMs: number;
  /** The machine as it is deployed, of which this one is a mutant; undefined if it is that machine. */
  readonly deployed?: ExploredMachine;
  /** The timeout of the Task that calls the function, milliseconds; different only in a mutation and in a chain. */
  readonly taskMs: number;
}
