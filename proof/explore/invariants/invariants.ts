import type { ModelState } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import type { Step } from '../transition/step';
import { ANSWER_INVARIANTS } from './answer-invariants';
import { END_INVARIANTS } from './end-invariants';
import { FRONT_DOOR_INVARIANTS } from './front-door-invariants';
import type { Invariant } from './invariant';
import { NOTICE_INVARIANTS } from './notice-invariants';
import { OWNER_INVARIANTS } from './owner-invariants';
import { RECORD_INVARIANTS } from './record-invariants';
import { RECOVERY_INVARIANTS } from './recovery-invariants';
import { REDELIVERY_INVARIANTS } from './redelivery-invariants';
import { RUN_INVARIANTS } from './run-invariants';
import { STEP_INVARIANTS } from './step-invariants';
import { VARIANT_INVARIANTS } from './variant-invariants';

/** A broken invariant. */
export interface Violation {
  readonly invariant: string;
  readonly says: string;
  /** The observations. */
  readonly seen: string;
}

/** All invariants of single steps. The files `final-*` and `nothing-is-stuck` check states in which all has ended. */
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
  ...RUN_INVARIANTS,
  ...VARIANT_INVARIANTS,
];

/** The first invariant that a step breaks, except those that the subject leaves unchecked; undefined if all hold. */
export function violationIn(space: StateSpace, before: ModelState, step: Step): Violation | undefined {
  const { workflow, unchecked } = space.subject;
  for (const { name, says, promisedBy, brokenBy } of INVARIANTS) {
    if (unchecked?.includes(name) || promisedBy?.(workflow.traits) === false) continue;
    const seen = brokenBy(space, before, step);
    if (seen !== undefined) return violationOf({ name, says }, seen);
  }
  return undefined;
}

/** The violation of an invariant by what was seen. */
export function violationOf({ name, says }: Pick<Invariant, 'name' | 'says'>, seen: string): Violation {
  return { invariant: name, says, seen };
}
