import type { VariantName } from '../../../proof/explore/variants/variants';

/** One thing that can happen: to the shipped workflow, to it beside recovery, or to a variant; in a short trace. */
export type Ability = readonly [
  of: 'shipped' | 'shipped, recovery' | VariantName,
  what: string,
  trace: string,
  /** The faults of its budget; undefined: twelve. */
  faults?: number,
];

export const RUNS = 'start1 do1 do1';
const ENDED = `${RUNS} works1.1 do1 end1`;
/** The owner was stopped, and a recovery is about to ask about it. */
const ASKED = `${RUNS} abort1 ends1.1 tell1 recover1 pass pass wake1`;
/** Two recoveries of one end: the first one has redriven the owner, and the second one is about to ask. */
const TWICE =
  'start1 do1 do1 abort1 ends1.1 tell1 tell1:again recover1 recover2 pass pass wake1 wake2 recover1 recover1 recover1';

/** A request that was accepted when its time to wait was over. */
const WAITS = 'request1 serve1 serve1 serve1 serve1 pass wake-request1';
const ACCEPTED = `${WAITS} serve1 pass wake-request1 serve1`;

/** Its step has failed, and the failure destination got the notice. */
const FAILED = `${RUNS} fail1.1 do1 do1 end1`;

const SHIPPED: readonly (readonly [what: string, trace: string])[] = [
  ['a delivery', 'start1'],
  ['a delivery to the dispatcher', 'send1'],
  ['a request of the dispatcher', 'send1 dispatch1'],
  ['a request with its answer', 'start1 do1'],
  ['an answer of a read that waits where a time is coming', 'start1 do1 start2 do2 abort1 never1 wait2'],
  ['the end of who waits for the answer of a write', ENDED],
  ['the step succeeds', `${RUNS} works1.1`],
  ['a run without a waiting execution ends', `${RUNS} abort1 ends1.1`],
  ['a grace passes', `${RUNS} abort1 ends1.1 pass`],
  ['a timer is due', `${RUNS} lose-answer1.1:SdkClientException ends1.1 pass timer1`],
  ['an expired record is deleted', `${ENDED} retention pass ttl`],
  ['a request comes late', 'start1 abort1 late1'],
  ['a request never comes', 'start1 abort1 never1'],
  ['a stop', 'start1 abort1'],
  ['throttling', 'start1 throttle1'],
  ['the step is rejected, there is no function', 'start1 do1 reject1:missing'],
  ['the step is denied, no permission', 'start1 do1 reject1:permission'],
  ['throttling of the dispatcher', 'send1 throttle-dispatch1'],
  ['a lost answer', 'start1 lose1'],
  ['a lost answer of the dispatcher', 'send1 lose-dispatch1'],
  ['a late write', 'start1 delay1'],
  ['a limit of evaluation, behind the put', 'start1 limit1'],
  ['a limit of evaluation, in the request of the claim', 'start1 limit1:request'],
  ['the same once', 'start1 limit1:request-once'],
  ['the step fails', `${RUNS} fail1.1`],
  ['the answer of the step is lost: SdkClientException', `${RUNS} lose-answer1.1:SdkClientException`],
  ['the answer of the step is lost: ServiceException', `${RUNS} lose-answer1.1:ServiceException`],
  ['the answer of the step is lost: AWSLambdaException', `${RUNS} lose-answer1.1:AWSLambdaException`],
  ['the answer of the step is lost: timeout', `${RUNS} lose-answer1.1:ClientExecutionTimeoutException`],
  ['no answer of the step ever', `${RUNS} silence1.1`],
  ['the function is ended by its timeout', `${RUNS} kill1.1`],
  ['the last moment of a grace, while a run is under way', `${RUNS} start2 abort1 near`],
  ['the last moment of a grace, while a request for one is', 'start1 do1 start2 abort1 near'],
  ['an operator redrives', 'start1 abort1 pass redrive1'],
  ['another payload', 'start1 start2*'],
  ['another payload for the dispatcher', 'start1 send2*'],
  ['one more delivery', 'start1 start2 start3 abort1 never1 abort2 never2 abort3 never3 again'],
  ['the retention is nearly over', `${ENDED} retention`],
  ['another workflow has claimed the key and finished', 'start1 another'],
  ['another workflow claims the key', `${ENDED} retention pass another:claims`],
  ['the state machine of the owner is deleted', `${RUNS} delete1`],
  ['the same, of an owner whose step began late', `${RUNS} delete1:late`],
  ['a fortnight', `${RUNS} abort1 ends1.1 fortnight`],
  ['90 days', `${RUNS} abort1 ends1.1 forgotten`],
  ['an execution is held up at a request', 'start1 hold-up1'],
  ['the same for longer than a claim may take', 'start1 hold-up1:long'],
];

const BESIDE_RECOVERY: readonly (readonly [what: string, trace: string])[] = [
  ['the event of an end is lost, and the search finds it', `${RUNS} abort1 ends1.1 untold1 search1`],
  ['the event comes twice', `${RUNS} abort1 ends1.1 tell1 tell1:again`],
  ['a recovery is stopped', `${RUNS} abort1 ends1.1 tell1 stop-recovery1 search1`],
  ['an owner is described as running that has ended', `${ASKED} stale-recovery1:running`],
  ['an owner is described as unknown', `${ASKED} stale-recovery1:unknown`],
  ['what a recovery has read is slow', `${ASKED} recover1 slow-recovery1`],
  ['the answer to its redrive is lost', `${ASKED} recover1 recover1 lose-recovery1`],
  ['an owner that was redriven has not gone on yet', `${TWICE} pending-recovery2`],
  ['an owner is described as before its redrive', `${TWICE} stale-recovery2:before`],
  ['its redrive is throttled to the last', `${ASKED} recover1 recover1 throttle-recovery1`],
  ['a person releases the key', `${RUNS} abort1 ends1.1 pass release`],
];

const VARIANT_INVARIANTS: readonly Ability[] = [
  ['express', 'a request takes nearly all of its time', 'start1 slow1'],
  ['express', 'it is run from its beginning again', 'start1 do1 restart1'],
  ['express', 'a read takes until the lease ends', 'start1 slow1 do1 pass over1 start2 do2 slow2:lease-end'],
  ['results', 'the object with the result is deleted', 'start1 do1 do1 works1.1 do1 do1 end1 unput'],
  ['results', 'another one takes its place', 'start1 do1 do1 works1.1 do1 do1 end1 forge'],
  ['timeout', 'the time of its machine is over', 'start1 timeout1'],
  ['rollback', 'a later version has finished the key, in a form of its own', 'start1 another:version'],
  [
    'express',
    'a read takes until the lease is over',
    'start1 start2 slow1 do1 do2 do2 start3 pass start4 over1 start5 start6 do6 slow6:lease',
  ],
  [
    'recovery-on-failure',
    'what was evaluated for the request of the result is too long',
    'start1 do1 do1 works1.1 limit1:result',
    1,
  ],
  [
    'stored-failure',
    'the result of the step is too long, in an error of its name',
    'start1 do1 do1 too-long1.1:by-name',
  ],
  ['stored-failure', 'the same in an error of any name', 'start1 do1 do1 too-long1.1:by-any'],
  ['recovery-on-failure', 'a person is interrupted while releasing', 'start1 limit1 pass release:killed'],
  ['recovery-on-failure', 'a release is over', 'start1 limit1 pass release pass released'],
  [
    'recovery-redrives',
    'a release is over too late',
    'start1 do1 reject1:permission abort1 pass start2 do2 do2 do2 end2 release redrive1 outlasts timer1 do1 released:too-late',
  ],
  [
    'recovery-at-most-once',
    'an execution outlasts what is waited for',
    'start1 start2 limit2 tell2 recover1 outlasts',
  ],
  ['recovery', 'an event of an end comes without its error', 'start1 throttle1 tell1:no-error'],
  ['recovery-on-failure', 'an event of an end comes without its input', 'start1 abort1 tell1:no-input'],
  [
    'recovery-at-most-once',
    'an event of the end before the redrive comes late',
    'start1 abort1 pass redrive1 tell1:before',
  ],
  ['redeliver-failed', 'the event of a failure starts a redelivery', `${FAILED} tell-redelivery1`],
  ['redeliver-failed', 'that event is lost', `${FAILED} untold-redelivery1`],
  ['redeliver-failed', 'it comes twice', `${FAILED} tell-redelivery1 tell-redelivery1:again`],
  ['redeliver-failed', 'it comes without the input', `${FAILED} tell-redelivery1:no-input`],
  ['redeliver-failed', 'it comes without the error', `${FAILED} tell-redelivery1:no-error`],
  [
    'redeliver-failed',
    'it comes late, when an operator has redriven the execution',
    'start1 do1 do1 works1.1 throttle1 pass redrive1 tell-redelivery1:before',
  ],
  ['custom-event-bus', 'two events in a list', 'batch1'],
  ['custom-event-bus', 'the start of an event is too long', 'send1 too-long-dispatch1'],
  [
    'express-custom-event-bus',
    'the source does not wait for the end of an execution',
    'send1 dispatch1 leave-dispatch1',
  ],
  ['front-door', 'a request comes by HTTP', 'request1'],
  ['front-door', 'another payload by HTTP', 'request1 request2*'],
  ['front-door', 'the front door starts an execution', 'request1 serve1'],
  ['front-door', 'it has waited', WAITS],
  ['front-door', 'it reads the record as it was before', 'request1 serve1 do1 old-request1'],
  ['front-door', 'an accepted request is asked for', `${ACCEPTED} ask1`],
  ['front-door', 'it is stopped, or its time is over', 'request1 stop-request1'],
  ['front-door', 'its request is throttled', 'request1 throttle-request1'],
  ['front-door', 'the answer to its start is lost', 'request1 lose-request1'],
  ['front-door', 'its request takes nearly all of its time', 'request1 slow-request1'],
  [
    'fragment-in-jsonpath',
    'an owner that was redriven has not gone on yet',
    'start1 do1 do1b abort1 pass start2 do2b do2b do2b do2b do1b pending1b',
  ],
  [
    'fragment-in-jsonpath',
    'an owner is described as before its redrive',
    'start1 lose1 do1b do1 do1 lose-answer1.1:AWSLambdaException ends1.1 abort1 pass redrive1 wait1b end1b stale1b:before',
  ],
  [
    'fragment-in-turn',
    'an owner is described as running that has ended',
    'start1 do1 start2 do2 abort1 never1 pass do2 stale2:running',
  ],
  [
    'fragment-in-turn',
    'an owner is described as unknown',
    'start1 start2 do1 do1 do2 works1.1 pass do2 stale2:unknown',
  ],
  [
    'fragment-in-turn',
    'an owner is unknown to the last moment, while its request is under way',
    'start1 start2 do1 do1 do2 works1.1 pass do2 stale2:unknown-to-the-last',
  ],
];

/** Everything that can happen. Without one of them its trace cannot be gone through, and its test says so. */
export const ABILITIES: readonly Ability[] = [
  ...SHIPPED.map(([what, trace]): Ability => ['shipped', what, trace]),
  ...BESIDE_RECOVERY.map(([what, trace]): Ability => ['shipped, recovery', what, trace]),
  ...VARIANT_INVARIANTS,
];

/** What kind of step it is, without whom it happens to: `lose`, `stale:running`. */
export function kindOf(step: string): string {
  return step.replace(/\d+[b-h]?(\.\d+)?/, '');
}
