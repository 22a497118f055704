/**
 * The record's attributes in DynamoDB. One item per idempotency key; one table may serve many workflows.
 *
 * @example
 * item[RECORD.status]?.S === STATUS.completed
 */
export const RECORD = {
  /** S, partition key: `<scope>#<key>`. */
  idempotencyKey: 'idempotencyKey',
  /** S: one of {@link STATUS}. */
  status: 'status',
  /** S: ARN of the execution that claimed the key last. */
  owner: 'owner',
  /** N: 1 for the first claim, one more for each takeover. A fencing token for what the business step calls. */
  attempt: 'attempt',
  /** S: SHA-256 of the canonical validated payload; absent where the workflow validates none. */
  payloadHash: 'payloadHash',
  /**
   * S: JSON text of the payload as it is kept, or one of {@link PAYLOAD_OMITTED}; absent where none is kept.
   */
  payload: 'payload',
  /** S, ISO-8601: when the present owner claimed the key. */
  claimedAt: 'claimedAt',
  /** S: tells apart who claims under one ARN. See {@link claimIdOf}. */
  claimId: 'claimId',
  /** S, ISO-8601: when the record was finalized. For people. */
  finishedAt: 'finishedAt',
  /**
   * S: JSON text of the business result; {@link RESULT_ELSEWHERE} where that could not be exact, or is longer than
   * {@link RESULT_TEXT_MAX}.
   */
  result: 'result',
  /** S, `s3://<bucket>/<key>`: the object that holds the result, where `results` has put it there. */
  resultLocation: 'resultLocation',
  /** S: SHA-256 of that object, in base64, as S3 has computed it. */
  resultHash: 'resultHash',
  /**
   * S: JSON text of `{Error, Cause}`: of the failed business step, or why the record is held. In a released record: who
   * has released it.
   */
  error: 'error',
  /** N, seconds: for how long the owner's step may still be working after the owner's execution has ended. */
  stepTimeout: 'stepTimeout',
  /** N, epoch milliseconds, Express workflows only: until when an unfinished claim counts. */
  leaseExpiry: 'leaseExpiry',
  /**
   * N: which form the text of the key and the payload's hash have. Absent: the first, which is the only one so far. Its
   * reader rejects every other.
   */
  form: 'form',
  /** N, epoch seconds, the table's TTL attribute: end of retention. An unfinished record has none. */
  expiry: 'expiry',
} as const;

/** What a record says of an object that holds its result; a member that the item does not have is undefined. */
export interface ResultAttributes {
  readonly attempt?: number | undefined;
  readonly resultLocation?: string | undefined;
  readonly resultHash?: string | undefined;
}

/**
 * JSONata of a claim's id, which tells apart who claims under one ARN; the same in each try of a Task, and after a
 * redrive.
 *
 * A name is free again 90 days after its execution has ended: when the execution was started tells it from one of the
 * same name. An Express execution may be restarted from its beginning: when the state was entered tells its runs apart.
 * An execution of which the states are a part may be in them several times at once, as in a Map: each time it makes a
 * UUID, in the variable `claimId`.
 */
export function claimIdOf(variant: { readonly isFragment: boolean; readonly isExpress: boolean }): string {
  if (variant.isFragment) return '$claimId';
  return variant.isExpress ? '$states.context.State.EnteredTime' : '$states.context.Execution.StartTime';
}

/**
 * What a record can say of its key.
 *
 * @example
 * item[RECORD.status]?.S === STATUS.held
 */
export const STATUS = {
  /** An execution owns the key and has not finished. */
  inProgress: 'IN_PROGRESS',
  /** The business step succeeded; duplicates get its result. */
  completed: 'COMPLETED',
  /** The business step failed; a later delivery may take over. */
  failed: 'FAILED',
  /** The owner can never go on, and nothing of it can act any more: the next delivery takes over. Never expires. */
  released: 'RELEASED',
  /** `onceflow release` has reserved the record until no redrive can arrive any more: nothing else changes it. */
  releasing: 'RELEASING',
  /** An operator has to decide: the business step may have run, or every redrive of the owner failed. Never expires. */
  held: 'HELD',
} as const;

/**
 * The holder of a record, in the cause of its error: recovery, which then sends the notice. Otherwise it is an
 * execution's ARN.
 */
export const HELD_BY_RECOVERY = 'recovery';

/**
 * A status as the record holds it.
 *
 * @example
 * const status: Status = STATUS.completed;
 */
export type Status = (typeof STATUS)[keyof typeof STATUS];

/**
 * In place of a result that only the output of the owner's execution has. It is not a JSON text, so it is never a
 * result. If a record has no text for its result, the meaning is the same.
 *
 * @example
 * if (record.result === RESULT_ELSEWHERE) readFromTheExecution(record.owner);
 */
export const RESULT_ELSEWHERE = 'ELSEWHERE';

/**
 * The longest result, in characters of JSON text with its quotes escaped, that the record itself keeps.
 *
 * A longer one is read from the owner's execution. A state reads the whole record, of at most 262,144 bytes. A
 * character takes up to 4 bytes, so the result leaves 62,144 bytes for the key and for {@link PAYLOAD_TEXT_MAX}
 * characters of payload.
 *
 * @example
 * const isInRecord = text.length <= RESULT_TEXT_MAX;
 */
export const RESULT_TEXT_MAX = 50_000;

/**
 * In place of a payload that is not kept, and why. None is a JSON text, so none is ever a payload.
 *
 * @example
 * record.payload === PAYLOAD_OMITTED.tooLong // 'TOO_LONG'
 */
export const PAYLOAD_OMITTED = {
  /** Longer than {@link PAYLOAD_TEXT_MAX}. */
  tooLong: 'TOO_LONG',
  /** It has a number of more digits than the 15 that JSONata writes. */
  notExact: 'NOT_EXACT',
  /** The redaction could not be evaluated, or gave nothing. */
  notRedacted: 'NOT_REDACTED',
} as const;

/** The longest payload, in characters of JSON text, that a record keeps: each write of it is billed by its KB. */
export const PAYLOAD_TEXT_MAX = 10_000;

/** So many characters of a key's text a record holds as they are: with the scope and a hash within 2,048 bytes. */
export const KEY_TEXT_MAX = 400;

/** The longest scope, in bytes of UTF-8: leaves {@link KEY_TEXT_MAX} four-byte characters and a hash room in 2,048 bytes. */
export const SCOPE_BYTES_MAX = 255;

/** The greatest whole number a key may be: above it, neighbouring numbers of a JSON document share one double. */
export const KEY_NUMBER_MAX = Number.MAX_SAFE_INTEGER;
