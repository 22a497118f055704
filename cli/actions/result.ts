import { type ResultObject, resultObjectOf, STATUS } from '../../state-machine/contract/index';
import { executionNameIn, isInAccountOf } from '../arns';
import { type Aws, answerOf } from '../aws/aws';
import { describe } from '../aws/executions';
import type { Kept, Objects } from '../aws/objects';
import type { WorkflowAccess } from '../aws/workflow';
import { failureInWords, failureOf } from '../key/failure';
import { judgeNextDelivery } from '../key/judge';
import { heldFor, isGone, isUnfinished, type KeyRecord, releasedBy } from '../key/record';
import { RESULT_EXIT } from '../program/exit';
import { Rejection } from '../program/rejection';
import { dateTime, printable, QUOTED_MAX, quoted, shortened } from '../text';

/** The record of a step that has run. @throws Rejection for any other */
export function requireFinished(
  { aws, workflow }: WorkflowAccess,
  fullKey: string,
  record: KeyRecord | undefined,
): KeyRecord {
  const key = quoted(fullKey);
  if (record === undefined) {
    const why = 'it was deleted, or no execution has claimed the key; check the key';
    throw new Rejection(`${key} has no record in ${workflow.table}: ${why}`, RESULT_EXIT.noRecord);
  }
  const now = aws.time.now();
  if (isGone(record, now)) {
    const since = dateTime((record.expiry ?? 0) * 1000);
    throw new Rejection(
      `the record of ${key} expired at ${since}, so its result is no longer available`,
      RESULT_EXIT.gone,
    );
  }
  const known = { workflow, record, now, owner: { kind: 'unknown' }, stoppedAt: undefined } as const;
  if (judgeNextDelivery(known) === 'foreignRecord')
    throw new Rejection(`the record of ${key} belongs to another workflow; see \`onceflow show\``);
  if (isUnfinished(record)) {
    const why = 'its step or its record is not finished; see `onceflow show`';
    throw new Rejection(`${key} has no result yet: ${why}`, RESULT_EXIT.inProgress);
  }
  if (record.status === STATUS.failed || record.status === STATUS.held || record.status === STATUS.released)
    throw new Rejection(`${key} has no result: ${failed(record, workflow)}`, RESULT_EXIT.failed);
  if (record.status === STATUS.completed) return record;
  throw new Rejection(
    `the status of ${key} is ${printable(record.status)}, which this version does not know; update onceflow`,
  );
}

function failed(record: KeyRecord, workflow: WorkflowAccess['workflow']): string {
  const held = heldFor(record, workflow);
  if (held !== undefined) return `it is held for review, with ${printable(held)}; see \`onceflow show\``;
  const by = releasedBy(record);
  if (by !== undefined) return `${by} has released it, and the next delivery runs the step`;
  const failure = failureOf(record);
  const words = failure === undefined ? '' : ` with ${shortened(failureInWords(failure), 2 * QUOTED_MAX)}`;
  return `the step has failed${words}`;
}

/** A result, and where it was. */
export interface FoundResult {
  readonly recordKey: string;
  readonly from: 'record' | 'bucket' | 'owner';
  /** `s3://<bucket>/<key>` of the object, or the ARN of the owner; absent for the record. */
  readonly location?: string;
  /** JSON text. */
  readonly text: string;
}

/** An object with a result, and its text where that has been read. */
interface HeldObject {
  readonly object: ResultObject;
  readonly text?: string;
}

/**
 * The object that holds the result itself; undefined where none does, or only the owner's output says which. With a low
 * `maxInRecord` the one that the record names may hold the pointer of the step.
 */
export async function objectOf(aws: Aws, record: KeyRecord): Promise<HeldObject | undefined> {
  const { result, ...rest } = record;
  const named = resultObjectOf({ ...rest, idempotencyKey: record.recordKey });
  const text = named ? await textIn(aws, named) : (result ?? undefined);
  const pointed = pointedAt(record, text);
  if (pointed) return { object: pointed };
  return named && text !== undefined ? { object: named, text } : undefined;
}

function pointedAt({ recordKey: idempotencyKey, attempt }: KeyRecord, result: string | undefined) {
  return resultObjectOf({ idempotencyKey, attempt, result });
}

/** The result of a record, from the object that holds it, the record, or the output of the owner. @throws Rejection */
export async function textOf(
  access: WorkflowAccess,
  record: KeyRecord,
  held: HeldObject | undefined,
): Promise<FoundResult> {
  const { aws } = access;
  const { recordKey } = record;
  const inBucket = async ({ object, text }: HeldObject): Promise<FoundResult> => {
    const found = text ?? (await textIn(aws, object));
    return { recordKey, from: 'bucket', location: urlOf(object), text: found };
  };
  if (held) return inBucket(held);
  if (typeof record.result === 'string') return { recordKey, from: 'record', text: record.result };
  const text = await outputOfOwner(access, record);
  const pointed = pointedAt(record, text);
  return pointed ? inBucket({ object: pointed }) : { recordKey, from: 'owner', location: record.owner, text };
}

function textIn(aws: Aws, object: ResultObject): Promise<string> {
  return fromBucket(aws, object, 'GetObject', objects => objects.textOf(object));
}

/** The object as `s3://<bucket>/<key>`. */
export function urlOf({ bucket, key }: ResultObject): string {
  return `s3://${bucket}/${key}`;
}

/** What is read of an object that holds a result. @throws Rejection where the object is gone, or was replaced */
export async function fromBucket(
  aws: Aws,
  object: ResultObject,
  operation: string,
  read: (objects: Objects) => Promise<Kept<string>>,
): Promise<string> {
  const place = printable(urlOf(object));
  const kept = await answerOf(aws, operation, place, read(aws.objects()));
  if (kept?.kind === 'found') return kept.found;
  const what = kept?.kind === 'gone' ? 'no longer exists' : 'was replaced, or S3 has no SHA-256 of it';
  throw new Rejection(`the step has run, and its result is lost: ${place} ${what}`, RESULT_EXIT.objectLost);
}

/** What the record does not hold is the output of the execution that owns it. */
async function outputOfOwner({ aws, workflow }: WorkflowAccess, record: KeyRecord): Promise<string> {
  const { owner } = record;
  const name = printable(executionNameIn(owner));
  const gone = (why: string) =>
    new Rejection(
      `the step has run, and its result was left to its execution ${name}, ${why}`,
      RESULT_EXIT.gone,
    );
  if (owner.split(':')[5] === 'express')
    throw gone('an Express execution, whose output Step Functions does not keep');
  if (workflow.prefix !== '') throw gone('which does more than this workflow: see its history');
  const description = isInAccountOf(owner, workflow.stateMachineArn) ? await describe(aws, owner) : undefined;
  if (description === undefined) throw gone('which Step Functions does not know, or no longer knows');
  const { status = 'RUNNING', output } = description;
  if (status === 'SUCCEEDED' && output !== undefined) return output;
  if (status === 'RUNNING' || status === 'PENDING_REDRIVE')
    throw new Rejection(
      `the step has run, and ${name} is about to end with its result`,
      RESULT_EXIT.inProgress,
    );
  throw gone(
    status === 'SUCCEEDED'
      ? 'and Step Functions does not give its output'
      : `which ended ${status}: \`onceflow redrive\` resumes it, to end with it`,
  );
}
