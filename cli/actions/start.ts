import { MissingKeyError, PayloadMismatchError, StartOnceError } from '../../client/errors';
import type { StartOnceResult } from '../../client/result';
import { startOnceIn } from '../../client/start-once';
import { ERROR } from '../../state-machine/contract/index';
import { executionNameIn } from '../arns';
import type { Aws } from '../aws/aws';
import { sentenceFor } from '../aws/failures';
import { jsonIn, textOfFile } from '../input-file';
import { differingFieldsIn, failureInWords } from '../key/failure';
import type { Key } from '../key/input/key';
import { problemOfInput } from '../key/input/key-of-input';
import { type KeyProblem, problemOnCommandLine } from '../key/input/key-problem';
import { problemOfParts } from '../key/input/resolve-key';
import { EXIT } from '../program/exit';
import { Rejection, usage } from '../program/rejection';
import type { Terminal } from '../terminal';
import { printable, QUOTED_MAX, shortened } from '../text';
import type { Answer, CommandContext } from './answer';

/** The input to start with, and its key. */
interface WhichStart {
  readonly key: Key;
  /** A file with the input as JSON; `-` for stdin; or the JSON itself. */
  readonly input: string;
  /** How long the result is waited for, in milliseconds; undefined: not at all. */
  readonly waitMs: number | undefined;
  /** Also if the key that the workflow takes of the input is unknown here. */
  readonly isForced: boolean;
}

/** How a front end calls what a start is made of. */
export interface StartWords {
  /** The input, as the subject of a sentence. */
  readonly input: string;
  /** The place that shows who has used the key. */
  readonly whoUsedIt: string;
  /** An option of `startOnce`, or a place within it such as `.detail[0]`; undefined if an operator cannot set it. */
  option(name: string, place: string): string | undefined;
  /** A sentence that says that nothing was started, why, and what to do. */
  problem(problem: KeyProblem): string;
}

const FLAGS: Readonly<Record<string, string>> = {
  stateMachineArn: '--state-machine',
  table: '--table',
  scope: '--scope',
  key: 'KEY',
  waitUpTo: '--wait',
  input: '--input',
};

/** With the options of the command line. */
const ON_COMMAND_LINE: StartWords = {
  input: '--input',
  whoUsedIt: '`onceflow show` shows which execution used it',
  option: (name, place) => FLAGS[name] && (name === 'input' ? `--input${place}` : FLAGS[name]),
  problem: problemOnCommandLine,
};

/** Starts the workflow once for a key, and says how that ended. @throws Rejection in the words of the front end */
export async function startKey(
  context: CommandContext,
  { key, input, waitMs, isForced }: WhichStart,
  words: StartWords = ON_COMMAND_LINE,
): Promise<Answer> {
  const { aws, workflow, terminal } = context;
  const mismatch = problemOfParts(workflow, key);
  if (mismatch) throw usage(words.problem(mismatch));
  const value = jsonIn(await inputText(input, terminal), words.input);
  await requireKeyIn(value, context, { key, isForced }, words);
  const isExpress = workflow.type === 'EXPRESS';
  try {
    const answer = await startOnceIn(aws.time, isExpress ? aws.sfnForExpress : aws.sfn, {
      stateMachineArn: workflow.stateMachineArn,
      table: workflow.table,
      tableSchema: workflow.schema,
      scope: workflow.scope,
      type: workflow.type,
      key: key.value,
      executionNames: workflow.executionNames,
      input: value,
      dynamodb: aws.dynamodb,
      ...(waitMs !== undefined && { waitUpTo: waitMs }),
      ...(aws.signal && { signal: aws.signal }),
    });
    const isDone = answer.outcome === 'started' || answer.outcome === 'duplicate';
    const code = isDone ? EXIT.done : EXIT.failed;
    // An Express execution is over when it is answered.
    const hasWaited = waitMs !== undefined || isExpress;
    return { code, json: answer, text: () => `${inWords(answer, hasWaited)}\n` };
  } catch (error) {
    throw rejectionOf(error, aws, words);
  }
}

/** Rejects an input of another key, or of none. Rejects an input whose key is unknown here, unless `isForced`. */
async function requireKeyIn(
  input: unknown,
  { aws, workflow }: CommandContext,
  { key, isForced }: { readonly key: Key; readonly isForced: boolean },
  words: StartWords,
): Promise<void> {
  const problem = await problemOfInput(input, workflow, key, aws.signal);
  if (problem && !(problem.kind === 'unclear' && isForced)) throw usage(words.problem(problem));
}

/** The text of `--input`: of stdin, of a file, or JSON as it is. @throws Rejection for a file that cannot be read */
export async function inputText(input: string, terminal: Pick<Terminal, 'readInput'>): Promise<string> {
  if (input === '-') return terminal.readInput();
  return /^\s*[{[]/.test(input) ? input : textOfFile(input, '--input');
}

function rejectionOf(error: unknown, aws: Aws, words: StartWords): unknown {
  if (aws.signal?.aborted === true || !(error instanceof StartOnceError)) return error;
  const message = named(error.message, words);
  if (error instanceof MissingKeyError) return usage(message);
  if (error instanceof PayloadMismatchError) {
    const cause = typeof error.cause === 'string' ? error.cause : '';
    const fields = differingFieldsIn(cause) ?? [];
    const differs = fields.length === 0 ? '' : ` (differs in ${shortened(fields.join(', '), QUOTED_MAX)})`;
    const rejected = `${words.input} was rejected with ${ERROR.payloadMismatch}: ${message}${differs}`;
    const { executionArn } = error;
    // As an outcome of `startOnce`, which has none for this.
    const json = { outcome: 'rejected', executionArn, error: ERROR.payloadMismatch, cause };
    return new Rejection(`${rejected}. Nothing was run; ${words.whoUsedIt}`, EXIT.failed, { json });
  }
  const { operation, cause } = error;
  return new Rejection(
    operation !== undefined && cause !== undefined ? sentenceFor(cause, operation, 'the workflow') : message,
  );
}

/** A message of `startOnce` with the names that the options have here. */
function named(message: string, words: StartWords): string {
  // `input.detail[0]` is a place in the document.
  return message.replace(
    /`(\w+)([^`]*)`/g,
    (quoted, name: string, place: string) => words.option(name, place) ?? quoted,
  );
}

function inWords(answer: StartOnceResult, hasWaited: boolean): string {
  const name = printable(executionNameIn(answer.executionArn));
  switch (answer.outcome) {
    case 'started':
      return hasWaited ? `${name} ran the step: ${resultIn(answer)}` : `${name} is started`;
    case 'duplicate':
      return `the step had already been run by ${name}: ${resultIn(answer)}`;
    case 'inProgress':
      return `${name} owns the key and has not finished. To get the result later, run this again with the same key`;
    case 'failed':
      return `${name} failed with ${shortened(failureInWords(answer), 2 * QUOTED_MAX)}`;
  }
}

function resultIn(answer: StartOnceResult & { readonly result?: unknown }): string {
  return printable(JSON.stringify(answer.result) ?? 'nothing');
}
