import type { DescribeExecutionOutput } from '@aws-sdk/client-sfn';
import { executionName } from '../../../state-machine/contract/execution-name';
import { recordKey } from '../../../state-machine/contract/index';
import { executionNameIn } from '../../arns';
import { describe, historyOf } from '../../aws/executions';
import type { Workflow, WorkflowAccess } from '../../aws/workflow';
import { each } from '../../concurrency';
import { Rejection, usage } from '../../program/rejection';
import { printable } from '../../text';
import { claimedKeysIn } from '../claimed-keys';
import { executionStatusInWords } from '../failure';
import { NoRecord, readRecord } from '../read-record';
import { interpretationsOf } from './interpretations';
import type { Key } from './key';
import { type PartsProblem, problemOnCommandLine } from './key-problem';

/** How many events of an execution are read to find the key that it claims. */
const CLAIM_EVENTS_MAX = 30;

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
  const fitting = fittingOf(access, key);
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

/**
 * Those of several workflows that know the key: by a record, or else by an execution that has its name or is named.
 *
 * @throws Rejection if AWS does not answer
 */
export async function workflowsWithKey<Access extends WorkflowAccess>(
  accesses: readonly Access[],
  key: Key,
): Promise<readonly Access[]> {
  const [only] = key.typed?.length === 1 ? key.typed : [];
  const of = only && /:execution:([^:]+):[^:]+$/.exec(only)?.[1];
  const named = accesses.filter(({ workflow }) => workflow.name === of);
  const asked = named.length > 0 ? named : accesses;
  const knownBy = async (isKnownTo: (access: Access) => Promise<boolean>) => {
    const known = await each(asked, isKnownTo);
    return asked.filter((_, index) => known[index]);
  };
  const recorded = await knownBy(async access => {
    const fitting = fittingOf(access, key);
    return (await Promise.all(fitting.map(one => isKnown(access, one)))).includes(true);
  });
  if (recorded.length > 0) return recorded;
  return knownBy(async access => {
    if (only !== undefined && (await ofExecution(access, only)) !== undefined) return true;
    const { stateMachineArn, executionNames } = access.workflow;
    const names = fittingOf(access, key).map(({ text }) => executionName(text, executionNames));
    const own = stateMachineArn.replace(':stateMachine:', ':execution:');
    const found = await Promise.all(names.map(name => describe(access.aws, `${own}:${name}`)));
    return access.workflow.type === 'STANDARD' && found.some(one => one !== undefined);
  });
}

/** What the key can mean for the workflow. */
function fittingOf({ workflow }: WorkflowAccess, key: Key): readonly Key[] {
  const meant = key.typed === undefined ? [key] : interpretationsOf(key.typed, workflow.scope);
  return meant.filter(one => problemOfParts(workflow, one) === undefined);
}

/** The fault of a key for a workflow: a composite key has all of its parts, and one expression has one key. */
export function problemOfParts(
  { name, keyParts }: Pick<Workflow, 'name' | 'keyParts'>,
  { value, form }: Key,
): PartsProblem | undefined {
  if (form === 'recorded') return undefined;
  const given = Array.isArray(value) ? value.length : 1;
  const fits = keyParts === 'one' ? form !== 'parts' : given === keyParts;
  return fits ? undefined : { kind: 'parts', name, expected: keyParts, given };
}

/** Rejects a key that the workflow cannot have. @throws Rejection with the way to write it on the command line */
export function requireKeyOf(workflow: Workflow, key: Key): void {
  const problem = problemOfParts(workflow, key);
  if (problem) throw usage(problemOnCommandLine(problem));
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
  const execution = await describe(aws, arn);
  if (execution === undefined) return undefined;
  const events = (await historyOf(aws, arn, CLAIM_EVENTS_MAX)) ?? [];
  const { keys, isKeyMissing } = claimedKeysIn(events, workflow);
  const [claimed] = keys;
  const isWhole = events.length < CLAIM_EVENTS_MAX && !isKeyMissing;
  if (claimed === undefined && isWhole && text.startsWith(`${own}:`))
    throw new Rejection(claimedNoKeyInWords(execution));
  if (claimed === undefined || !claimed.startsWith(`${workflow.scope}#`)) return undefined;
  return { value: undefined, text: claimed.slice(workflow.scope.length + 1), form: 'recorded' };
}

function claimedNoKeyInWords(execution: DescribeExecutionOutput): string {
  const { executionArn = '' } = execution;
  const name = printable(executionNameIn(executionArn));
  return (
    `execution ${name} has claimed no key, so it has no record: it ${executionStatusInWords(execution)}. ` +
    `To see its input, open it in the console, or run: aws stepfunctions describe-execution --execution-arn ${printable(executionArn)}`
  );
}

/** How a key is passed so that it cannot mean another. */
function exactly(text: string): string {
  return `--recorded '${printable(text).replaceAll("'", "'\\''")}'`;
}
