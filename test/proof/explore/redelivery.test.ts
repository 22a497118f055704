import { isFailureHeardOf } from '../../../proof/explore/transition/recovery';
import { ERROR, NOTHING_TO_RECOVER } from '../../../state-machine/contract/error-names';
import { variantSubject } from './subject';

describe('redeliverFailed among what can happen', () => {
  const heard = (error: string, status: 'FAILED' | 'ABORTED' | 'TIMED_OUT' = 'FAILED') =>
    isFailureHeardOf({ status, end: { at: 0, error } });

  test('the errors that start no redelivery: those of the contract, as in its rule', () => {
    const errors = [...NOTHING_TO_RECOVER, ERROR.invalidEvent];

    expect(errors.filter(error => heard(error))).toEqual([]);
    expect(heard('PaymentDeclined')).toBe(true);
    expect(heard('PaymentDeclined', 'ABORTED')).toBe(false);
    expect(heard('PaymentDeclined', 'TIMED_OUT')).toBe(false);
  });

  test('a variant without recovery as an actor: its redeliveries are still explored', () => {
    const { running } = variantSubject('redeliver-failed');

    expect(running).toEqual(['redelivery']);
  });
});
