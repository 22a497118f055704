import { Choice, type INextable, type State, StateMachineFragment } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { decide } from '../choice';
import { redeliveryBeginRules, redeliveryRules } from '../contract/redelivery-rules';
import { REDELIVERY_STATE } from '../contract/state-names';
import { PASS_INPUT_ON } from '../settings';
import { DATA_TOO_LONG, EVALUATION_FAILED, NAME_TAKEN_SDK, OWNER_UNKNOWN } from '../tasks/aws-error-names';
import { readTheInput } from './describe-execution';
import { readRecordOfOwner } from './record-writes';
import { defineGivenUp, defineNothingLeft } from './recovery-ends';
import { because, PARSED_INPUT } from './recovery-input';
import {
  checkLater,
  delivered,
  FACTS_OF_THE_RECORD,
  KNOWN,
  type RedeliverySettings,
  redeliverFailedInput,
  secondsAfter,
  waitForTheNext,
} from './redelivery-states';

/**
 * The states that deliver one event again whose step has failed: after a delay, and again after longer ones, until its
 * record says something else, or as often as they may. Their input is the detail of a status change.
 *
 * What they have delivered is theirs as well: they see by the record how it ended, so that no event of it is needed.
 */
export class RedeliveryFragment extends StateMachineFragment {
  readonly startState: State;
  readonly endStates: INextable[] = [];

  constructor(scope: Construct, id: string, settings: RedeliverySettings) {
    super(scope, id);
    const begin = Choice.jsonata(this, REDELIVERY_STATE.isSomethingToRecover, {
      comment: 'An answered or rejected event has not failed, and a redelivery checks its own deliveries',
    });
    const nothing = defineNothingLeft(this);
    const end = defineGivenUp(this, settings.destination);
    const readInput = readTheInput(this);
    const read = readRecordOfOwner(this, settings, FACTS_OF_THE_RECORD);
    decide(
      begin,
      redeliveryBeginRules(),
      {
        nothingLeft: () => nothing,
        read: () => read,
        giveUpUnreadable: () => end,
        readInput: () => readInput,
      },
      { read: { assign: KNOWN, outputs: PARSED_INPUT }, giveUpUnreadable: because(UNREADABLE) },
    );
    readInput.next(begin);
    const errors = [DATA_TOO_LONG, ...OWNER_UNKNOWN, EVALUATION_FAILED];
    readInput.addCatch(end, { errors, outputs: PASS_INPUT_ON, ...because(UNREADABLE) });

    const hasItFailed = Choice.jsonata(this, REDELIVERY_STATE.hasFailed, {
      comment: 'With any other record the event is finished, or another execution has it',
    });
    const wait = waitForTheNext(this);
    const deliver = redeliverFailedInput(this, settings);
    const first = { assign: { seconds: secondsAfter('$deliveries', settings) } };
    read.next(hasItFailed);
    // No key: no record, and nothing that has failed.
    read.addCatch(nothing, { errors: [EVALUATION_FAILED], outputs: PASS_INPUT_ON });
    decide(
      hasItFailed,
      redeliveryRules(settings),
      {
        giveUpTooOften: () => end,
        waitFirst: () => wait,
        deliver: () => deliver,
        checkLater: () => wait,
        giveUpGone: () => end,
        nothingLeft: () => nothing,
      },
      {
        giveUpTooOften: because(TOO_OFTEN),
        waitFirst: first,
        checkLater: { assign: checkLater(settings) },
        giveUpGone: because(GONE),
      },
    );
    wait.next(read);
    deliver.next(wait);
    const assign = delivered(settings);
    deliver.addCatch(wait, { errors: [...NAME_TAKEN_SDK], assign, outputs: PASS_INPUT_ON });
    this.startState = begin;
  }
}

const UNREADABLE = 'the input of the execution cannot be read; deliver its event again';
const GONE =
  'the record of the failure is gone: find out whether its work is done, and deliver the event again if it is not';
const TOO_OFTEN =
  'the step has failed in every delivery; fix the cause of its failure, and deliver the event again';
