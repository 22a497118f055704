import type { ModelState } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import type { Step } from '../transition/step';
import type { Invariant } from './invariant';
import { OF_THE_ANSWERS } from './of-the-answers';
import { OF_THE_OWNER, OF_THE_RECOVERY } from './of-the-owner';
import { OF_THE_RECORD } from './of-the-record';
import { OF_THE_STEP } from './of-the-step';
import { variantViolationIn } from './of-variants';

/** A broken invariant. */
export interface Violation {
  readonly invariant: string;
  readonly says: string;
  /** What was seen. */
  readonly seen: string;
}

/** All invariants of single steps. That nothing is ever stuck is checked where everything has ended. */
const INVARIANTS: readonly Invariant[] = [
  ...OF_THE_STEP,
  ...OF_THE_RECORD,
  ...OF_THE_OWNER,
  ...OF_THE_ANSWERS,
  ...OF_THE_RECOVERY,
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
