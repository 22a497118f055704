/**
 * For mutants whose search takes a second or longer: a schedule that misses each, which tests replay. `npm run explore
 * -- --mutations --variant NAME` searches, and prints the schedule that it has found.
 */
export const SCHEDULES: Readonly<Record<string, string>> = {
  'chain-end-awaited-too-short':
    'start1 start2 do1 do1 do2 lose-answer1.1:SdkClientException pass timer1 do1 do2 do2 do2',
  'chain-retried-once-more': 'start1 do1 do1 fail1.1 pass timer1 do1 fail1.1 pass timer1 do1',
  'express-lease-too-short': 'start1 slow1 do1 pass over1 pass start2 do2 do2 do2 late1',
  'express-lease-without-the-step': 'start1 slow1 do1 pass over1 pass start2 do2 do2 do2 late1',
  'express-takeover-keeps-the-lease': 'start1 limit1 pass start2 do2 do2 do2 restart2 do2 do2 do2 late2',
  'finalize-failed-unconditional': 'start1 start2 do1 do2 throttle1 lose1 do2 do2 do1',
  'finalize-unconditional': 'start1 do1 do1 works1.1 lose1 retention pass ttl do1',
  'fragment-takeover-reentrant-by-owner': 'start1 start2 do1 do2 do2b throttle1 do1 do2 do2b do2 do2b',
  'on-failure-send-swallowed': 'start1 do1 throttle1 do1 throttle1',
  'on-failure-sent-once': 'start1 do1 throttle1 do1 lose1',
  'on-success-another-attempt': 'start1 start2 do1 do2 throttle1 do1 end1 do2 do2 do2 works2.2 do2 do2 end2',
  'recovery-at-most-once-bound-dropped':
    'start1 abort1 late1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 recover1 abort1 pass pass wake1 recover1 recover1 pass tell1 wake1 recover1 recover1 recover1 recover1 recover1',
  'recovery-at-most-once-exhausted-is-released':
    'start1 do1 do1 works1.1 abort1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 recover1 abort1 tell1 recover2 pass pass pass wake2 recover2 recover2 recover2 recover2 recover2 recover2 do2 do2 do2 do2',
  'recovery-redrives-held-waits':
    'start1 do1 abort1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 abort1 tell1 recover2 pass pass pass wake1 recover1 wake2 recover2 recover2 recover2 recover1 start2 do2 do2',
  'retry-once-more': 'start1 do1 do1 fail1.1 do1 fail1.1 do1',
  'takeover-of-any-owner': 'start1 start2 start3 do1 do2 do3 throttle1 do1 do2 do3 do2 throttle2 do2 do3',
  'takeover-own-record-not-known': 'start1 start2 do1 do2 throttle1 do1 end1 do2 lose2 do2 do2',
  'stored-failure-failure-for-any-payload': 'start1 do1 start2* do2 throttle1 do1 do2',
};
