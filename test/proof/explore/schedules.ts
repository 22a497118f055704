import type { Violation } from '../../../proof/explore/invariants/invariants';
import type { Subject } from '../../../proof/explore/model/subject';
import { ImpossibleStep, replayTrace } from '../../../proof/explore/trace';

/**
 * For mutants that are not found at once: a schedule that misses each, which tests replay. `npm run explore --
 * --mutations --variant NAME` searches, and prints the schedule that it has found; `ONCEFLOW_EXPLORED=full npx jest
 * test/proof/explore/each-variant` searches for each again.
 */
export const SCHEDULES: Readonly<Record<string, string>> = {
  'at-most-once-any-end-is-certain': 'start1 do1 do1 kill1.1 do1 end1',
  'at-most-once-cut-off-is-redriven': 'start1 do1 do1 abort1 ends1.1',
  'at-most-once-cut-off-is-released': 'start1 do1 do1 abort1 ends1.1',
  'at-most-once-doubt-is-taken-over': 'start1 do1 abort1 never1',
  'at-most-once-no-function-is-doubt': 'start1 do1 throttle1',
  'at-most-once-no-permission-is-doubt': 'start1 do1 refuse1:permission',
  'at-most-once-redriven-answer-is-certain': 'another retention start1 delay1 do1 do1 pass ttl late1',
  'at-most-once-unknown-is-released': 'start1 do1 do1 delete1 ends1.1',
  'chain-end-awaited-too-short':
    'start1 start2 do1 do1 do2 lose-answer1.1:SdkClientException pass timer1 do1 do2 do2 do2',
  'chain-failure-recorded-at-once':
    'start1 start2 do1 do1 do2 lose-answer1.1:SdkClientException do1 do2 do2 do2',
  'chain-in-jsonpath-the-wrapper-too': 'start1 do1 do1 works1.1 pass timer1 do1',
  'chain-result-in-a-list': 'start1 do1 do1 works1.1 pass timer1 do1',
  'chain-retried-a-second-early': 'start1 do1 do1 lose-answer1.1:SdkClientException pass timer1 do1',
  'chain-retried-at-once': 'start1 do1 do1 lose-answer1.1:SdkClientException pass timer1 do1',
  'chain-retried-once-more': 'start1 do1 do1 fail1.1 pass timer1 do1 fail1.1 pass timer1 do1',
  'express-lease-never-over': 'start1 limit1',
  'express-lease-over-at-once': 'start1 do1 restart1 do1 do1 do1 late1',
  'express-lease-too-short': 'start1 slow1 do1 pass over1 pass start2 do2 do2 do2 late1',
  'express-lease-without-the-step': 'start1 slow1 do1 pass over1 pass start2 do2 do2 do2 late1',
  'express-restarted-claims-again': 'start1 do1 do1 restart1 do1 do1',
  'express-takeover-keeps-the-lease': 'start1 limit1 pass start2 do2 do2 do2 restart2 do2 do2 do2 late2',
  'finalize-failed-unconditional': 'start1 start2 do1 do2 throttle1 lose1 do2 do2 do1',
  'finalize-unconditional': 'start1 do1 do1 works1.1 lose1 retention pass ttl do1',
  'fragment-takeover-reentrant-by-owner': 'start1 start2 do1 do2 do2b throttle1 do1 do2 do2b do2 do2b',
  'on-failure-another-attempt': 'start1 start2 do1 do2 throttle1 do1 do1 end1 do2 do2 throttle2 do2 do2 end2',
  'on-failure-own-doubt-not-sent': 'start1 do1 do1 too-long1.1:by-any pass timer1 do1 end1',
  'on-failure-send-swallowed': 'start1 do1 throttle1 do1 throttle1',
  'on-failure-sent-before-the-record': 'start1 do1 throttle1 do1',
  'on-failure-sent-once': 'start1 do1 throttle1 do1 lose1',
  'on-success-another-attempt': 'start1 start2 do1 do2 throttle1 do1 end1 do2 do2 do2 works2.2 do2 do2 end2',
  'on-success-not-sent': 'start1 do1 do1 works1.1 do1 end1',
  'on-success-send-swallowed': 'start1 do1 do1 works1.1 do1 throttle1',
  'on-success-sent-before-the-record': 'start1 do1 do1 works1.1 do1',
  'on-success-sent-once': 'start1 do1 do1 works1.1 do1 lose1',
  'recovery-at-most-once-bound-dropped':
    'start1 abort1 late1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 recover1 abort1 pass pass wake1 recover1 recover1 pass tell1 wake1 recover1 recover1 recover1 recover1 recover1',
  'recovery-at-most-once-exhausted-is-released':
    'start1 do1 do1 works1.1 abort1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 recover1 abort1 tell1 recover2 pass pass pass wake2 recover2 recover2 recover2 recover2 recover2 recover2 do2 do2 do2 do2',
  'recovery-cut-off':
    'start1 start2 do1 do1 do2 works1.1 pass do2 do1 end1 do2 end2 stop-recovery1 search1 recover2',
  'recovery-dead-for-good-is-redriven':
    'start1 do1 delete1 tell1 pass pass recover1 recover1 recover1 pass wake1 recover1 recover1 recover1 pass wake1 recover1 recover1 recover1 pass wake1 recover1 recover1 recover1 pass wake1 recover1 recover1 recover1 pass wake1 recover1 recover1 recover1 pass wake1 recover1 recover1 recover1 pass wake1 recover1 recover1 recover1 pass wake1 recover1 recover1 recover1 pass wake1 recover1 recover1',
  'recovery-dead-for-good-stays':
    'start1 do1 delete1 tell1 pass pass recover1 recover1 recover1 pass wake1 recover1 recover1',
  'recovery-forgotten-is-delivered':
    'start1 do1 do1 works1.1 do1 abort1 retention tell1 pass ttl recover1 recover1 recover1 recover1',
  'recovery-gave-up-is-redriven': 'start1 limit1 tell1 pass pass wake1 recover1 recover1 recover1',
  'recovery-input': 'start1 throttle1 tell1:no-input recover1',
  'recovery-name-taken':
    'start1 limit1 tell1 pass pass start2 do2 do2 do2 end2 wake1 recover1 recover1 recover1 recover1 do3 do3 recover2 recover2 recover2 do3 do3 works3.2 do3 end3 recover2',
  'recovery-not-its-own-yet':
    'start1 start2 do1 do2 abort1 pass do2 do2 end2 recover1 recover1 recover1 pass tell1 recover2 recover2',
  'recovery-on-failure-given-up-untold':
    'start1 do1 do1 works1.1 do1 abort1 retention tell1 pass ttl recover1',
  'recovery-on-failure-notice-is-not-owed':
    'start1 do1 throttle1 do1 abort1 tell1 recover1 pass pass wake1 recover1 recover1',
  'recovery-one-look': 'start1 limit1 tell1 pass pass wake1 recover1',
  'recovery-redrives-bound-dropped':
    'start1 do1 abort1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 abort1 tell1 recover2 pass pass pass wake2 recover2 recover2 recover2',
  'recovery-redrives-exhausted-is-left':
    'start1 do1 abort1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 abort1 tell1 recover2 pass pass pass wake2 recover2 wake1 recover1 recover1 recover2 pass wake1 recover1 recover1',
  'recovery-redrives-exhausted-is-released':
    'start1 do1 do1 works1.1 abort1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 abort1 tell1 recover2 pass pass pass wake2 recover2 recover2 recover2 recover2 do2 do2 do2 do2 works2.2',
  'recovery-redrives-held-waits':
    'start1 do1 abort1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 abort1 tell1 recover2 pass pass pass wake1 recover1 wake2 recover2 recover2 recover2 recover1 start2 do2 do2',
  'recovery-redrives-one-too-few':
    'start1 do1 abort1 tell1 recover1 pass pass wake1 recover1 recover1 recover1',
  'recovery-redrives-one-too-many':
    'start1 do1 abort1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 abort1 tell1 recover2 pass pass pass wake2 recover2 recover2 recover2',
  'recovery-release-before-redrive':
    'start1 do1 do1 works1.1 abort1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 recover1 do2 do2 do2 do2 works2.2',
  'recovery-release-expires': 'start1 limit1 tell1 pass pass wake1 recover1 recover1 recover1',
  'recovery-release-not-delivered': 'start1 limit1 tell1 pass pass wake1 recover1 recover1 recover1',
  'recovery-release-unconditional':
    'start1 limit1 tell1 pass pass start2 do2 do2 do2 wake1 recover1 recover1 recover2 recover2 recover2 recover1 recover1 do3 do3 do3 recover2',
  'recovery-released-is-left':
    'start1 limit1 tell1 pass pass wake1 recover1 recover1 recover1 stop-recovery1 search1 recover2 recover2 recover2',
  'recovery-step-time-of-0-ms': 'start1 limit1 tell1 pass wake1 recover1 recover1 recover1',
  'recovery-step-time-of-10000-ms': 'start1 limit1 tell1 pass wake1 recover1 recover1 recover1',
  'recovery-step-time-of-20000-ms': 'start1 limit1 tell1 pass wake1 recover1 recover1 recover1',
  'recovery-step-time-of-29999-ms': 'start1 limit1 tell1 pass wake1 recover1 recover1 recover1',
  'recovery-the-living': 'start1 start2 lose1 do2 pass do2 do2 recover1 recover1 recover1 recover1',
  'recovery-unclaimed-is-left': 'start1 abort1 tell1 recover1 pass wake1 recover1 recover1',
  'recovery-unknown-fails': 'start1 do1 delete1 tell1 pass pass recover1 recover1',
  'recovery-without-a-wait': 'start1 abort1 tell1 recover1 recover1',
  'results-any-object': 'start1 do1 do1 works1.1 do1 do1 end1 forge',
  'results-not-put': 'start1 do1 do1 works1.1 throttle1 do1',
  'results-not-read': 'start1 do1 do1 works1.1 do1 do1 abort1',
  'results-put-once': 'start1 do1 do1 works1.1 lose1',
  'retry-after-Lambda.SdkClientException': 'start1 do1 do1 lose-answer1.1:SdkClientException do1',
  'retry-after-Sandbox.Timedout': 'start1 do1 do1 kill1.1 do1',
  'retry-after-States.Timeout': 'start1 do1 do1 silence1.1 ends1.1 pass timer1 do1',
  'retry-not-told': 'start1 do1 do1 fail1.1 do1',
  'retry-once-more': 'start1 do1 do1 fail1.1 do1 fail1.1 do1',
  'stored-failure-another-error': 'start1 do1 throttle1 do1 end1',
  'stored-failure-failure-for-any-payload': 'start1 do1 start2* do2 throttle1 do1 do2',
  'stored-failure-failure-is-taken-over': 'start1 do1 throttle1 do1 end1',
  'takeover-of-any-owner': 'start1 start2 start3 do1 do2 do3 throttle1 do1 do2 do3 do2 throttle2 do2 do3',
  'takeover-own-record-not-known': 'start1 start2 do1 do2 throttle1 do1 end1 do2 lose2 do2 do2',
  'wait-for-ever': 'start1 limit1',
  'wait-gives-up-early': 'start1 limit1',
  'wait-last-one-too-long': 'start1 limit1',
  'wait-too-long': 'start1 limit1',
};

/**
 * What a schedule of direct deliveries violates, with as many of these and of faults as it has: where more of them may
 * come other steps are possible, and not everything has ended where it ends.
 *
 * @throws ImpossibleStep
 */
export function violationAlong(schedule: string, subject: Subject, faults = 0): Violation | undefined {
  const started = [...schedule.matchAll(/\bstart(\d+)/g)].map(([, number]) => Number(number));
  const executions = Math.max(...started, subject.formerDeliveries ?? 0);
  const budget = { executions, faults, channels: ['direct'] as const };
  try {
    return replayTrace(subject, budget, schedule.split(' ')).violation;
  } catch (error) {
    if (error instanceof ImpossibleStep && faults < FAULTS_MAX)
      return violationAlong(schedule, subject, faults + 1);
    throw error;
  }
}

const FAULTS_MAX = 3;
