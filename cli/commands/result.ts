import { writeFile } from 'node:fs/promises';
import { type ResultObject, recordKey } from '../../state-machine/contract/index';
import type { Answer, CommandContext } from '../actions/answer';
import { type FoundResult, fromBucket, objectOf, requireFinished, textOf, urlOf } from '../actions/result';
import type { Aws } from '../aws/aws';
import { isNotPermitted } from '../aws/failures';
import { type Key, keyFromArguments } from '../key/input/key';
import { requireKeyOf, resolveKey } from '../key/input/resolve-key';
import { readRecord } from '../key/read-record';
import type { KeyRecord } from '../key/record';
import { EXIT, RESULT_EXIT } from '../program/exit';
import { flag, optional } from '../program/options';
import { Rejection, usage } from '../program/rejection';
import { durationIn, printable } from '../text';
import { DAY_MS } from '../time-range';
import { durationOption, RECORDED_KEY_OPTIONS } from './shared-options';
import { workflowCommand } from './workflow-command';

interface ResultRequest {
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
  isReadOnly: true,
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
      ...durationOption({
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
  wantedIn(line): ResultRequest {
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
  keyIn: ({ key }) => key,
  run: answerTo,
});

async function answerTo(context: CommandContext, wanted: ResultRequest): Promise<Answer> {
  const { output, presignSeconds } = wanted;
  const key = await resolveKey(context, wanted.key);
  const { aws, workflow } = context;
  requireKeyOf(workflow, key);
  try {
    const fullKey = recordKey(workflow.scope, key.text);
    const record = requireFinished(context, fullKey, await readRecord(context, fullKey));
    const held = await objectOf(aws, record);
    if (presignSeconds !== undefined) return await urlAnswer(aws, record, held?.object, presignSeconds);
    const found = await textOf(context, record, held);
    return await (output === undefined ? printed(found) : written(found, output));
  } catch (error) {
    throw error instanceof Rejection && isNotPermitted(error.cause)
      ? new Rejection(error.message, RESULT_EXIT.notPermitted)
      : error;
  }
}

/** On a terminal, invisible characters are written as the escapes of JSON; elsewhere the text is as it is. */
function printed({ text, ...facts }: FoundResult): Answer {
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
    throw new Rejection('the result is not JSON, so it cannot be part of a JSON document; leave --json out');
  }
}

const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

function visible(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(UNSEEN, character => character.split('').map(escaped).join(''));
}

async function written({ text, ...facts }: FoundResult, output: string): Promise<Answer> {
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
  const json = { recordKey: record.recordKey, location: urlOf(object), url, expiresAt };
  return { code: EXIT.done, json, text: () => `${url}\n` };
}
