import type { ModelState } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import type { Step } from '../transition/step';
import { ANSWER_INVARIANTS } from './answer-invariants';
import { END_INVARIANTS } from './end-invariants';
import { FRONT_DOOR_INVARIANTS } from './front-door-invariants';
import type { Invariant } from './invariant';
import { NOTICE_INVARIANTS } from './notice-invariants';
import { OWNER_INVARIANTS, RECOVERY_INVARIANTS } from './owner-invariants';
import { RECORD_INVARIANTS } from './record-invariants';
import { REDELIVERY_INVARIANTS } from './redelivery-invariants';
import { STEP_INVARIANTS } from './step-invariants';
import { variantViolationIn } from './variant-invariants';

/** A broken invariant. */
export interface Violation {
  readonly invariant: string;
  readonly says: string;
  /** What was seen. */
  readonly seen: string;
}

/** All invariants of single steps. That nothing is ever stuck is checked where everything has ended. */
export const INVARIANTS: readonly Invariant[] = [
  ...STEP_INVARIANTS,
  ...RECORD_INVARIANTS,
  ...OWNER_INVARIANTS,
  ...ANSWER_INVARIANTS,
  ...END_INVARIANTS,
  ...NOTICE_INVARIANTS,
  ...RECOVERY_INVARIANTS,
  ...REDELIVERY_INVARIANTS,
  ...FRONT_DOOR_INVARIANTS,
];

/** The first invariant that a step breaks, but for those that the subject leaves unchecked; undefined: all hold. */
export function violationIn(space: StateSpace, before: ModelState, step: Step): Violation | undefined {
  for (const { name, says, brokenBy } of INVARIANTS) {
    if (space.subject.unchecked?.includes(name)) continue;
    const seen = brokenBy(space, before, step);
    if (seen !== undefined) return { invariant: name, says, seen };
  }
  return variantViolationIn(space, before, step);
}
