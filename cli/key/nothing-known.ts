import type { DescribeExecutionOutput } from '@aws-sdk/client-sfn';
import { executionNameIn } from '../arns';
import type { WorkflowAccess } from '../aws/workflow';
import { Rejection } from '../program/rejection';
import { dateTime, printable, quoted } from '../text';
import { executionStatusInWords } from './failure';
import type { Key } from './input/key';
import { KEYS_LISTED } from './input/key-problem';
import type { KeyState, Searched } from './key-state';

/**
 * The rejection of a key that has neither a record nor a known execution: what was looked through, and what to do
 * (`remedy`, by default in the words of the command line).
 */
export function nothingKnown({ workflow, key, recordKey, executions }: KeyState, remedy?: string): Rejection {
  const { table, scope, scopeInDefinition } = workflow;
  const { searched, namesake } = executions ?? {};
  const { tried = [] } = key;
  const lines = [
    `there is no record and no known execution of ${quoted(recordKey)}.`,
    `  record: none in table ${table}`,
  ];
  if (scopeInDefinition !== undefined) {
    const own = printable(scopeInDefinition);
    lines.push(`  scope: ${printable(scope)} was passed; the scope of the workflow is ${own}`);
  }
  if (tried.length > 0) lines.push(`  also tried: ${tried.map(printable).join(', ')}`);
  if (searched !== undefined) {
    const { listed, since, opened, unopened, undecided } = searched;
    lines.push(
      `  executions: of ${listed} since ${dateTime(since)}, ${opened} were opened and none is of this key; ` +
        `${unopened} were not opened, and ${undecided} do not say their key`,
    );
  }
  if (namesake !== undefined) lines.push(`  name: ${namesakeInWords(namesake)}`);
  return new Rejection([...lines, remedy ?? remedyFor(searched)].join('\n'));
}

/** That no workflow knows a key: neither a record nor an execution of its name. */
export function knownNowhere(
  accesses: readonly WorkflowAccess[],
  { typed, text }: Key,
  remedy = `Check the key: ${KEYS_LISTED}. Executions with other names: pass --scope and --limit.`,
): string {
  const scopes = accesses.map(({ workflow }) => printable(workflow.scope)).join(', ');
  return `no workflow has a record or an execution of ${quoted(typed?.join(' ') ?? text)}. Asked were ${scopes}. ${remedy}`;
}

function remedyFor(searched: Searched | undefined): string {
  const check = `Check the key: ${KEYS_LISTED}.`;
  if (searched === undefined) return check;
  const { opened, unopened } = searched;
  const further = unopened > 0 ? `--limit ${opened + unopened}` : 'an earlier --since';
  return `${check} To search further, pass ${further}.`;
}

/**
 * What became of the execution that has a key's name and is not known to be of it: its input has another key, or none.
 */
export function namesakeInWords(execution: DescribeExecutionOutput): string {
  const name = printable(executionNameIn(execution.executionArn ?? ''));
  return (
    `an execution has the name of this key, ${name}, and not this key, as far as its input says: it ` +
    `${executionStatusInWords(execution)}. To use the key, run \`onceflow start KEY --input FILE\`: it takes another name`
  );
}
