/** A guard of the protocol that the specification can do without, and then has to break. */
export interface Guard {
  readonly name: string;
  /** What the protocol does without it. */
  readonly says: string;
  /** In which budget that shows. */
  readonly budget: readonly [deliveries: number, faults: number];
  readonly isAtMostOnce?: true;
  /** The same guard of the deployed definition, as the exploration takes it away; undefined: it has none. */
  readonly counterpart?: Counterpart;
}

/** A mutant of the exploration, and a schedule that it has printed as one of its violations. */
export interface Counterpart {
  readonly mutation: string;
  /** The variant that it is one of; undefined: the shipped definition. */
  readonly variant?: string;
  readonly schedule: string;
  /** The exploration takes these steps for granted if nothing recovers; the specification must get them. */
  readonly continued?: string;
}

/** All of them, in the order of the specification. */
export const GUARDS: readonly Guard[] = [
  {
    name: 'CLAIM_CONDITION',
    says: 'claims whatever is there',
    budget: [1, 0],
    counterpart: { mutation: 'claim-unconditional', schedule: 'start1 do1 do1 works1.1 do1 end1' },
  },
  {
    name: 'OWN_CLAIM',
    says: 'claims its own finished record again',
    budget: [1, 1],
    counterpart: {
      mutation: 'claim-reentrant-when-finished',
      schedule: 'start1 delay1 do1 do1 works1.1 do1 late1',
    },
  },
  {
    name: 'TAKEOVER_CONDITION',
    says: 'takes over whatever is there',
    budget: [2, 1],
    counterpart: {
      mutation: 'takeover-of-any-owner',
      schedule: 'start1 start2 start3 do1 do2 do3 throttle1 do1 do2 do3 do2 throttle2 do2 do3',
    },
  },
  {
    name: 'FINALIZE_CONDITION',
    says: 'stores a result without a condition on the owner',
    budget: [1, 2],
    counterpart: {
      mutation: 'finalize-unconditional',
      schedule: 'start1 do1 do1 works1.1 lose1 retention pass ttl do1',
    },
  },
  {
    name: 'FAIL_CONDITION',
    says: 'stores a failure without a condition on the owner',
    budget: [2, 2],
    counterpart: {
      mutation: 'finalize-failed-unconditional',
      schedule: 'start1 start2 do1 do2 throttle1 lose1 do2 do2 do1',
    },
  },
  {
    name: 'REDRIVE_TOKEN',
    says: 'redrives an owner as often as it was seen ended',
    budget: [2, 2],
    counterpart: {
      mutation: 'recovery-without-token',
      variant: 'recovery',
      schedule:
        'start1 do1 abort1 tell1 recover1 tell1:again recover2 pass pass wake1 wake2 recover1 recover2 recover1 recover2 recover1 do1 abort1 recover2 do1',
    },
  },
  {
    name: 'STEP_END_WAIT',
    says: 'records a failure while the step may be working',
    budget: [2, 1],
    counterpart: {
      mutation: 'step-end-awaited-too-short',
      schedule: 'start1 start2 do1 do1 do2 lose-answer1.1:SdkClientException pass timer1 do1 do2 do2 do2',
    },
  },
  {
    name: 'PAYLOAD',
    says: 'answers another payload',
    budget: [2, 1],
    counterpart: {
      mutation: 'judge-any-payload',
      schedule: 'start1 do1 do1 works1.1 do1 end1 start2* do2 do2',
    },
  },
  { name: 'HELD_IS_FINAL', says: 'takes over a key that is held for a person', budget: [1, 2] },
  {
    name: 'OVERDUE',
    says: 'takes every owner for one that is at work',
    budget: [1, 2],
    counterpart: { mutation: 'judge-never-calls', schedule: 'start1 limit1', continued: 'untold1' },
  },
  {
    name: 'CALL_AGAIN',
    says: 'calls recovery for a claim but once',
    budget: [2, 2],
    counterpart: {
      mutation: 'call-once-for-all',
      schedule: 'start1 limit1',
      continued: 'untold1 start2 do2 do2 do2 stop-recovery1',
    },
  },
  {
    name: 'RELEASED_BY',
    says: 'delivers what a person has released',
    budget: [1, 2],
    counterpart: {
      mutation: 'recovery-released-by-anybody',
      variant: 'recovery',
      schedule:
        'start1 do1 do1 abort1 ends1.1 tell1 recover1 pass pass release pass released wake1 recover1 recover1 recover1',
    },
  },
  {
    name: 'RETENTION',
    says: 'delivers what may have been done, and forgotten',
    budget: [1, 2],
    counterpart: {
      mutation: 'recovery-forgotten-is-delivered',
      variant: 'recovery',
      schedule:
        'start1 do1 do1 works1.1 lose1 retention abort1 pass ttl tell1 recover1 pass pass wake1 recover1 recover1 recover1',
    },
  },
  {
    name: 'RECOVERY_WAITS',
    says: 'decides about an owner at once',
    budget: [1, 1],
    counterpart: {
      mutation: 'recovery-without-a-wait',
      variant: 'recovery',
      schedule: 'start1 abort1 tell1 recover1 recover1',
    },
  },
  {
    name: 'LIVING_OWNER',
    says: 'releases the record of an owner that is running',
    budget: [2, 0],
    counterpart: {
      mutation: 'recovery-the-living',
      variant: 'recovery',
      schedule: 'start1 start2 lose1 do2 pass do2 do2 recover1 recover1 recover1 recover1',
    },
  },
  {
    name: 'UNKNOWN_IS_DOUBT',
    says: 'at most once: releases the record of an unknown owner',
    budget: [1, 2],
    isAtMostOnce: true,
    counterpart: {
      mutation: 'at-most-once-unknown-is-released',
      variant: 'at-most-once',
      schedule: 'start1 do1 do1 abort1 ends1.1 pass forgotten',
    },
  },
  {
    name: 'REDRIVES_BOUND',
    says: 'redrives an owner however often it is interrupted',
    budget: [1, 2],
    counterpart: {
      mutation: 'recovery-redrives-bound-dropped',
      variant: 'recovery-redrives',
      schedule:
        'start1 abort1 late1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 abort1 tell1 recover2 pass pass pass wake1 recover1 recover1 wake2 recover2 recover2 recover2',
    },
  },
  {
    name: 'SECOND_LOOK',
    says: 'decides by the record as it was before it waited',
    budget: [1, 1],
    counterpart: {
      mutation: 'recovery-one-look',
      variant: 'recovery',
      schedule: 'start1 limit1 tell1 pass pass wake1 recover1',
    },
  },
  {
    name: 'DOUBT_IS_HELD',
    says: 'at most once: redrives an owner that was cut off in its step',
    budget: [1, 1],
    isAtMostOnce: true,
    counterpart: {
      mutation: 'at-most-once-cut-off-is-redriven',
      variant: 'at-most-once',
      schedule: 'start1 do1 do1 abort1 ends1.1',
    },
  },
  {
    name: 'REDRIVE_AT_ONCE',
    says: 'redrives an owner by a record that was read long ago',
    budget: [2, 2],
    counterpart: {
      mutation: 'recovery-old-read',
      variant: 'recovery',
      schedule:
        'start1 do1 do1 abort1 ends1.1 tell1 recover1 pass pass wake1 recover1 slow-recovery1 release pass released start2 do2 do2 do2 do2 recover1 recover1 do1',
    },
  },
  {
    name: 'RELEASE_CONDITION',
    says: 'releases a record that has changed meanwhile',
    budget: [2, 1],
    counterpart: {
      mutation: 'recovery-release-unconditional',
      variant: 'recovery',
      schedule:
        'start1 limit1 tell1 pass pass start2 do2 do2 do2 wake1 recover1 recover1 recover2 recover2 recover2 recover1 recover1 do3 do3 do3 recover2',
    },
  },
  { name: 'HOLDING', says: 'a person releases a record that was not held first', budget: [2, 2] },
];
