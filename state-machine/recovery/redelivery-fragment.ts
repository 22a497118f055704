import { Choice, type INextable, type State, StateMachineFragment } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { DATA_TOO_LONG, EVALUATION_FAILED, NAME_TAKEN_SDK, OWNER_UNKNOWN } from '../aws-error-names';
import { when } from '../choice';
import { ERROR, NOTHING_TO_RECOVER } from '../contract/error-names';
import { SUFFIX_LENGTH } from '../contract/execution-name';
import { and, literals } from '../contract/jsonata';
import { REDELIVERY_STATE } from '../contract/state-names';
import { PASS_INPUT_ON } from '../settings';
import { readTheInput } from './asking';
import { readTheRecord } from './record-writes';
import { givenUp, nothingLeft } from './recovery-ends';
import { because, ERROR_TOLD, HAS_INPUT, IS_ASKED, PARSED_INPUT } from './recovery-input';
import * as states from './redelivery-states';

/**
 * The states that deliver one event again whose step has failed: after a delay, and again after longer ones, until its
 * record says something else, or as often as they may. Their input is the detail of a status change.
 *
 * What they have delivered is theirs as well: they see by the record how it ended, so that no event of it is needed.
 */
export class RedeliveryFragment extends StateMachineFragment {
  readonly startState: State;
  readonly endStates: INextable[] = [];

  constructor(scope: Construct, id: string, settings: states.RedeliverySettings) {
    super(scope, id);
    const isToBeLookedAt = Choice.jsonata(this, REDELIVERY_STATE.isToBeLookedAt, {
      comment:
        'What was answered or refused has not failed, and whoever delivers looks at what becomes of it',
    });
    const nothing = nothingLeft(this);
    const end = givenUp(this, settings.destination);
    const readInput = readTheInput(this);
    const read = readTheRecord(this, settings, states.FACTS_OF_THE_RECORD);
    when(isToBeLookedAt, 'Answered, or refused for good', IS_ANSWERED, nothing);
    when(isToBeLookedAt, 'Delivered by a redelivery', IS_REDELIVERY, nothing);
    when(isToBeLookedAt, 'Its input is known', HAS_INPUT, read, {
      assign: states.KNOWN,
      outputs: PARSED_INPUT,
    });
    when(isToBeLookedAt, 'Its input cannot be read', IS_ASKED, end, because(UNREADABLE));
    isToBeLookedAt.otherwise(readInput);
    readInput.next(isToBeLookedAt);
    const errors = [DATA_TOO_LONG, ...OWNER_UNKNOWN, EVALUATION_FAILED];
    readInput.addCatch(end, { errors, outputs: PASS_INPUT_ON, ...because(UNREADABLE) });

    const hasFailed = Choice.jsonata(this, REDELIVERY_STATE.hasFailed, {
      comment: 'A record that says anything else has its end, or is in the hands of somebody else',
    });
    const wait = states.waitForTheNext(this);
    const deliver = states.deliverAgain(this, settings);
    const first = { assign: { seconds: states.secondsAfter('$deliveries', settings) } };
    read.next(hasFailed);
    // No key: no record, and nothing that has failed.
    read.addCatch(nothing, { errors: [EVALUATION_FAILED], outputs: PASS_INPUT_ON });
    const failed = states.hasFailed(settings);
    const isTooOften = and(failed, states.isTriedTooOften(settings));
    when(hasFailed, 'Failed too often', isTooOften, end, because(TOO_OFTEN));
    when(hasFailed, 'Failed, looked at for the first time', and(failed, '$not($hasWaited)'), wait, first);
    when(hasFailed, 'Failed', failed, deliver);
    when(hasFailed, 'At work', states.IS_AT_WORK, wait, {
      assign: states.lookLater(settings),
    });
    when(hasFailed, 'Nobody knows any more', states.IS_GONE, end, because(GONE));
    hasFailed.otherwise(nothing);
    wait.next(read);
    deliver.next(wait);
    const assign = states.delivered(settings);
    deliver.addCatch(wait, { errors: [...NAME_TAKEN_SDK], assign, outputs: PASS_INPUT_ON });
    this.startState = isToBeLookedAt;
  }
}

const IS_ANSWERED = `${ERROR_TOLD} in ${literals([...NOTHING_TO_RECOVER, ERROR.invalidEvent])}`;
const IS_REDELIVERY = `$contains($states.input.detail.executionArn, /-redelivery-[0-9]+-[0-9a-f]{${SUFFIX_LENGTH}}$/)`;

const UNREADABLE = 'the input of the execution cannot be read; deliver its event again';
const GONE =
  'the record of the failure is gone: find out whether its work is done, and deliver the event again where it is not';
const TOO_OFTEN =
  'the step has failed in every delivery; mend what it fails for, and deliver the event again';
