import type { DescribeExecutionOutput } from '@aws-sdk/client-sfn';
import { partsIn } from '../../../state-machine/contract/idempotency-key';
import { keyText, recordKey } from '../../../state-machine/contract/index';
import { executionNameIn } from '../../arns';
import { describe, historyOf } from '../../aws/executions';
import type { WorkflowAccess } from '../../aws/workflow';
import { Rejection, usage } from '../../program/rejection';
import { printable } from '../../text';
import { claimedKeysIn } from '../claimed-keys';
import { standsInWords } from '../failure';
import { NoRecord, readRecord } from '../read-record';
import { type Key, problemOfParts } from './key';

/** Combinations of numbers and texts that are tried of a key of several parts. */
const PARTS_MAX = 4;
const EVENTS = 30;
/** The beginning of a long key, and its SHA-256. */
const IS_CUT = /^.{400,}[0-9a-f]{64}$/su;

/**
 * What an operator may have meant by a key that was typed or pasted, the nearest first: a text, a number, a list, with
 * the caller that a request by HTTP has in front, without its scope, out of an address of the page, or with the escapes
 * that outputs have. Each once, by the text that a record has.
 */
export function interpretationsOf(parts: readonly string[], scope: string): readonly Key[] {
  const found = new Map<string, Key>();
  const add = (value: unknown, form: Key['form'], isGuess = false) => {
    const known = keyText(value);
    if (known.kind === 'key' && !found.has(known.text))
      found.set(known.text, { value, text: known.text, form, isGuess });
  };
  if (parts.length > 1) {
    for (const values of combinations(parts.slice(0, PARTS_MAX))) {
      const hasNumber = values.some(value => typeof value === 'number');
      add([...values, ...parts.slice(PARTS_MAX)], 'json', hasNumber);
    }
    return [...found.values()];
  }
  const [typed = ''] = parts;
  for (const text of new Set([typed, ...unwrapped(typed, scope)])) {
    add(text, 'text');
    if (isNumber(text)) add(Number(text), 'text', true);
    const json = parsed(text);
    if (Array.isArray(json) || typeof json === 'string') add(json, 'json');
    if (isRecorded(text) && !found.has(text)) found.set(text, { value: undefined, text, form: 'recorded' });
    add(['anonymous', text], 'json', true);
  }
  return [...found.values()];
}

/**
 * The key that is meant: the interpretation that has a record, or the key as it was typed if none has one. An option
 * names a key exactly. `isUnasked`: the command acts without showing the key first, so that a guess is not enough.
 *
 * @throws Rejection if several interpretations have a record, or only a guess has one and is not enough: with how
 * to name the key exactly; if AWS does not answer
 */
export async function resolveKey(
  access: WorkflowAccess,
  key: Key,
  { isUnasked = false }: { readonly isUnasked?: boolean } = {},
): Promise<Key> {
  const { typed } = key;
  if (typed === undefined) return key;
  const { workflow } = access;
  const interpretations = interpretationsOf(typed, workflow.scope);
  const fitting = interpretations.filter(one => problemOfParts(workflow, one) === undefined);
  const known = await Promise.all(fitting.map(async one => ((await isKnown(access, one)) ? [one] : [])));
  const [only, ...others] = known.flat();
  if (only === undefined) {
    const own = typed.length === 1 ? await ofExecution(access, typed[0] ?? '') : undefined;
    return own ?? { ...key, tried: fitting.map(({ text }) => text).filter(text => text !== key.text) };
  }
  if (isUnasked && only.isGuess && others.length === 0) {
    throw usage(
      `${printable(typed.join(' '))} has no record, but ${printable(only.text)} has one. ` +
        `With --yes the key must be exact: pass ${exactly(only.text)}`,
    );
  }
  if (others.length === 0) return only;
  const ways = [only, ...others].map(({ text }) => `${printable(text)} (${exactly(text)})`);
  throw usage(
    `${printable(typed.join(' '))} could mean several keys that have a record. Pass one of: ${ways.join('; ')}`,
  );
}

async function isKnown(access: WorkflowAccess, { text }: Key): Promise<boolean> {
  try {
    return (await readRecord(access, recordKey(access.workflow.scope, text))) !== undefined;
  } catch (error) {
    if (error instanceof NoRecord) return true;
    throw error;
  }
}

/** The key of an execution, by its ARN or name. */
async function ofExecution(access: WorkflowAccess, text: string): Promise<Key | undefined> {
  const { aws, workflow } = access;
  const own = workflow.stateMachineArn.replace(':stateMachine:', ':execution:');
  const arn = text.startsWith('arn:') ? text : `${own}:${text}`;
  if (!/^arn:[^:]+:states:[^:]*:[^:]*:execution:[^:]+:[\w.-]{1,80}$/.test(arn)) return undefined;
  const events = (await historyOf(aws, arn, EVENTS)) ?? [];
  const { keys, isKeyMissing } = claimedKeysIn(events, workflow);
  const [claimed] = keys;
  const isWhole = events.length < EVENTS && !isKeyMissing;
  if (claimed === undefined && isWhole && text.startsWith(`${own}:`)) {
    const execution = await describe(aws, arn);
    if (execution !== undefined) throw new Rejection(hasNoKey(execution));
  }
  if (claimed === undefined || !claimed.startsWith(`${workflow.scope}#`)) return undefined;
  return { value: undefined, text: claimed.slice(workflow.scope.length + 1), form: 'recorded' };
}

function hasNoKey(execution: DescribeExecutionOutput): string {
  const { executionArn = '' } = execution;
  const name = printable(executionNameIn(executionArn));
  return (
    `execution ${name} has claimed no key, so it has no record: it ${standsInWords(execution)}. To see its input, open ` +
    `it in the console, or run: aws stepfunctions describe-execution --execution-arn ${printable(executionArn)}`
  );
}

/** How a key is passed so that it cannot mean another. */
function exactly(text: string): string {
  return `--recorded '${printable(text).replaceAll("'", "'\\''")}'`;
}

/** The text without what outputs, shells and addresses put around a key. */
function unwrapped(typed: string, scope: string): readonly string[] {
  const texts = [typed.trim()];
  const last = texts[0] ?? '';
  const address = /\/keys\/([^/?#]+)/.exec(last)?.[1];
  if (address !== undefined) texts.push(decoded(address));
  else if (/%[0-9A-Fa-f]{2}/.test(last)) texts.push(decoded(last));
  if (last.includes('\\')) {
    texts.push(String(parsed(`"${last.replace(/(?<!\\)"/g, '\\"')}"`) ?? last));
    texts.push(last.replaceAll('\\"', '"'));
  }
  const bare = /^"(.*)"$/s.exec(last)?.[1];
  if (bare !== undefined) texts.push(String(parsed(last) ?? bare));
  const prefix = `${scope}#`;
  return [...texts, ...texts.filter(text => text.startsWith(prefix)).map(text => text.slice(prefix.length))];
}

function combinations(parts: readonly string[]): readonly (readonly (string | number)[])[] {
  const [first, ...more] = parts;
  if (first === undefined) return [[]];
  const heads: (string | number)[] = isNumber(first) ? [first, Number(first)] : [first];
  return heads.flatMap(head => combinations(more).map(tail => [head, ...tail]));
}

/** Whether a text is how a record has the parts of a key, and not as they are: escaped, marked, joined or cut. */
function isRecorded(text: string): boolean {
  return /[~,#]/.test(text) && (partsIn(text) !== undefined || IS_CUT.test(text));
}

function isNumber(text: string): boolean {
  return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
