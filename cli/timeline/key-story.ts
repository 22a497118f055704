import type { Search } from '../key/find-executions';
import { inspectKey } from '../key/inspect';
import { type JudgedKey, judgeKey } from '../key/judge';
import type { Key } from '../key/key';
import type { FoundExecution, KeyState, Searched } from '../key/key-state';
import { recoveryFor } from '../key/recovery';
import { Refusal } from '../refusal';
import { dateTime } from '../text';
import type { WorkflowAccess } from '../workflow';
import type { TimelineEvent } from './events';
import { timelineOf } from './timeline';

/** A key: what its record says, what follows from it, and what every execution of it did. */
export interface KeyStory {
  readonly judged: JudgedKey;
  /** Oldest first. */
  readonly executions: readonly (FoundExecution & { readonly timeline: readonly TimelineEvent[] })[];
  /** What was looked through; undefined where executions are not kept (Express). */
  readonly searched: Searched | undefined;
  /** The state machine that recovers its owner by itself; undefined where none is to, or nobody may look for it. */
  readonly recovery: string | undefined;
}

/**
 * Reads the story of a key, its executions within the bounds of the search.
 *
 * @throws Refusal where nothing is known of the key, AWS does not answer, or the item under the key is no record
 */
export async function readStory(access: WorkflowAccess, key: Key, search: Search): Promise<KeyStory> {
  const state = await inspectKey(access, key, search);
  const executions = (state.executions?.executions ?? []).map(execution => ({
    ...execution,
    timeline: timelineOf(execution.events, execution.executionArn, access.workflow.prefix),
  }));
  if (state.record === undefined && executions.length === 0) throw nothingKnown(state);
  const judged = judgeKey(state);
  const recovery = await recoveryFor(access, judged);
  return { judged, executions, searched: state.executions?.searched, recovery };
}

function nothingKnown({ workflow, recordKey, executions }: KeyState): Refusal {
  const searched = executions?.searched;
  const looked =
    searched === undefined
      ? ''
      : `, and none of the ${searched.opened} executions of ${workflow.name} that were opened is known to be of it ` +
        `(${searched.listed} began since ${dateTime(searched.since)}, ${searched.unopened} were not opened, ` +
        `${searched.undecided} do not say for which key they are)`;
  const scope = `${workflow.scope}#`;
  // As errors and records have it.
  const isScoped = recordKey.startsWith(scope + scope);
  const unscoped = isScoped
    ? `without its scope it is ${JSON.stringify(recordKey.slice(scope.length * 2))}; `
    : '';
  return new Refusal(
    `nothing is known of ${JSON.stringify(recordKey)}: ${workflow.table} has no record of it${looked}; ${unscoped}` +
      'check the key (--number for a number, --json-key for a list, --recorded for one as `list` shows it), or look further with ' +
      '--since and --limit',
  );
}
