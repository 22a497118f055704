import type { DescribeExecutionOutput } from '@aws-sdk/client-sfn';
import { executionNameIn } from '../arns';
import type { WorkflowAccess } from '../aws/workflow';
import { standsInWords } from '../key/failure';
import type { Search } from '../key/find-executions';
import { resolveKey } from '../key/input/interpretations';
import { type Key, requireKeyOf } from '../key/input/key';
import { inspectKey } from '../key/inspect';
import { type JudgedKey, judgeKey } from '../key/judge';
import type { FoundExecution, KeyState, Searched } from '../key/key-state';
import { type AskedRange, rangeAt } from '../key/list/time-range';
import { KEYS_LISTED } from '../key/operator/refusals';
import { type KeyRecovery, recoveryOf } from '../key/recovery';
import { Refusal } from '../program/refusal';
import { dateTime, printable, quoted } from '../text';
import type { TimelineEvent } from './events';
import { timelineOf } from './timeline';

/** A key: what its record says, what follows from it, and what every execution of it did. */
export interface KeyStory {
  readonly judged: JudgedKey;
  /** Oldest first. */
  readonly executions: readonly (FoundExecution & { readonly timeline: readonly TimelineEvent[] })[];
  /** What was looked through; undefined where executions are not kept (Express). */
  readonly searched: Searched | undefined;
  /** The execution that has the name of the key, and is not known to be of it: of another one, or of none. */
  readonly namesake: DescribeExecutionOutput | undefined;
  /** Who recovers its owner; undefined if nothing does, or the credentials may not look for it. */
  readonly recovery: KeyRecovery | undefined;
}

/** What to do where nothing is known of a key, on the command line. */
function remedyFor(searched: Searched | undefined): string {
  const unopened = searched?.unopened ?? 0;
  const further = unopened > 0 ? `--limit ${(searched?.opened ?? 0) + unopened}` : 'an earlier --since';
  return `Check the key: ${KEYS_LISTED}. ${searched === undefined ? '' : `To search further, pass ${further}.`}`.trim();
}

/** Where the story of a key is looked for. */
interface StorySearch extends Pick<Search, 'openedMax' | 'progress'> {
  readonly range: AskedRange;
  /** What to do where nothing is known of the key, in other words than those of the command line. */
  readonly remedy?: string;
}

/**
 * Reads the story of the key that is meant by the one that is named, with its executions within the bounds of the
 * search.
 *
 * @throws Refusal for a key that the workflow cannot have, or of which nothing is known; where AWS does not answer, or
 * the item under the key is no record
 */
export async function readStory(
  access: WorkflowAccess,
  named: Key,
  { range, remedy, ...bounds }: StorySearch,
): Promise<KeyStory> {
  const { aws, workflow } = access;
  const key = await resolveKey(access, named);
  requireKeyOf(workflow, key);
  const state = await inspectKey(access, key, { ...bounds, ...rangeAt(aws.time.now(), range) });
  const { executions = [], searched, namesake } = state.executions ?? {};
  if (state.record === undefined && executions.length === 0) throw nothingKnown(state, remedy);
  const judged = judgeKey(state);
  const recovery = await recoveryOf(access, judged, executions);
  const withTimelines = executions.map(execution => ({
    ...execution,
    timeline: timelineOf(execution.events, execution.executionArn, workflow.prefix),
  }));
  return { judged, executions: withTimelines, searched, namesake, recovery };
}

function nothingKnown(
  { workflow, key, recordKey, executions }: KeyState,
  remedy: string | undefined,
): Refusal {
  const searched = executions?.searched;
  const looked =
    searched === undefined
      ? []
      : [
          `  executions: of ${searched.listed} since ${dateTime(searched.since)}, ${searched.opened} were opened and ` +
            `none is of this key; ${searched.unopened} were not opened, and ${searched.undecided} do not say their key`,
        ];
  const namesake = executions?.namesake ? [`  name: ${namesakeInWords(executions.namesake)}`] : [];
  const { tried = [] } = key;
  const others = tried.length === 0 ? [] : [`  also tried: ${tried.map(printable).join(', ')}`];
  const { scope, scopeInDefinition } = workflow;
  const itsScope =
    scopeInDefinition === undefined
      ? []
      : [
          `  scope: ${printable(scope)} was passed; the scope of the workflow is ${printable(scopeInDefinition)}`,
        ];
  return new Refusal(
    [
      `there is no record and no known execution of ${quoted(recordKey)}.`,
      `  record: none in table ${workflow.table}`,
      ...itsScope,
      ...others,
      ...looked,
      ...namesake,
      remedy ?? remedyFor(searched),
    ].join('\n'),
  );
}

/**
 * What became of the execution that has a key's name without being known to be of it: who started it gave it an input
 * of another key, or of none.
 */
export function namesakeInWords(execution: DescribeExecutionOutput): string {
  const name = printable(executionNameIn(execution.executionArn ?? ''));
  return (
    `an execution of this name, ${name}, ${standsInWords(execution)}, and its input is not known to have this key. To use the ` +
    'key anyway, `onceflow start` with the right input takes another name'
  );
}
