import {
  Choice,
  type INextable,
  type State,
  StateMachineFragment,
  type TaskStateBase,
  type Wait,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { decide } from '../choice';
import { type BeginVariant, beginRules } from '../contract/begin-rules';
import { RECOVERY_STATE } from '../contract/state-names';
import type { NoticeTarget } from '../options/notice-target';
import { PASS_INPUT_ON } from '../settings';
import { DATA_TOO_LONG, EVALUATION_FAILED, NAME_TAKEN_SDK, OWNER_UNKNOWN } from '../tasks/aws-error-names';
import { askAboutTheOwner, NOT_FOUND, readTheInput, WITHOUT_DATA } from './describe-execution';
import { defineGivenUp, defineNothingLeft } from './recovery-ends';
import {
  BEHIND,
  because,
  KNOWN,
  PARSED_INPUT,
  REPLACES,
  UNKNOWN,
  UNREADABLE,
  WITHOUT_FIRST,
} from './recovery-input';
import { recoverTheFirst, type Timing, waitUntilNothingCanAct } from './recovery-states';

/** The states that every recovery has. */
export interface SharedRecoveryStates {
  readonly scope: Construct;
  /** Waits until nothing of the execution can act, and then asks about it. */
  readonly wait: Wait;
  readonly ask: TaskStateBase;
  readonly nothingLeft: State;
  readonly givenUp: State & INextable;
}

/** How recovery decides about one execution: by the record of its key, or by the history of a team's machine. */
export interface RecoveryJudge {
  readonly timing: Timing;
  /** The errors of executions that need no recovery. */
  readonly nothingToRecover: readonly string[];
  /** True if a failed execution is recovered only when its error is known: it is asked for. */
  readonly needsError: boolean;
  /** A rule of its own about executions whose input is known; undefined: none. */
  readonly special: BeginVariant['special'];
  /** The facts of the execution beside {@link KNOWN}: variables. */
  readonly known: Readonly<Record<string, unknown>>;
  /** Where what is given up is sent; undefined: nowhere. */
  readonly destination: NoticeTarget | undefined;
  /** Connects the states that decide. */
  readonly connect: (shared: SharedRecoveryStates) => Entrances;
}

/** Where an execution whose input is known goes. */
export interface Entrances {
  /** Where the judge's own rule of the beginning leads; undefined: it has none. */
  readonly special: State | undefined;
  readonly otherwise: State;
  /** The next states: with the answer about the execution, and if Step Functions does not know it. */
  readonly asked: State;
  readonly unknown: State;
}

/**
 * The states that bring one event to its end whose execution ended without an answer. What starts it, what it asks,
 * waits for, and gives up is the same for a workflow and for a team's own state machine; the judge decides the rest.
 */
export class RecoveryFragment extends StateMachineFragment {
  readonly startState: State;
  readonly endStates: INextable[] = [];

  constructor(scope: Construct, id: string, judge: RecoveryJudge) {
    super(scope, id);
    const shared = {
      scope: this,
      wait: waitUntilNothingCanAct(this, judge.timing),
      ask: askAboutTheOwner(this),
      nothingLeft: defineNothingLeft(this),
      givenUp: defineGivenUp(this, judge.destination),
    };
    const { wait, ask, nothingLeft, givenUp } = shared;
    const { special, otherwise, asked, unknown } = judge.connect(shared);
    wait.next(ask);
    ask.next(asked);
    ask.addCatch(ask, { errors: [DATA_TOO_LONG], assign: WITHOUT_DATA, outputs: PASS_INPUT_ON });
    ask.addCatch(unknown, {
      errors: [...OWNER_UNKNOWN],
      assign: { ...NOT_FOUND, ...because(UNKNOWN).assign },
      outputs: PASS_INPUT_ON,
    });
    ask.addCatch(givenUp, {
      errors: [EVALUATION_FAILED],
      outputs: PASS_INPUT_ON,
      ...because(BEHIND),
    });

    const begin = Choice.jsonata(this, RECOVERY_STATE.isSomethingToRecover, {
      comment: 'Most executions that did not succeed were answered, or rejected for good',
    });
    const recover = recoverTheFirst(this, WITHOUT_FIRST);
    recover.next(begin);
    // An earlier search has found it.
    recover.addCatch(begin, { errors: [...NAME_TAKEN_SDK], outputs: WITHOUT_FIRST });
    const readInput = readTheInput(this);
    const known = { assign: { ...KNOWN, ...judge.known }, outputs: PARSED_INPUT };
    decide(
      begin,
      beginRules(judge),
      {
        recoverTheFirst: () => recover,
        nothingLeft: () => nothingLeft,
        replace: () => begin,
        special: special && (() => special),
        decide: () => otherwise,
        giveUpUnreadable: () => givenUp,
        readInput: () => readInput,
      },
      {
        replace: { assign: REPLACES, outputs: PARSED_INPUT },
        special: known,
        decide: known,
        giveUpUnreadable: because(UNREADABLE),
      },
    );
    readInput.next(begin);
    const unread = { errors: [DATA_TOO_LONG, ...OWNER_UNKNOWN, EVALUATION_FAILED], outputs: PASS_INPUT_ON };
    readInput.addCatch(givenUp, { ...unread, ...because(UNREADABLE) });
    this.startState = begin;
  }
}
