import { readFile } from 'node:fs/promises';
import { MissingKeyError, PayloadMismatchError, StartOnceError } from '../../client/errors';
import type { StartOnceResult } from '../../client/result';
import { startOnce } from '../../client/start-once';
import type { Aws } from '../aws/aws';
import { sentenceFor } from '../aws/failures';
import { requireKeyOf } from '../key/key';
import { requireKeyIn } from '../key/key-of-input';
import { differingFieldsIn, failureInWords } from '../key/record';
import type { Command } from '../options';
import { EXIT } from '../program/exit';
import { Refusal, usage } from '../refusal';
import type { Terminal } from '../terminal';
import { executionNameIn, printable, QUOTED_MAX, shortened } from '../text';
import type { Answer, CommandContext } from './command';

/** Starts the workflow once for a key, and says how that ended. @throws Refusal */
export async function start(
  { aws, workflow, terminal }: CommandContext,
  { key, input, waitMs, isForced }: Command & { name: 'start' },
): Promise<Answer> {
  requireKeyOf(workflow, key);
  const value = inputIn(await textOf(input, terminal));
  await requireKeyIn(value, workflow, key, isForced);
  const isExpress = workflow.type === 'EXPRESS';
  try {
    const answer = await startOnce(isExpress ? aws.sfnForExpress : aws.sfn, {
      stateMachineArn: workflow.stateMachineArn,
      table: workflow.table,
      tableSchema: workflow.schema,
      scope: workflow.scope,
      type: workflow.type,
      key: key.value,
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
    throw refusalOf(error, aws);
  }
}

async function textOf(input: string, terminal: Terminal): Promise<string> {
  if (input === '-') return terminal.readInput();
  try {
    return await readFile(input, 'utf8');
  } catch (error) {
    const { code } = error as { readonly code?: string };
    throw usage(`--input: ${input} cannot be read (${code}); - is stdin`);
  }
}

function refusalOf(error: unknown, aws: Aws): unknown {
  if (aws.signal?.aborted === true || !(error instanceof StartOnceError)) return error;
  const message = inFlags(error.message);
  if (error instanceof MissingKeyError) return usage(message);
  if (error instanceof PayloadMismatchError) {
    const fields = differingFieldsIn(typeof error.cause === 'string' ? error.cause : undefined) ?? [];
    const differs = fields.length === 0 ? '' : ` (differs in ${shortened(fields.join(', '), QUOTED_MAX)})`;
    return new Refusal(`${message}${differs}: nothing was run; see \`onceflow show\` for who used it`);
  }
  const { operation, cause } = error;
  return new Refusal(
    operation !== undefined && cause !== undefined ? sentenceFor(cause, operation, 'the workflow') : message,
  );
}

/** What the options of `startOnce` are called on the command line. */
const FLAGS: Readonly<Record<string, string>> = {
  stateMachineArn: '--state-machine',
  table: '--table',
  scope: '--scope',
  key: 'KEY',
  waitUpTo: '--wait',
};

/** A message of `startOnce` with the names that the options have here. */
function inFlags(message: string): string {
  return message.replace(/`(\w+)([^`]*)`/g, (quoted, name: string, path: string) => {
    // `input.detail[0]` is a place in the document.
    if (name === 'input') return path === '' ? '--input' : `--input${path}`;
    return FLAGS[name] ?? quoted;
  });
}

function inWords(answer: StartOnceResult, hasWaited: boolean): string {
  const name = printable(executionNameIn(answer.executionArn));
  switch (answer.outcome) {
    case 'started':
      return hasWaited ? `${name} has run the step: ${resultIn(answer)}` : `${name} is started`;
    case 'duplicate':
      return `the step had been run before, by ${name}: ${resultIn(answer)}`;
    case 'inProgress':
      return `${name} has not ended yet; it goes on. Ask again with the same key`;
    case 'failed':
      return `${name} failed with ${shortened(failureInWords(answer), 2 * QUOTED_MAX)}`;
  }
}

function resultIn(answer: StartOnceResult & { readonly result?: unknown }): string {
  return printable(JSON.stringify(answer.result) ?? 'nothing');
}

/**
 * The JSON value of a text.
 *
 * @throws Refusal that says where the text is wrong, and never what it says; also for whole numbers that would be
 * rounded on their way
 */
export function inputIn(text: string): unknown {
  const withoutMark = text.replace(/^\uFEFF/, '');
  if (withoutMark.trim() === '') throw usage('--input is empty; an input is a JSON document');
  const value = parsed(withoutMark);
  const outsideTexts = withoutMark.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const wholeNumbers = outsideTexts.match(/(?<![\d.eE+-])-?\d+(?![\d.eE])/g) ?? [];
  if (wholeNumbers.some(digits => !Number.isSafeInteger(Number(digits)))) {
    throw usage('--input has a whole number beyond ±(2^53 - 1), which would be rounded; write it as a text');
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Node's message may quote the text.
    const at = /position (\d+)/.exec((error as Error).message)?.[1];
    const line = at === undefined ? undefined : text.slice(0, Number(at)).split('\n').length;
    throw usage(`--input is no JSON document${line === undefined ? '' : `: look at line ${line}`}`);
  }
}
