export { ERROR, type ErrorName, GIVEN_UP_BEFORE_THE_STEP, isRetryable, RELEASED } from './error-names';
export { type ExecutionNames, executionName } from './execution-name';
export { type KeyText, keyText, recordKey } from './idempotency-key';
export { canonicalText, payloadHash, payloadKeyText } from './payload-hash';
export { PAYLOAD_OMITTED, RECORD, RESULT_ELSEWHERE, RESULT_TEXT_MAX, STATUS, type Status } from './record';
export { isAnswer } from './step-errors';
export type { StepEvent } from './step-event';
export {
  fetchResult,
  type ObjectReader,
  type ObjectWriter,
  type ResultLocation,
  storeResult,
} from './store-result';
export { type ResultObject, type ResultPointer, resultObjectOf } from './stored-result';
export { attributeIn, itemKeyIn, RECORD_SCHEMA, type TableSchema } from './table-schema';
export { type EpochMs, type EpochSeconds, isExpired, toEpochSeconds } from './time';
