import { REDELIVERY_MUTATIONS } from '../../../proof/explore/variants/redeliveries';

/** What kills each mutant of `redeliverFailed`; its schedule is beside it. */
const BY: Readonly<Record<string, string>> = {
  'redeliver-failed-for-ever': 'redeliveriesAreBounded',
  'redeliver-failed-once-more': 'redeliveriesAreBounded',
  'redeliver-failed-once-less': 'redelivered',
  'redeliver-failed-at-once': 'redeliversInTime',
  'redeliver-failed-same-delay': 'redeliversInTime',
  'redeliver-failed-at-work-is-left': 'redelivered',
  'redeliver-failed-at-work-at-once': 'everythingEnds',
  'redeliver-failed-of-anybody': 'redeliversTheFailed',
  'redeliver-failed-of-itself-alone': 'redelivered',
  'redeliver-failed-of-the-completed': 'redeliversTheFailed',
  'redeliver-failed-of-a-redelivery': 'redeliversTheFailed',
  'redeliver-failed-one-name': 'redelivered',
  'redeliver-failed-name-taken': 'redelivered',
  'redeliver-failed-another-input': 'redeliversTheFailed',
  'redeliver-failed-another-machine': 'redelivered',
  'redeliver-failed-old-record': 'judgesTheRecord',
  'redeliver-failed-input': 'redelivered',
  'redeliver-failed-gone-is-nothing': 'redelivered',
  'redeliver-failed-impatient-1': 'isPatient',
  'redeliver-failed-impatient-2': 'isPatient',
  'redeliver-failed-impatient-3': 'isPatient',
  'redeliver-failed-recovered-counts-anew': 'redeliveriesAreBounded',
  'redeliver-failed-recovered-of-another-failure': 'redelivered',
  'redeliver-failed-given-up-untold': 'redelivered',
  'redeliver-failed-given-up-by-another-word': 'noticeIsWhole',
};

/**
 * Mutants by kind, with the invariant that kills each, and one of the shortest schedules in which it does. Their kind
 * is in `proof/explore`; tests replay the schedules, and the table in `docs/proof/exploration.md` is made of this.
 */
export const KILLS: Readonly<Record<string, readonly [invariant: string, schedule: string]>> = {
  'failure-ends-as-invalid': ['endsAsTold', 'start1 do1 throttle1 do1 end1'],
  'failure-ends-in-doubt': ['endsAsTold', 'start1 do1 throttle1 do1 end1'],
  'failure-ends-as-lost': ['noResultIsLost', 'start1 do1 throttle1 do1 end1'],
  'failure-ends-by-another-name': ['endsAsTold', 'start1 do1 throttle1 do1 end1'],
  'failure-succeeds': ['oneResult', 'start1 do1 throttle1 do1 end1'],
  'lost-claim-has-no-name': ['endsAsTold', 'start1 do1 do1 works1.1 lose1 retention pass ttl do1 end1'],
  'rejected-takeover-has-no-name': [
    'endsAsTold',
    'start1 start2 do1 do2 throttle1 do1 end1 do2 start3 do3 do3 do3 do2 end2',
  ],
  'completes-once': ['lostAnswersAreHarmless', 'start1 do1 do1 works1.1 lose1'],
  'fails-once': ['lostAnswersAreHarmless', 'start1 do1 throttle1 lose1'],
  'takes-over-once': ['lostAnswersAreHarmless', 'start1 start2 do1 do2 throttle1 do1 do2 lose2'],
  'patience-claim-limit': ['isPatient', 'start1 limit1'],
  'patience-claim-limits': ['isPatient', 'start1 limit1'],
  'patience-claim': ['isPatient', 'start1 throttle1'],
  'patience-denied-claim': ['isPatient', 'start1 throttle1'],
  'patience-read': ['isPatient', 'start1 start2 do1 do2 throttle2'],
  'patience-step': ['isPatient', 'start1 do1 throttle1'],
  'patience-completed': ['isPatient', 'start1 do1 do1 works1.1 throttle1'],
  'patience-call': ['isPatient', 'start1 start2 do1 do1 do2 works1.1 pass do2 throttle2'],
  'patience-start': ['isPatient', 'send1 throttle-dispatch1'],
  'step-of-another-function': ['nothingIsStuck', 'start1 do1 do1 do1 end1'],
  'recovery-of-another-machine': ['nothingIsStuck', 'start1 limit1'],
  'dispatch-to-another-machine': ['everythingEnds', 'send1 dispatch1 dispatch1'],
  'another-account-is-its-own': ['refusedForWhatIs', 'start1 another:claims do1 do1'],
  'on-failure-to-another-queue': ['everythingEnds', 'start1 do1 refuse1:permission do1 do1 do1 end1'],
  'on-failure-doubt-to-another-queue': [
    'everythingEnds',
    'start1 do1 do1 kill1.1 pass timer1 do1 do1 do1 end1',
  ],
  'on-failure-without-key': ['noticeIsWhole', 'start1 do1 throttle1 do1 do1'],
  'on-failure-another-input': ['noticeIsWhole', 'start1 do1 throttle1 do1 do1'],
  'on-failure-doubt-is-failure': ['noticeIsWhole', 'start1 do1 do1 too-long1.1:by-any pass timer1 do1 do1'],
  'on-failure-failure-is-doubt': ['noticeIsWhole', 'start1 do1 throttle1 do1 do1'],
  'on-failure-rejection-not-sent': ['sentBeforeItsEnd', 'start1 limit1'],
  'on-failure-rejection-swallowed': ['sentBeforeItsEnd', 'start1 do1 start2* do2 do2 throttle2'],
  'on-failure-rejection-of-another': ['noticeIsWhole', 'start1 do1 start2* do2 do2 do2'],
  'on-failure-sent-by-a-lost-claim': [
    'noticeIsWhole',
    'start1 do1 throttle1 lose1 retention pass ttl do1 do1',
  ],
  'on-success-sent-by-a-lost-claim': [
    'noticeIsWhole',
    'start1 do1 do1 works1.1 lose1 retention pass ttl do1 do1',
  ],
  'on-success-to-another-queue': ['everythingEnds', 'start1 do1 do1 works1.1 do1 do1 do1 end1'],
  'on-success-another-result': ['noticeIsWhole', 'start1 do1 do1 works1.1 do1 do1'],
  'recovery-on-failure-given-up-by-another-word': [
    'noticeIsWhole',
    'start1 do1 do1 works1.1 do1 abort1 retention tell1 pass ttl recover1 recover1',
  ],
  'express-lease-at-its-end': [
    'leaseIsKept',
    'start1 slow1 do1 pass over1 start2 do2 slow2:lease-end do2 do2',
  ],
  'recovery-since-its-start': [
    'recoversTheDead',
    'start1 do1 do1 lose-answer1.1:SdkClientException ends1.1 pass timer1 abort1 never1 tell1 recover1 pass wake1 recover1 recover1 recover1',
  ],
  'at-most-once-failure-is-doubt': ['doubtHasAReason', 'start1 do1 do1 fail1.1 pass timer1 do1'],
  'at-most-once-own-doubt-at-once': [
    'doubtedWhenOver',
    'start1 do1 do1 lose-answer1.1:SdkClientException do1',
  ],
  'at-most-once-second-failure-is-doubt': [
    'doubtHasAReason',
    'start1 do1 do1 fail1.1 do1 end1 start2 do2 do2 do2 do2 fail2.2 pass timer2 do2',
  ],
  'at-most-once-throttled-is-doubt': ['refusalIsNoDoubt', 'start1 do1 throttle1'],
  'at-most-once-unbegun-is-held': ['doubtHasAReason', 'start1 abort1 late1'],
  'at-most-once-history-oldest-first': ['recovered', 'start1 do1 do1 works1.1 abort1 never1'],
  'at-most-once-history-with-data': ['doubtHasAReason', 'start1 abort1 late1'],
  'at-most-once-history-in-one': ['doubtHasAReason', 'start1 abort1 late1'],
  'results-put-without-hash': [
    'completedStays',
    'start1 do1 do1 works1.1 do1 do1 do1 do1 do1 abort1 retention',
  ],
  'results-read-without-hash': ['nothingIsStuck', 'start1 do1 do1 works1.1 do1 do1 end1'],
  'recovery-old-record': ['judgesTheRecord', 'start1 do1 abort1 tell1 old-recovery1'],
  'recovery-to-another-function': [
    'recovered',
    `start1 do1 abort1 tell1 recover1 pass pass wake1${' recover1 recover1 recover1 pass wake1'.repeat(8)} recover1 recover1`,
  ],
  'recovery-to-another-machine': [
    'recovered',
    'start1 abort1 never1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 recover1',
  ],
  'recovery-impatient-1': ['isPatient', 'start1 abort1 tell1 stop-recovery1'],
  'recovery-impatient-2': ['isPatient', 'start1 abort1 tell1 recover1 pass pass wake1 stop-recovery1'],
  'recovery-impatient-3': [
    'isPatient',
    'start1 abort1 never1 tell1 recover1 pass pass wake1 recover1 recover1 stop-recovery1',
  ],
  'recovery-impatient-4': [
    'isPatient',
    'start1 limit1 tell1 pass pass wake1 recover1 recover1 stop-recovery1',
  ],
  'recovery-on-failure-notified-once': [
    'isPatient',
    'start1 do1 do1 works1.1 do1 abort1 retention tell1 pass ttl recover1 stop-recovery1',
  ],
  ...Object.fromEntries(
    REDELIVERY_MUTATIONS.map(({ name, schedule = '' }) => [name, [BY[name] ?? '', schedule]]),
  ),
};
