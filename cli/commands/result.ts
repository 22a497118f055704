import { writeFile } from 'node:fs/promises';
import { type ResultObject, recordKey, resultObjectOf, STATUS } from '../../state-machine/contract/index';
import type { Answer, CommandContext } from '../actions/answer';
import { executionNameIn, isOfPlace } from '../arns';
import { type Aws, answerOf } from '../aws/aws';
import { describe } from '../aws/executions';
import { isNotPermitted } from '../aws/failures';
import type { Kept, Objects } from '../aws/objects';
import type { WorkflowAccess } from '../aws/workflow';
import { resolveKey } from '../key/input/interpretations';
import { type Key, keyFromArguments, requireKeyOf } from '../key/input/key';
import { judgeNextDelivery } from '../key/judge-delivery';
import { DAY_MS } from '../key/list/time-range';
import { readRecord } from '../key/read-record';
import {
  failureInWords,
  failureOf,
  heldFor,
  isGone,
  isUnfinished,
  type KeyRecord,
  releasedBy,
} from '../key/record';
import { EXIT, RESULT_EXIT } from '../program/exit';
import { flag, optional } from '../program/options';
import { Refusal, usage } from '../program/refusal';
import { dateTime, durationIn, printable, QUOTED_MAX, quoted, shortened } from '../text';
import { age, RECORDED_KEY_OPTIONS } from './shared-options';
import { workflowCommand } from './workflow-command';

interface Wanted {
  readonly key: Key;
  /** The file that it goes to; undefined: it is printed. */
  readonly output: string | undefined;
  /** How long a URL of it can be used; undefined: no URL is asked for. */
  readonly presignSeconds: number | undefined;
}

/**
 * A key's result, as the JSON text that it was written as, or a URL of it where it is in a bucket. Fails where there is
 * none, or it cannot be had, each with an exit code of its own.
 */
export const result = workflowCommand({
  name: 'result',
  line: ['result KEY', 'prints the stored result of a key as JSON'],
  usage: 'result KEY [PART...] [options]',
  does: [
    'Prints the stored result of a key as JSON: from the record, from the bucket (checked against its hash), or from the',
    'output of the owner. A file or a pipe gets the exact bytes. If the result is in a bucket, --presign prints a URL',
    'instead. The URL expires no later than the credentials that signed it.',
    '',
    'Further exit codes: 4 no record, 5 in progress, 6 the step failed, 7 the record or the execution with the result is',
    'gone, 8 the object is gone or was replaced, 9 not permitted.',
  ],
  keyOptions: RECORDED_KEY_OPTIONS,
  options: {
    output: optional('FILE', 'a file', 'write the result to this file instead of stdout'),
    presign: flag('print a URL of a result in a bucket instead; everyone with the URL can read the result'),
    'expires-in': {
      ...age({
        help: 'with --presign: how long the URL can be used: 90s, 15m, 1h, at most 7d (default: 15m)',
        byDefault: 15 * 60_000,
      }),
      takes: 'a length of time from 1s to 7d',
      read: ([given = '']: readonly string[]) => {
        const ms = durationIn(given);
        return ms !== undefined && ms >= 1000 && ms <= 7 * DAY_MS ? ms : undefined;
      },
    },
  },
  examples: [
    'onceflow result order-7',
    'onceflow result order-7 --output order-7.json',
    'onceflow result order-7 --presign --expires-in 1h',
  ],
  wantedIn(line): Wanted {
    const { output, presign, 'expires-in': expiresIn } = line.values;
    if (line.given.has('expires-in') && !presign)
      throw usage('--expires-in needs --presign: pass both, or leave --expires-in out');
    if (output !== undefined && presign)
      throw usage('--output writes the result, and --presign prints a URL; pass only one of them');
    return {
      key: keyFromArguments(line),
      output,
      presignSeconds: presign ? Math.floor(expiresIn / 1000) : undefined,
    };
  },
  run: answerTo,
});

async function answerTo(context: CommandContext, wanted: Wanted): Promise<Answer> {
  const { output, presignSeconds } = wanted;
  const key = await resolveKey(context, wanted.key);
  const { aws, workflow } = context;
  requireKeyOf(workflow, key);
  try {
    const fullKey = recordKey(workflow.scope, key.text);
    const record = finished(context, fullKey, await readRecord(context, fullKey));
    const held = await objectOf(aws, record);
    if (presignSeconds !== undefined) return await urlAnswer(aws, record, held?.object, presignSeconds);
    const found = await textOf(context, record, held);
    return await (output === undefined ? printed(found) : written(found, output));
  } catch (error) {
    throw error instanceof Refusal && isNotPermitted(error.cause)
      ? new Refusal(error.message, RESULT_EXIT.notPermitted)
      : error;
  }
}

/** The record of a step that has run. @throws Refusal for any other */
function finished(
  { aws, workflow }: WorkflowAccess,
  fullKey: string,
  record: KeyRecord | undefined,
): KeyRecord {
  const key = quoted(fullKey);
  if (record === undefined) {
    const why = 'it was deleted, or no execution has claimed the key; check the key';
    throw new Refusal(`${key} has no record in ${workflow.table}: ${why}`, RESULT_EXIT.noRecord);
  }
  const now = aws.time.now();
  if (isGone(record, now)) {
    const since = dateTime((record.expiry ?? 0) * 1000);
    throw new Refusal(
      `the record of ${key} expired at ${since}, so its result is no longer available`,
      RESULT_EXIT.gone,
    );
  }
  const known = { workflow, record, now, owner: { kind: 'unknown' }, stoppedAt: undefined } as const;
  if (judgeNextDelivery(known) === 'isForeign')
    throw new Refusal(`the record of ${key} belongs to another workflow; see \`onceflow show\``);
  if (isUnfinished(record)) {
    const why = 'its step or its record is not finished; see `onceflow show`';
    throw new Refusal(`${key} has no result yet: ${why}`, RESULT_EXIT.inProgress);
  }
  if (record.status === STATUS.failed || record.status === STATUS.held || record.status === STATUS.released)
    throw new Refusal(`${key} has no result: ${failed(record, workflow)}`, RESULT_EXIT.failed);
  if (record.status === STATUS.completed) return record;
  throw new Refusal(
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
interface Found {
  readonly recordKey: string;
  readonly from: 'record' | 'bucket' | 'owner';
  /** `s3://<bucket>/<key>` of the object, or the ARN of the owner; absent for the record. */
  readonly location?: string;
  /** JSON text. */
  readonly text: string;
}

/** An object with a result, and its text where that has been read. */
interface Held {
  readonly object: ResultObject;
  readonly text?: string;
}

/**
 * The object that holds the result itself; undefined where none does, or only the owner's output says which. With a low
 * `maxInRecord` the one that the record names may hold the pointer of the step.
 */
async function objectOf(aws: Aws, record: KeyRecord): Promise<Held | undefined> {
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

async function textOf(access: WorkflowAccess, record: KeyRecord, held: Held | undefined): Promise<Found> {
  const { aws } = access;
  const { recordKey } = record;
  const inBucket = async ({ object, text }: Held): Promise<Found> => {
    const found = text ?? (await textIn(aws, object));
    return { recordKey, from: 'bucket', location: placeOf(object), text: found };
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

function placeOf({ bucket, key }: ResultObject): string {
  return `s3://${bucket}/${key}`;
}

async function fromBucket(
  aws: Aws,
  object: ResultObject,
  operation: string,
  read: (objects: Objects) => Promise<Kept<string>>,
): Promise<string> {
  const place = printable(placeOf(object));
  const kept = await answerOf(aws, operation, place, read(aws.objects()));
  if (kept?.kind === 'found') return kept.found;
  const what = kept?.kind === 'gone' ? 'no longer exists' : 'was replaced, or S3 has no SHA-256 of it';
  throw new Refusal(`the step has run, and its result is lost: ${place} ${what}`, RESULT_EXIT.objectLost);
}

/** What the record does not hold is the output of the execution that owns it. */
async function outputOfOwner({ aws, workflow }: WorkflowAccess, record: KeyRecord): Promise<string> {
  const { owner } = record;
  const name = printable(executionNameIn(owner));
  const gone = (why: string) =>
    new Refusal(
      `the step has run, and its result was left to its execution ${name}, ${why}`,
      RESULT_EXIT.gone,
    );
  if (owner.split(':')[5] === 'express')
    throw gone('an Express execution, whose output Step Functions does not keep');
  if (workflow.prefix !== '') throw gone('which does more than this workflow: see its history');
  const description = isOfPlace(owner, workflow.stateMachineArn) ? await describe(aws, owner) : undefined;
  if (description === undefined) throw gone('which Step Functions does not know, or no longer knows');
  const { status = 'RUNNING', output } = description;
  if (status === 'SUCCEEDED' && output !== undefined) return output;
  if (status === 'RUNNING' || status === 'PENDING_REDRIVE')
    throw new Refusal(
      `the step has run, and ${name} is about to end with its result`,
      RESULT_EXIT.inProgress,
    );
  throw gone(
    status === 'SUCCEEDED'
      ? 'and Step Functions does not give its output'
      : `which ended ${status}: \`onceflow redrive\` resumes it, to end with it`,
  );
}

/** On a terminal what nobody would see is written as the escapes of JSON; elsewhere the text is as it is. */
function printed({ text, ...facts }: Found): Answer {
  return {
    code: EXIT.done,
    get json() {
      return `${JSON.stringify(facts).slice(0, -1)},"result":${requireJson(text)}}`;
    },
    text: ({ width }) => (Number.isFinite(width) ? `${visible(text)}\n` : text),
  };
}

/** A step may have put into its object whatever it liked. */
function requireJson(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    throw new Refusal('the result is not JSON, so it cannot be part of a JSON document; leave --json out');
  }
}

const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

function visible(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(UNSEEN, character => character.split('').map(escaped).join(''));
}

async function written({ text, ...facts }: Found, output: string): Promise<Answer> {
  try {
    await writeFile(output, text);
  } catch (error) {
    const { code } = error as { readonly code?: string };
    throw usage(`--output: ${output} cannot be written (${code})`);
  }
  const bytes = Buffer.byteLength(text);
  const json = { ...facts, output, bytes };
  return { code: EXIT.done, json, text: () => `${printable(output)} has the result, ${bytes} bytes\n` };
}

async function urlAnswer(
  aws: Aws,
  record: KeyRecord,
  object: ResultObject | undefined,
  seconds: number,
): Promise<Answer> {
  if (!object) {
    const place = typeof record.result === 'string' ? 'in the record' : "in the owner's output";
    throw usage(`--presign: this result is not in a bucket, it is ${place}; without --presign it is printed`);
  }
  const from = new Date(aws.time.now());
  const url = await fromBucket(aws, object, 'HeadObject', objects =>
    objects.urlOf(object, { from, seconds }),
  );
  const expiresAt = new Date(from.getTime() + seconds * 1000);
  const json = { recordKey: record.recordKey, location: placeOf(object), url, expiresAt };
  return { code: EXIT.done, json, text: () => `${url}\n` };
}
