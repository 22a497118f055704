export { ERROR, type ErrorName, isRetryable } from './error-names';
export { executionName } from './execution-name';
export { type KeyText, keyText, recordKey } from './idempotency-key';
export { canonicalJson, payloadHash } from './payload-hash';
export { RECORD, RESULT_TEXT_MAX, STATUS, type Status } from './record';
export { type EpochMs, type EpochSeconds, isExpired, toEpochSeconds } from './time';
