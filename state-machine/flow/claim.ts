import { isRefusedTooOften } from '../contract/conditions';
import { and, expression, not, or } from '../contract/jsonata';
import * as is from '../expressions/record';
import { CONDITION_FAILED, EVALUATION_FAILED, EVALUATIONS_MAX, PASS_INPUT_ON } from '../settings';
import * as claiming from '../stages/claim';
import * as failing from '../stages/fail';
import { when } from './conditions';
import type { States } from './states';

/** Both ways to own the record lead to the business step; a refused one to the record that refused it. */
export function connectClaim({ claim, read, takeOver, step, contended, scope, settings }: States): void {
  claim.next(step.state);
  claim.addCatch(read, {
    errors: [CONDITION_FAILED],
    assign: claiming.knowledgeOfRefused(settings),
    outputs: PASS_INPUT_ON,
  });

  const readable = claiming.keyReadable(scope);
  claim.addCatch(readable, {
    errors: [EVALUATION_FAILED],
    assign: { evaluation: expression('$states.errorOutput.Cause'), refusals: is.REFUSALS },
    outputs: PASS_INPUT_ON,
  });
  // Claiming again is safe whether or not the put was made: the claim admits its own record.
  const isTooOften = isRefusedTooOften(EVALUATIONS_MAX).jsonata;
  when(readable, and(or(claiming.FAILED_AFTER_CLAIM, claiming.MET_A_LIMIT), not(isTooOften)), claim);
  when(readable, claiming.FAILED_AFTER_CLAIM, contended);
  if (settings.payload !== undefined) when(readable, claiming.PAYLOAD_FAILED, failing.invalidPayload(scope));
  readable.otherwise(failing.missingKey(scope));

  takeOver.next(step.state);
  takeOver.addCatch(read, {
    errors: [CONDITION_FAILED],
    assign: { refusals: is.REFUSALS },
    outputs: PASS_INPUT_ON,
  });
}
