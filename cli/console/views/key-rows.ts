import type { KeyHealth, KeyRow } from '@onceflow/console';
import { type EpochMs, ERROR } from '../../../state-machine/contract/index';
import { executionNameIn, ownerNameIn } from '../../arns';
import type { Workflow } from '../../aws/workflow';
import { grouped } from '../../grouped';
import { failureInWords, failureOf } from '../../key/failure';
import { byUrgency, healthOf } from '../../key/list/health';
import { heldFor, isUnfinished, type KeyRecord, sinceWhen } from '../../key/record';
import type { EndedExecution } from '../../repair/ended-executions';
import { duration, QUOTED_MAX, shortened } from '../../text';

/** Rows of the list of keys: by how they stand; those that are not done oldest first, the others newest first. */
export function rowsOf(records: readonly KeyRecord[], workflow: Workflow, now: EpochMs): readonly KeyRow[] {
  return records.map(record => rowOf(record, workflow, now)).sort(byUrgency);
}

function rowOf(record: KeyRecord, workflow: Workflow, now: EpochMs): KeyRow {
  const health = healthOf(record, workflow, now);
  return {
    workflow: workflow.name,
    executionArn: null,
    key: record.recordKey.slice(`${workflow.scope}#`.length),
    health,
    count: 1,
    why: whyOf(record, workflow, health),
    attempt: record.attempt,
    since: sinceWhen(record) ?? null,
    owner: ownerNameIn(record.owner, workflow.stateMachineArn),
    error: isUnfinished(record) ? '' : (failureOf(record)?.error ?? ''),
  };
}

/** The facts of a key that an operator must know before its story. */
function whyOf(record: KeyRecord, workflow: Workflow, health: KeyHealth): string {
  const failure = failureOf(record);
  switch (health) {
    case 'held':
      return REASONS[heldFor(record, workflow) ?? ERROR.inDoubt] ?? 'an operator decides';
    case 'overdue':
      return `in progress for longer than its step can take (${duration(workflow.stepTimeoutMs)})`;
    case 'failed':
      return failure === undefined ? '' : shortened(failureInWords(failure), QUOTED_MAX);
    default:
      return '';
  }
}

/** What the workflow's own errors mean. */
const REASONS: Readonly<Record<string, string>> = {
  [ERROR.inDoubt]: 'the step might have run; an operator decides',
  [ERROR.redrivesExhausted]: 'it failed again after each redrive; an operator decides',
  [ERROR.resultUnavailable]: 'the step has run, and its result is missing',
  [ERROR.payloadMismatch]: 'the key was used before with another payload',
  [ERROR.invalidEvent]: 'the event has no usable key',
  [ERROR.inProgress]: 'the owner of the key was at work',
};

/** A row for each key and error, with the last delivery: duplicates of one key come many at a time. */
export function rejectedRows(
  { name, scope }: Workflow,
  rejected: readonly EndedExecution[],
): readonly KeyRow[] {
  // Newest first.
  const groups = grouped(
    rejected,
    ({ recordKey, executionArn, error }) => `${error} ${recordKey ?? executionArn}`,
  );
  return [...groups.values()].flatMap(([last, ...others]) => {
    if (last === undefined) return [];
    const { recordKey, executionArn, error, stoppedAt } = last;
    const count = others.length + 1;
    return [
      {
        workflow: name,
        key: recordKey?.slice(scope.length + 1) ?? '',
        executionArn,
        health: 'rejected' as const,
        count,
        why: `${count === 1 ? '' : `${count} times: `}${REASONS[error] ?? error}`,
        attempt: 0,
        since: stoppedAt,
        owner: executionNameIn(executionArn),
        error,
      },
    ];
  });
}
