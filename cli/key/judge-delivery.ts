import { attributeIn, RECORD } from '../../state-machine/contract/index';
import {
  judge,
  ownerRules,
  REFUSALS_MAX,
  type RecordVerdict,
  recordRules,
} from '../../state-machine/contract/judgement';
import type { Variant } from '../../state-machine/contract/variant';
import type { Workflow } from '../aws/workflow';
import { type JudgedOwnership, ownerAsSeen } from './judge-owner';

/** What the next delivery does, if it has the same payload and finds everything as it is now. */
export type NextDelivery =
  /** Begins anew, as if there were no record. */
  | 'claims'
  | 'returnsResult'
  /** Ends with `Idempotency.ResultUnavailable`: the step has run, and its result cannot be read from here. */
  | 'lacksResult'
  | 'returnsFailure'
  /** Runs the step, as the next attempt. */
  | 'takesOver'
  /** Starts recovery for the owner, and ends with `Idempotency.InProgress`, or waits. */
  | 'callsRecovery'
  /** In a team's own state machine: redrives the owner, which resumes where it stopped. */
  | 'redrives'
  /** The same: ends with `Idempotency.RedrivesExhausted`, as the owner was redriven as often as deliveries may. */
  | 'redrivesExhausted'
  /** At most once: holds the record for review. */
  | 'holds'
  /** Ends with the error that the record is held for. */
  | 'isHeld'
  /** Ends with `Idempotency.InProgress`, or waits. */
  | 'isRefused'
  /** Ends with `Idempotency.ForeignRecord`: the record is another workflow's. */
  | 'isForeign';

/** What the next delivery does, by the rules of the workflow. */
export function judgeNextDelivery(key: JudgedOwnership): NextDelivery {
  const { workflow, now, owner } = key;
  const variant = variantOf(workflow);
  const delivery = { executionArn: workflow.stateMachineArn, refusals: 0 };
  // In a team's own machine the time of the step has been judged with the owner, as an operator may know it better.
  const record = variant.isPart && key.record ? { ...key.record, claimedAt: undefined } : key.record;
  const { verdict } = judge(recordRules(variant), { record, now, delivery });
  if (verdict === 'askAboutOwner') return deliveryByOwner(key);
  if (verdict !== 'returnOwnersResult') return DELIVERY_BY_VERDICT[verdict];
  switch (owner.kind) {
    case 'alive':
    case 'dead':
    case 'mayStillWork':
      return variant.hasRecovery ? 'callsRecovery' : 'isRefused';
    default:
      return 'returnsResult';
  }
}

// No write of this delivery has been rejected, and it compares no payload.
const DELIVERY_BY_VERDICT: Readonly<
  Record<Exclude<RecordVerdict, 'askAboutOwner' | 'returnOwnersResult'>, NextDelivery>
> = {
  claim: 'claims',
  refuseForeign: 'isForeign',
  refusePayload: 'isRefused',
  returnResult: 'returnsResult',
  readResult: 'returnsResult',
  resultUnavailable: 'lacksResult',
  heldForReview: 'isHeld',
  returnFailure: 'returnsFailure',
  takeOver: 'takesOver',
  hold: 'holds',
  inProgress: 'isRefused',
  callRecovery: 'callsRecovery',
};

/** What a delivery to a team's own state machine does with an unfinished record, by the rules over its owner. */
function deliveryByOwner({ workflow, owner, now }: JudgedOwnership): NextDelivery {
  const isLeftAlone = owner.kind === 'mayStillWork' || owner.kind === 'notVisibleYet';
  const known = isLeftAlone ? undefined : ownerAsSeen(owner);
  if (known === undefined) return 'isRefused';
  // A record that says no more than this one says is asked again and again.
  const delivery = { refusals: REFUSALS_MAX };
  const rules = ownerRules(variantOf(workflow));
  const { verdict } = judge(rules, { record: undefined, owner: known, now, delivery });
  switch (verdict) {
    case 'takeOver':
    case 'letStepEnd':
      return 'takesOver';
    case 'redrive':
      return 'redrives';
    case 'redrivesExhausted':
      return 'redrivesExhausted';
    default:
      return 'isRefused';
  }
}

export function variantOf(workflow: Workflow): Variant {
  const { type, isAtMostOnce, returnsStoredFailure, returnedErrors, prefix, stepTimeoutMs } = workflow;
  const { formerStateMachines, maxRedrives, schema, storesResults, recoveryArn } = workflow;
  return {
    hasRecovery: recoveryArn !== undefined,
    formerStateMachines,
    maxRedrives,
    hasPayload: false,
    isAtMostOnce,
    returnsStoredFailure,
    returnedErrors,
    isExpress: type === 'EXPRESS',
    isPart: prefix !== '',
    storesResults,
    stepTimeoutSeconds: stepTimeoutMs / 1000,
    timeToLiveAttribute: attributeIn(schema, RECORD.expiry),
  };
}
