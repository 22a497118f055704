import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { evaluate } from '../state-machine/contract/condition';
import { isLeftToJoined } from '../state-machine/contract/dispatch-rules';
import { ERROR } from '../state-machine/contract/error-names';
import { isDone as isDoneIn } from '../state-machine/contract/judgement';
import { RECORD, RESULT_ELSEWHERE, type ResultAttributes } from '../state-machine/contract/record';
import { fetchResult } from '../state-machine/contract/store-result';
import { pointerIn, type ResultObject, resultObjectOf } from '../state-machine/contract/stored-result';
import { attributeIn, itemKeyIn } from '../state-machine/contract/table-schema';
import type { EpochMs, EpochSeconds } from '../state-machine/contract/time';
import { answerOf } from './aws';
import type { Call } from './call';
import { PayloadMismatchError, StartOnceError } from './errors';
import { describe, type Ending, isOfMachine, type StartedExecution } from './executions';
import type { StartOnceResult } from './result';

/** Whether the execution ended because another one owns the key, so that a later one may get the result. */
export function isBlockedByAnother({ error }: Ending): boolean {
  return error === ERROR.inProgress;
}

/** The execution that blocks this one, where its cause names it. */
export function ownerNamedBy({ cause }: Ending): string | undefined {
  try {
    const { owner } = JSON.parse(cause ?? '') as { readonly owner?: unknown };
    return typeof owner === 'string' ? owner : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What the end of an execution means to the caller.
 *
 * @throws PayloadMismatchError; StartOnceError where the record cannot be read or the workflow has none for the key
 */
export async function outcomeOf(call: Call, ending: Ending): Promise<StartOnceResult> {
  const { executionArn, status, error, cause } = ending;
  if (status === 'SUCCEEDED') return succeeded(call, ending);
  if (error === ERROR.payloadMismatch) {
    throw new PayloadMismatchError(call.key, call.keyText, { executionArn, cause });
  }
  return (await finishedBefore(call, ending)) ?? failed(ending);
}

/**
 * The result of an execution that has failed when its record was finished: it could not send the result on, or was
 * stopped. The step has run, and a caller that gets a failure might undo something else.
 *
 * @throws StartOnceError where the result would have been the output of that execution
 */
async function finishedBefore(call: Call, ending: Ending): Promise<StartOnceResult | undefined> {
  const { executionArn, status, error } = ending;
  const record = await readRecord(call, executionArn);
  if (!isDone(record, call.time.now()) || record.owner !== executionArn) return undefined;
  const found = await resultOf(call, record, record.result);
  if (found) return { outcome: 'started', executionArn, result: found.result };
  throw new StartOnceError(
    'the step has run, but the record does not contain its result, and the execution with the result ended with ' +
      `${error ?? status}. Call again later: recovery redrives a Standard execution`,
    { executionArn },
  );
}

function failed({ executionArn, status, error, cause }: Ending): StartOnceResult {
  return { outcome: 'failed', executionArn, error: error ?? status ?? 'FAILED', cause: cause ?? '' };
}

async function succeeded(call: Call, { executionArn, output }: Ending): Promise<StartOnceResult> {
  const record = await readRecord(call, executionArn);
  if (record === undefined) {
    throw new StartOnceError(
      `the execution succeeded, but ${call.table} has no record of ${JSON.stringify(call.recordKey)}; ` +
        'compare `table`, `scope` and `key` with those of the workflow',
      { executionArn },
    );
  }
  const found = await resultOf(call, record, output ?? record.result);
  if (found === undefined) {
    throw new StartOnceError(
      'the execution succeeded, but Step Functions does not return its output; call again later',
      {
        executionArn,
      },
    );
  }
  const outcome = record.owner === executionArn ? 'started' : 'duplicate';
  return { outcome, executionArn: record.owner, result: found.result };
}

/**
 * The result, by its text, or out of the bucket if the text is a pointer or there is none; undefined if the result is
 * lost.
 *
 * A pointer says itself which object is meant. The one that the record names may hold no more than the pointer of a
 * step, where the record itself keeps next to nothing, or by now be another attempt's. If the result has no text, as of
 * an owner that was stopped, that pointer is followed.
 */
async function resultOf(
  call: Call,
  record: StoredRecord,
  text: string | undefined,
): Promise<{ readonly result: unknown } | undefined> {
  const { s3, recordKey } = call;
  const result: unknown = text === undefined ? undefined : JSON.parse(text);
  const told = text === undefined ? record : { attempt: record.attempt, result: text };
  const object = resultObjectOf({ ...told, idempotencyKey: recordKey });
  if (object === undefined) return text === undefined ? undefined : { result };
  if (!s3) return { result: { storedResult: object } };
  const value = await fetched(s3, object, record.owner);
  const isPointer = text === undefined && pointerIn(value) !== undefined;
  return isPointer ? resultOf(call, record, JSON.stringify(value)) : { result: value };
}

async function fetched(
  s3: NonNullable<Call['s3']>,
  object: ResultObject,
  executionArn: string,
): Promise<unknown> {
  try {
    return await fetchResult(s3, object);
  } catch (cause) {
    throw new StartOnceError(
      `the step has run, but its result could not be read from s3://${object.bucket}/${object.key}; see the cause`,
      { executionArn, cause },
    );
  }
}

/**
 * What the record says of a call whose name is in use: its stored result, or that the execution `joined`, which was
 * running before, takes care of the call. Undefined in every other case.
 *
 * @throws StartOnceError with the execution `joined`, if the record cannot be read
 */
export async function answerOfRecord(
  call: Call,
  joined: StartedExecution | undefined,
): Promise<Extract<StartOnceResult, { readonly outcome: 'started' | 'duplicate' }> | undefined> {
  const { executionArn, since = joined?.calledAt } = joined ?? {};
  const record = await readRecord(call, executionArn);
  const now = joined?.now() ?? call.time.now();
  const isLeft = evaluate(isLeftToJoined(), {
    record,
    now,
    known: { joined: executionArn, joinedSince: since },
  });
  if (isLeft && executionArn !== undefined) return { outcome: 'started', executionArn };
  const duplicate = await knownDuplicate(call, record, now);
  // It has finished while the record was read.
  const isOwn = duplicate?.executionArn === executionArn;
  return duplicate && isOwn ? { ...duplicate, outcome: 'started' } : duplicate;
}

/**
 * The stored result, if this call is certainly a duplicate of what the record answers for; otherwise undefined.
 *
 * Which part of an input the workflow compares is its own business, so only the input that the owner was started with,
 * text for text, is certainly the same payload. Everything else is for the workflow to decide.
 */
async function knownDuplicate(call: Call, record: StoredRecord | undefined, now: EpochMs) {
  if (!isDone(record, now) || !isOfMachine(call, record.owner)) return undefined;
  // How a later version writes keys and payloads is its own business.
  if (record.form !== undefined) return undefined;
  const owner = await describe(call, record.owner);
  if (owner?.input !== call.input) return undefined;
  const found = await resultOf(call, record, record.result ?? owner.output);
  return found && { outcome: 'duplicate' as const, executionArn: record.owner, result: found.result };
}

/** A key's record, as far as a caller needs it. */
interface StoredRecord extends ResultAttributes {
  readonly status: string;
  readonly owner: string;
  readonly expiry: EpochSeconds | undefined;
  /** Present if a later version has written the record in a form of its own. */
  readonly form: number | undefined;
  /** JSON text; absent where only the owner's output has it. */
  readonly result: string | undefined;
}

/** The key's record as it is now, or undefined where there is none. @throws StartOnceError */
async function readRecord(call: Call, executionArn?: string): Promise<StoredRecord | undefined> {
  const request = new GetItemCommand({
    TableName: call.table,
    Key: itemKeyIn(call.tableSchema, { S: call.recordKey }),
    // An eventually consistent read may miss what the execution we ask for has just written.
    ConsistentRead: true,
  });
  const sent = call.dynamodb.send(request, { abortSignal: call.signal });
  const item = (await answerOf('GetItem', sent, undefined, executionArn))?.Item;
  const status = item?.[RECORD.status]?.S;
  const owner = item?.[RECORD.owner]?.S;
  if (status === undefined || owner === undefined) return undefined;
  const expiry = item?.[attributeIn(call.tableSchema, RECORD.expiry)]?.N;
  const result = item?.[RECORD.result]?.S;
  const form = item?.[RECORD.form]?.N;
  return {
    status,
    owner,
    attempt: Number(item?.[RECORD.attempt]?.N),
    resultLocation: item?.[RECORD.resultLocation]?.S,
    resultHash: item?.[RECORD.resultHash]?.S,
    form: form === undefined ? undefined : Number(form),
    expiry: expiry === undefined ? undefined : (Number(expiry) as EpochSeconds),
    result: result === RESULT_ELSEWHERE ? undefined : result,
  };
}

/** Whether duplicates are answered with the record's result at this time. */
function isDone(record: StoredRecord | undefined, now: EpochMs): record is StoredRecord {
  return evaluate(isDoneIn(), { record, now });
}
