import { ALWAYS, any, exists } from '../../../state-machine/contract/condition';
import { IS_COMPLETED, IS_FAILED } from '../../../state-machine/contract/conditions';
import { hasDelivered } from '../../../state-machine/contract/redelivery-rules';
import {
  changeRows,
  type DraftObject,
  dropRetries,
  dropRules,
  objectAt,
  replaceIn,
  rulesOf,
  stateOf,
} from '../mutations/edit';
import type { Mutation } from '../mutations/mutation';
import { of, type VariantMutation } from './mutation';
import type { VariantName } from './variants';

const BEGIN = 'Is there something to recover?';
const FAILED = 'Has its step failed?';
const DELIVER = 'Deliver again';
const RECOVERED = 'redeliver-failed-recovered';

/** Its step fails, and the redelivery of that waits. */
const FAILS = 'start1 do1 throttle1 do1 do1 end1 tell-redelivery1 recover1';
/** It delivers. */
const DELIVERED = 'pass wake1 recover1 recover1';
/** The second execution fails as well, and the third one. */
const SECOND = 'do2 do2 do2 throttle2 do2 do2 end2';
const THIRD = 'do3 do3 do3 throttle3 do3 do3 end3';
/** The delivery is not known any more: recovery delivers it in its place, and that fails. */
const CHECKS = ' pass wake1 recover1'.repeat(4);
const LONG = `start1 do1 throttle1 do1 end1 tell-redelivery1 recover1 tell1 recover2 ${DELIVERED} do2 do2 do2 delete2 never2 tell2 recover3 pass wake1 recover1 pass pass wake3 recover3 recover3${CHECKS} pass pass wake3 recover3 recover3 recover3 recover3 do3 do3 do3 throttle3 do3 end3 tell-redelivery3 tell3`;

/** A schedule that misses each: a search takes minutes. */
const SCHEDULES: Readonly<Record<string, string>> = {
  'redeliver-failed-for-ever': `${FAILS} ${DELIVERED} ${SECOND} ${DELIVERED} ${THIRD} ${DELIVERED}`,
  'redeliver-failed-once-more': `${FAILS} ${DELIVERED} ${SECOND} ${DELIVERED} ${THIRD} ${DELIVERED}`,
  'redeliver-failed-once-less': `${FAILS} ${DELIVERED} ${SECOND} pass wake1 recover1 recover1 tell-redelivery2`,
  'redeliver-failed-at-once': `${FAILS} recover1`,
  'redeliver-failed-same-delay': `${FAILS} ${DELIVERED} ${SECOND} ${DELIVERED}`,
  'redeliver-failed-at-work-is-left': `${FAILS} ${DELIVERED} do2 do2 do2 do2 pass wake1 recover1 fail2.2 do2 do2 end2 tell-redelivery2`,
  'redeliver-failed-at-work-at-once':
    'start1 do1 do1 works1.1 throttle1 pass tell-redelivery1 recover1 recover1',
  'redeliver-failed-of-anybody': `${FAILS} start2 ${SECOND} ${DELIVERED}`,
  'redeliver-failed-of-itself-alone': `${FAILS} ${DELIVERED} ${SECOND} pass wake1 recover1 tell-redelivery2`,
  'redeliver-failed-of-the-completed': `${FAILS} ${DELIVERED} do2 do2 do2 do2 works2.2 do2 end2 ${DELIVERED}`,
  'redeliver-failed-of-a-redelivery': `${FAILS} ${DELIVERED} ${SECOND} tell-redelivery2 recover2 pass wake2 recover2 recover2`,
  'redeliver-failed-one-name': `${FAILS} ${DELIVERED} ${SECOND} ${DELIVERED} tell-redelivery2 pass pass wake1 recover1 recover1`,
  'redeliver-failed-name-taken': `${FAILS} tell-redelivery1:again recover2 ${DELIVERED} wake2 recover2 do2 do2 do2 do2 works2.2 do2 end2 recover2 pass wake1 recover1`,
  'redeliver-failed-another-input': `${FAILS} ${DELIVERED}`,
  'redeliver-failed-another-machine': `${FAILS} ${DELIVERED} recover1`,
  'redeliver-failed-old-record': 'start1 do1 throttle1 do1 do1 end1 tell-redelivery1 old-recovery1',
  'redeliver-failed-input': 'start1 do1 throttle1 do1 do1 end1 tell-redelivery1:no-input recover1',
  'redeliver-failed-gone-is-nothing': `${FAILS} retention pass ttl wake1 recover1`,
  'redeliver-failed-impatient-1':
    'start1 do1 throttle1 do1 do1 end1 tell-redelivery1:no-input stop-recovery1',
  'redeliver-failed-impatient-2': 'start1 do1 throttle1 do1 do1 end1 tell-redelivery1 stop-recovery1',
  'redeliver-failed-impatient-3': `${FAILS} pass wake1 recover1 stop-recovery1`,
  'redeliver-failed-given-up-untold': `${FAILS} ${DELIVERED} ${SECOND} ${DELIVERED} ${THIRD} tell-redelivery2 tell-redelivery3 pass wake1 recover1`,
  'redeliver-failed-given-up-by-another-word': `${FAILS} ${DELIVERED} ${SECOND} ${DELIVERED} ${THIRD} ${DELIVERED}`,
  'redeliver-failed-recovered-counts-anew': `${LONG} recover4 recover5 pass wake4 recover4 recover4`,
  'redeliver-failed-recovered-of-another-failure': `${LONG} recover4 recover5 pass pass wake1 recover1`,
};

/** A mutant of the definition of `redeliverFailed`. */
function redelivery(
  name: string,
  says: string,
  change: Mutation['change'],
  variant: VariantName = 'redeliver-failed',
): VariantMutation {
  const mutation = of(variant, name, says, change);
  const schedule = SCHEDULES[mutation.name] ?? '';
  return { ...mutation, of: 'redelivery', kind: 'redelivery', schedule };
}

/** The request of the start. */
function startIn(draft: DraftObject): DraftObject {
  return objectAt(stateOf(draft, DELIVER), 'Arguments');
}

function recordsMember(draft: DraftObject, name: string, value: string): void {
  objectAt(stateOf(draft, 'Read record'), 'Assign')[name] = value;
}

/** The guards of `redeliverFailed`: how often, when, and for whom an event is delivered again. */
export const REDELIVERY_MUTATIONS: readonly VariantMutation[] = [
  redelivery('for-ever', 'delivers a failed event again without a bound', draft =>
    dropRules(draft, FAILED, ['Failed too often']),
  ),
  redelivery('once-more', 'delivers a failed event again once more than it may', draft =>
    changeRows(draft, FAILED, ['Failed too often'], [hasDelivered(2), hasDelivered(3)]),
  ),
  redelivery('once-less', 'gives up one delivery too early', draft =>
    changeRows(draft, FAILED, ['Failed too often'], [hasDelivered(2), hasDelivered(1)]),
  ),
  redelivery('at-once', 'delivers a failed event again at once', draft =>
    dropRules(draft, FAILED, ['Failed, looked at for the first time']),
  ),
  redelivery('same-delay', 'waits no longer before its second delivery', draft => {
    const assign = objectAt(stateOf(draft, DELIVER), 'Assign');
    replaceIn(assign, 'seconds', '$deliveries + 1', '0');
  }),
  redelivery('at-work-is-left', 'leaves a delivery alone that takes long', draft =>
    dropRules(draft, FAILED, ['At work']),
  ),
  redelivery('at-work-at-once', 'checks an owner that is at work without a wait', draft => {
    for (const rule of rulesOf(draft, FAILED, ['At work'])) objectAt(rule, 'Assign')['seconds'] = 0;
  }),
  redelivery('of-anybody', 'delivers for any execution whose step failed', draft =>
    recordsMember(draft, 'isOurs', '{% true %}'),
  ),
  redelivery('of-itself-alone', 'does not know its own deliveries', draft =>
    recordsMember(draft, 'isOurs', '{% $states.result.Item.owner.S = $owner.executionArn %}'),
  ),
  redelivery('of-the-completed', 'delivers what has been completed', draft => {
    const rules = ['Failed, looked at for the first time', 'Failed'];
    changeRows(draft, FAILED, rules, [IS_FAILED, any(IS_FAILED, IS_COMPLETED)]);
    changeRows(draft, FAILED, rules, [exists({ is: 'error' }), ALWAYS]);
  }),
  redelivery('of-a-redelivery', 'delivers again for each of its own deliveries', draft =>
    dropRules(draft, BEGIN, ['Delivered by a redelivery']),
  ),
  redelivery('one-name', 'has one name for all deliveries of an event', draft =>
    replaceIn(startIn(draft), 'Name', '$string($deliveries + 1)', "'1'"),
  ),
  redelivery('name-taken', 'fails where another one has delivered', draft => {
    delete stateOf(draft, DELIVER)['Catch'];
  }),
  redelivery('another-input', 'delivers another input', draft =>
    replaceIn(startIn(draft), 'Input', '$input', "$replace($input, '12', '13')"),
  ),
  redelivery('another-machine', 'delivers to another state machine', draft => {
    startIn(draft)['StateMachineArn'] = 'arn:aws:states:us-east-1:111111111111:stateMachine:Another';
  }),
  redelivery('old-record', 'reads the record as it may have been before', draft => {
    objectAt(stateOf(draft, 'Read record'), 'Arguments')['ConsistentRead'] = false;
  }),
  redelivery('input', 'does nothing where the event does not contain the input', draft => {
    stateOf(draft, 'Read the input')['Next'] = 'Nothing left to recover';
  }),
  redelivery('gone-is-nothing', 'says nothing where the record of the failure is gone', draft =>
    dropRules(draft, FAILED, ['The record is gone']),
  ),
  redelivery(
    'counts-anew',
    'counts from zero if one of its deliveries ended early and was recovered',
    draft => {
      for (const rule of rulesOf(draft, BEGIN, ['Its input is known']))
        objectAt(rule, 'Assign')['deliveries'] = 0;
    },
    RECOVERED,
  ),
  redelivery(
    'of-another-failure',
    'takes the delivery of another failure of its key for its own',
    draft =>
      replaceIn(
        objectAt(stateOf(draft, 'Read record'), 'Assign'),
        'isOurs',
        "($replace($record.owner.S, /^.*-/, '') =",
        "('' !=",
      ),
    RECOVERED,
  ),
  redelivery('given-up-untold', 'exhausts its retries, and sends no notice', draft => {
    objectAt(draft, 'States')['Notify'] = { Type: 'Pass', Next: 'Given up' };
  }),
  redelivery(
    'given-up-by-another-word',
    'sends the notice of a failure when its retries are exhausted',
    draft => replaceIn(objectAt(stateOf(draft, 'Notify'), 'Arguments'), 'MessageBody', 'GIVEN_UP', 'FAILED'),
  ),
  ...['Read the input', 'Read record', DELIVER].map((state, index) =>
    redelivery(`impatient-${index + 1}`, `makes the request of "${state}" once`, draft =>
      dropRetries(draft, state),
    ),
  ),
];
