import type { Duration } from 'aws-cdk-lib';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { KeyAndPayload } from '../../state-machine/expression/same-in-each-delivery';
import { noted } from '../../state-machine/template/noted';
import type { ResolvedTime } from '../../state-machine/template/resolved-time';

/** The facts that recovery needs about a fragment in a state machine. */
export interface GrantedFragment {
  /** The name of its state, which the names of those within begin with. */
  readonly stateName: string;
  /** The expressions of its key and payload, parsed. */
  readonly keyAndPayload: KeyAndPayload;
  /** For how long its step may still be working after its execution has ended. */
  readonly stepTimeout: ResolvedTime;
  /** Whether it keeps results in a bucket. */
  readonly storesResults: boolean;
  /** For how long its records are kept when they are finished, by each outcome. */
  readonly retentions: readonly Duration[];
}

/** The fragments that were granted to a state machine so far: each once, in that order. */
export function fragmentsIn(stateMachine: StateMachine): readonly GrantedFragment[] {
  return [...notedIn(stateMachine)];
}

/** Notes that a fragment was granted to a state machine. */
export function noteFragment(stateMachine: StateMachine, fragment: GrantedFragment): void {
  notedIn(stateMachine).push(fragment);
}

const notedIn = (stateMachine: StateMachine) => noted<GrantedFragment[]>(stateMachine, 'Fragments', () => []);
