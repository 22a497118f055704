import { notAfter, parts, type Value } from '../../../state-machine/contract/condition';

// Parts of rows that mutants change.

/** The text of a record's status. */
export const STATUS_TEXT: Value = { is: 'record', name: 'status', as: 'text' };
export const CLAIMED_AT: Value = { is: 'record', name: 'claimedAt', as: 'time' };
export const EXPIRY: Value = { is: 'record', name: 'expiry', as: 'number' };
export const NOW_SECONDS: Value = { is: 'now', in: 's' };

/** What makes an expired record one that does not count. */
export const EXPIRED = notAfter(EXPIRY, NOW_SECONDS);

/** Region and name of a machine in the ARN of its execution, without the account. */
export const withoutAccount = (arn: Value) => parts(arn, ':', 3, 6);
