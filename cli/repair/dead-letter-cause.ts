import { recordKey } from '../../state-machine/contract/index';
import type { WorkflowAccess } from '../aws/workflow';
import { failureOf } from '../key/failure';
import { keyOfInput } from '../key/input/key-of-input';
import { reservationOf, reservedInWords } from '../key/operator/reservation';
import { readRecord } from '../key/read-record';
import { isGone } from '../key/record';

/** The facts of a dead letter by its body. */
export interface DeadLetterCause {
  /** The key of its record, with the scope; undefined if no workflow reads a key in it, or that is not known. */
  readonly recordKey: string | undefined;
  /** The workflow of the key; undefined without one. */
  readonly access?: WorkflowAccess;
  /** The error in the record of its key, or the status; else what is wrong with the body. */
  readonly cause: string;
  /** True if it is not an event, or each workflow reads that it has no key: it would come back. */
  readonly stays: boolean;
}

/** The key and the cause of a dead letter, by the records of the workflows that it may be of. @throws Rejection */
export async function causeOf(accesses: readonly WorkflowAccess[], body: string): Promise<DeadLetterCause> {
  const event = eventIn(body);
  if (event === undefined)
    return { recordKey: undefined, cause: 'its body is not a JSON object', stays: true };
  let isKeyless = true;
  let found: DeadLetterCause | undefined;
  // One after the other, because each takes the thread that has evaluated the last one.
  for (const access of accesses) {
    const { aws, workflow } = access;
    const taken = await keyOfInput(event, workflow, aws.signal);
    if (taken.kind !== 'missing') isKeyless = false;
    if (taken.kind !== 'key') continue;
    const fullKey = recordKey(workflow.scope, taken.text);
    const record = await readRecord(access, fullKey);
    const isKnown = record !== undefined && !isGone(record, aws.time.now());
    const reservation = record && reservationOf(record);
    const cause = !isKnown
      ? 'no record'
      : reservation
        ? `${record.status}: ${reservedInWords(reservation)}`
        : (failureOf(record)?.error ?? record.status);
    if (isKnown || found === undefined) found = { recordKey: fullKey, access, cause, stays: false };
    if (isKnown) break;
  }
  if (found !== undefined) return found;
  return { recordKey: undefined, cause: isKeyless ? 'no usable key' : 'key unknown', stays: isKeyless };
}

function eventIn(body: string): object | undefined {
  try {
    const event: unknown = JSON.parse(body);
    return typeof event === 'object' && event !== null && !Array.isArray(event) ? event : undefined;
  } catch {
    return undefined;
  }
}
