import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { IS_DONE } from '../state-machine/contract/judgement';
import { RECORD } from '../state-machine/contract/record';
import type { EpochMs, EpochSeconds } from '../state-machine/contract/time';
import { answerOf } from './aws';
import type { Call } from './call';

/** What the record says, as far as callers need it. */
export interface SeenRecord {
  readonly status: string;
  readonly owner: string;
  readonly expiry: EpochSeconds | undefined;
  /** JSON text; absent where only the owner's output has it. */
  readonly result: string | undefined;
}

/** The key's record as it is now, or undefined where there is none. @throws StartOnceError */
export async function readRecord(call: Call, executionArn?: string): Promise<SeenRecord | undefined> {
  const request = new GetItemCommand({
    TableName: call.table,
    Key: { [RECORD.idempotencyKey]: { S: call.recordKey } },
    // An eventually consistent read may miss what the execution we ask for has just written.
    ConsistentRead: true,
  });
  const sent = call.dynamodb.send(request, { abortSignal: call.signal });
  const item = (await answerOf('GetItem', sent, undefined, executionArn))?.Item;
  const status = item?.[RECORD.status]?.S;
  const owner = item?.[RECORD.owner]?.S;
  if (status === undefined || owner === undefined) return undefined;
  const expiry = item?.[RECORD.expiry]?.N;
  return {
    status,
    owner,
    expiry: expiry === undefined ? undefined : (Number(expiry) as EpochSeconds),
    result: item?.[RECORD.result]?.S,
  };
}

/** Whether duplicates are answered with the record's result at this time. */
export function isDone(record: SeenRecord | undefined, now: EpochMs): record is SeenRecord {
  return IS_DONE.holds({ record, now });
}
