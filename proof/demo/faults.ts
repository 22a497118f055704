import type { Interceptor } from '@onceflow/local';

/** What the demo's business step fails with: the provider was not reached, nothing has happened. */
export const STEP_FAILURE = 'PaymentProviderUnavailable';

/** The state that runs the business step; the function that redrives an owner is another one's. */
export const BUSINESS_STEP = 'Business step';

/** Calls the state machines have made so far. */
export interface Calls {
  /** Invocations of the business step, failed ones included. */
  businessRuns: number;
  /** ARNs of the executions that invoked it. */
  readonly ranIn: Set<string>;
  /** DynamoDB writes and reads of the state machines themselves, retries and rejected writes included. */
  writes: number;
  reads: number;
  /** Claims taken over from an attempt that had failed, or from an owner that could not be redriven. */
  takeovers: number;
}

/**
 * Counts calls, and lets the business step fail before its effect with this probability; `chance` gives the next number
 * in [0, 1) for an execution.
 */
export function observer(
  failRate: number,
  chance: (executionArn: string) => number,
): { calls: Calls; interceptor: Interceptor } {
  const calls: Calls = { businessRuns: 0, ranIn: new Set(), writes: 0, reads: 0, takeovers: 0 };
  const interceptor: Interceptor = async (call, next) => {
    if (call.resource === 'dynamodb:getItem') calls.reads += 1;
    else if (call.resource.startsWith('dynamodb:')) calls.writes += 1;
    if (call.stateName === 'Take over') {
      const answer = await next();
      if (answer.kind === 'succeeded') calls.takeovers += 1;
      return answer;
    }
    if (call.stateName !== BUSINESS_STEP) return next();
    calls.businessRuns += 1;
    calls.ranIn.add(call.executionArn);
    if (chance(call.executionArn) >= failRate) return next();
    const cause = JSON.stringify({
      errorType: STEP_FAILURE,
      errorMessage: 'the payment provider could not be reached',
    });
    return { kind: 'failed', error: STEP_FAILURE, cause };
  };
  return { calls, interceptor };
}
