import { any, negated } from '../../../../state-machine/contract/condition';
import { toJsonata } from '../../../../state-machine/contract/condition-text';
import { IS_IN_DOUBT } from '../../../../state-machine/contract/conditions';
import { expression } from '../../../../state-machine/contract/jsonata';
import { OTHERWISE, outcomeRules } from '../../../../state-machine/contract/judgement';
import { evaluate206 } from '../../../support/evaluate';

const ANSWERS = [
  // The step's own errors, also those that look a little like the service's.
  'CardDeclined',
  'TypeError',
  'Billing.Lambda.Error',
  'LambdaError',
  'Statesman.Error',
  // Rejections before anything ran: all of them are in `contract/step-errors`.
  'Lambda.TooManyRequestsException',
  'Lambda.KMSAccessDeniedException',
  'Lambda.ResourceNotFoundException',
  'States.Permissions',
];
const CUT_OFF = [
  'Lambda.Unknown',
  'Lambda.SdkClientException',
  'Lambda.ServiceException',
  'Sandbox.Timedout',
  'Runtime.ExitError',
  'Function.ResponseSizeTooLarge',
  'Extension.Crash',
  'States.Timeout',
  'States.TaskFailed',
  'States.DataLimitExceeded',
];

const UNCERTAIN = outcomeRules().flatMap(({ when }) => (when === OTHERWISE ? [] : [when]));

/** Whether the outcome is certain, for an execution that had been redriven so often when it claimed, and now. */
function isCertain(error: string, { claimed = 0, now = 0 } = {}) {
  const states = { context: { Execution: { RedriveCount: now } } };
  return evaluate206(expression(toJsonata(negated(any(...UNCERTAIN)))), {
    failure: { Error: error, Cause: '' },
    redrives: claimed,
    states,
  });
}

describe('the outcome of a step that ended with an error', () => {
  test.each(ANSWERS)('%s: certain', async error => {
    expect(await isCertain(error)).toEqual({ value: true });
    expect(await isCertain(error, { claimed: 1, now: 1 })).toEqual({ value: true });
  });

  test.each(CUT_OFF)('%s: in doubt', async error => {
    expect(await isCertain(error)).toEqual({ value: false });
  });

  test('redriven since the claim: in doubt, whatever the step answers now', async () => {
    expect(await isCertain('CardDeclined', { claimed: 0, now: 1 })).toEqual({ value: false });
  });
});

describe('a failure that is stored', () => {
  const isInDoubt = (stored: string) =>
    evaluate206(expression(toJsonata(IS_IN_DOUBT)), {
      record: { error: { S: JSON.stringify({ Error: stored }) } },
    });

  test.each([...CUT_OFF, 'Idempotency.InDoubt'])(
    '%s: in doubt, also where at-least-once has stored it',
    async error => {
      expect(await isInDoubt(error)).toEqual({ value: true });
    },
  );

  test.each([...ANSWERS, 'Idempotency.Released'])('%s: a failure like any other', async error => {
    expect(await isInDoubt(error)).toEqual({ value: false });
  });
});
