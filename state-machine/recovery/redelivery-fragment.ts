import { Choice, type INextable, type State, StateMachineFragment } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { DATA_TOO_LONG, EVALUATION_FAILED, NAME_TAKEN_SDK, OWNER_UNKNOWN } from '../aws-error-names';
import { when } from '../choice';
import { ERROR, NOTHING_TO_RECOVER } from '../contract/error-names';
import { SUFFIX_LENGTH } from '../contract/execution-name';
import { and, literals } from '../contract/jsonata';
import { REDELIVERY_STATE } from '../contract/state-names';
import { PASS_INPUT_ON } from '../settings';
import { readTheInput } from './describe-execution';
import { readRecordOfOwner } from './record-writes';
import { defineGivenUp, defineNothingLeft } from './recovery-ends';
import { because, ERROR_TOLD, HAS_INPUT, IS_ASKED, PARSED_INPUT } from './recovery-input';
import {
  checkLater,
  delivered,
  FACTS_OF_THE_RECORD,
  hasFailed,
  IS_AT_WORK,
  IS_GONE,
  isTriedTooOften,
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
    const isToBeLookedAt = Choice.jsonata(this, REDELIVERY_STATE.isToBeLookedAt, {
      comment: 'An answered or rejected event has not failed, and a redelivery checks its own deliveries',
    });
    const nothing = defineNothingLeft(this);
    const end = defineGivenUp(this, settings.destination);
    const readInput = readTheInput(this);
    const read = readRecordOfOwner(this, settings, FACTS_OF_THE_RECORD);
    when(isToBeLookedAt, 'Answered, or rejected for good', IS_ANSWERED, nothing);
    when(isToBeLookedAt, 'Delivered by a redelivery', IS_REDELIVERY, nothing);
    when(isToBeLookedAt, 'Its input is known', HAS_INPUT, read, {
      assign: KNOWN,
      outputs: PARSED_INPUT,
    });
    when(isToBeLookedAt, 'Its input cannot be read', IS_ASKED, end, because(UNREADABLE));
    isToBeLookedAt.otherwise(readInput);
    readInput.next(isToBeLookedAt);
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
    const failed = hasFailed(settings);
    const isTooOften = and(failed, isTriedTooOften(settings));
    when(hasItFailed, 'Failed too often', isTooOften, end, because(TOO_OFTEN));
    when(hasItFailed, 'Failed, looked at for the first time', and(failed, '$not($hasWaited)'), wait, first);
    when(hasItFailed, 'Failed', failed, deliver);
    when(hasItFailed, 'At work', IS_AT_WORK, wait, {
      assign: checkLater(settings),
    });
    when(hasItFailed, 'Nobody knows any more', IS_GONE, end, because(GONE));
    hasItFailed.otherwise(nothing);
    wait.next(read);
    deliver.next(wait);
    const assign = delivered(settings);
    deliver.addCatch(wait, { errors: [...NAME_TAKEN_SDK], assign, outputs: PASS_INPUT_ON });
    this.startState = isToBeLookedAt;
  }
}

const IS_ANSWERED = `${ERROR_TOLD} in ${literals([...NOTHING_TO_RECOVER, ERROR.invalidEvent])}`;
const IS_REDELIVERY = `$contains($states.input.detail.executionArn, /-redelivery-[0-9]+-[0-9a-f]{${SUFFIX_LENGTH}}$/)`;

const UNREADABLE = 'the input of the execution cannot be read; deliver its event again';
const GONE =
  'the record of the failure is gone: find out whether its work is done, and deliver the event again if it is not';
const TOO_OFTEN =
  'the step has failed in every delivery; fix the cause of its failure, and deliver the event again';
