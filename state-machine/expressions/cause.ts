import { expression, literal } from '../contract/jsonata';

/**
 * A Fail state's cause: JSON that an operator can act on. Names the key and who owns it, never the payload.
 *
 * `facts` are JSONata expressions by member name; one that is undefined is left out.
 */
export function causeExpression(message: string, facts: Readonly<Record<string, string>> = {}): string {
  const members = Object.entries({ message: literal(message), ...facts });
  return expression(
    `$string({${members.map(([name, jsonata]) => `${literal(name)}: ${jsonata}`).join(', ')}})`,
  );
}

/** What a cause tells where nothing but the key is known. */
export const KEY_FACT = { idempotencyKey: '$idempotencyKey' } as const;

/** What a cause tells of the record that was read. */
export const RECORD_FACTS = {
  idempotencyKey: '$idempotencyKey',
  status: '$record.status.S',
  owner: '$record.owner.S',
  attempt: '$number($record.attempt.N)',
  claimedAt: '$record.claimedAt.S',
} as const;

/** What a cause tells of this execution's own claim. */
export const CLAIM_FACTS = { idempotencyKey: '$idempotencyKey', attempt: '$attempt' } as const;

/** The business step's error as `{Error, Cause}`, both always texts: an error may come without either. */
export const STEP_FAILURE = expression(
  "{'Error': $type($states.errorOutput.Error) = 'string' ? $states.errorOutput.Error : 'States.TaskFailed', " +
    "'Cause': $type($states.errorOutput.Cause) = 'string' ? $states.errorOutput.Cause : ''}",
);
