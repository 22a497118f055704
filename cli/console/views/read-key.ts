import type { ActionItem, KeyView, RecordVersion } from '@onceflow/console';
import { ERROR, recordKey, STATUS } from '../../../state-machine/contract/index';
import { STATE } from '../../../state-machine/contract/state-names';
import { executionNameIn } from '../../arns';
import type { WorkflowAccess } from '../../aws/workflow';
import type { StateVisit } from '../../key/history';
import { type Key, keyOf } from '../../key/input/key';
import { workflowsWithKey } from '../../key/input/resolve-key';
import { readKnownKey } from '../../key/inspect';
import { type JudgedKey, judgeKey } from '../../key/judge';
import { keyFacts } from '../../key/key-facts';
import type { FoundExecution } from '../../key/key-state';
import { costInWords, costOf, sumOf } from '../../key/list/cost';
import { knownNowhere } from '../../key/nothing-known';
import { readRecord } from '../../key/read-record';
import { isHeld, isUnfinished } from '../../key/record';
import { nextDeliveryInWords } from '../../key/what-is-next';
import { Rejection } from '../../program/rejection';
import { PLAIN } from '../../terminal';
import { NOT_KEPT, renderSearched } from '../../timeline/render';
import { withTimelines } from '../../timeline/timeline';
import { hasConditionFailed, wasLeftByAnError } from '../../timeline/words';
import { keyActions } from '../actions/key-actions';
import { skipTimeAction } from '../actions/local-actions';
import { accessTo, allAccesses, itemOf, type Place } from '../place';
import { inputDifferences, keptDifferences } from './input-differences';

/**
 * The story of a key, as its record has it. If the workflow is not named, or does not know the key, that of another
 * one that does; of several the first.
 *
 * @throws Rejection
 */
export async function readKey(place: Place, name: string | undefined, text: string): Promise<KeyView> {
  const recorded = keyOf({ parts: [text], isNumber: false, isRecorded: true, json: undefined });
  const typed = { ...recorded, typed: [text] };
  const own = name === undefined ? undefined : await accessTo(place, name);
  const isKnownTo = async (one: WorkflowAccess) =>
    (await readRecord(one, recordKey(one.workflow.scope, text))) !== undefined;
  const known = own && (await isKnownTo(own)) ? [own] : await knownIn(place, own, typed);
  const [access] = known;
  const { workflow } = access;
  const isKnown = await isKnownTo(access);
  // Text that was typed or pasted can mean another key.
  const key = isKnown ? recorded : typed;
  const { sinceMs, openedMax } = place.search;
  const range = { since: { ago: sinceMs } };
  const state = await readKnownKey(access, key, { range, openedMax, remedy: LISTED });
  const judged = judgeKey(state);
  const { executions, searched } = withTimelines(state);
  const { record, now } = judged;
  const owners = executions.find(({ executionArn }) => executionArn === record?.owner)?.description;
  const bounds = boundsOf(judged);
  const isRejected = ({ error }: { readonly error?: string | undefined }) => error === ERROR.payloadMismatch;
  return {
    workflow: itemOf(workflow),
    others: known.slice(1).map(other => other.workflow.name),
    key: judged.key.text,
    now,
    facts: record === undefined ? [] : keyFacts(judged, record),
    next: record === undefined ? 'the next delivery claims the key' : nextDeliveryInWords(judged, record),
    record: record === undefined ? null : { ...record },
    owner: record?.owner ?? null,
    bounds,
    versions: recordVersions(executions),
    executions: executions.map(({ executionArn, description, timeline }) => ({
      executionArn,
      name: executionNameIn(executionArn),
      status: description.status ?? 'unknown',
      start: description.startDate?.getTime() ?? 0,
      stop: description.stopDate?.getTime() ?? null,
      redriveCount: description.redriveCount ?? 0,
      isOwner: executionArn === record?.owner,
      timeline: timeline.map(({ at, kind, text: words }) => ({ at: at.getTime(), kind, text: words })),
      differences:
        (isRejected(description) &&
          (inputDifferences(owners?.input, description.input) ??
            keptDifferences(record?.payload, description.cause))) ||
        null,
    })),
    actions: [...keyActions(judged, executions), ...timeActions(place, bounds, now)],
    cost:
      executions.length === 0
        ? null
        : costInWords(sumOf(executions.map(one => costOf(one.events, workflow.prefix)))),
    searched:
      searched === undefined
        ? NOT_KEPT
        : `${renderSearched(PLAIN, searched)} --since and --limit are options of "onceflow show". Deliveries that were deduplicated by execution name started no execution, so they are not recorded.`,
  };
}

/** The workflows that know a key that was typed: the one that was named, or any. @throws Rejection if none does */
async function knownIn(
  place: Place,
  own: WorkflowAccess | undefined,
  typed: Key,
): Promise<readonly [WorkflowAccess, ...WorkflowAccess[]]> {
  const ofOwn = own ? await workflowsWithKey([own], typed) : [];
  const all = ofOwn.length > 0 ? ofOwn : await allAccesses(place);
  // Of one workflow the reading itself says what was looked through.
  const known = ofOwn.length > 0 || all.length === 1 ? all : await workflowsWithKey(all, typed);
  const [first, ...others] = known;
  if (first !== undefined) return [first, ...others];
  throw new Rejection(knownNowhere(all, typed, LISTED));
}

const LISTED = 'Check the key: if it has a record, the list of the workflow shows it.';

/** On the local stack time can be skipped: to the next moment that decides. */
function timeActions(place: Place, bounds: KeyView['bounds'], now: number): readonly ActionItem[] {
  if (place.local?.() === undefined) return [];
  const next = Math.min(...bounds.map(({ at }) => at).filter(at => at > now));
  return [skipTimeAction(Number.isFinite(next) ? `${Math.ceil((next - now) / 1000) + 1}s` : '')];
}

/** Times of a key that decide, in epoch milliseconds. */
function boundsOf({ record, owner, workflow, nextRecovery }: JudgedKey): KeyView['bounds'] {
  const bounds: { name: string; at: number }[] = [];
  // A record that is finished does not wait for its owner's step, whatever that does.
  const isOpen = record !== undefined && (isUnfinished(record) || isHeld(record, workflow));
  if (isOpen && owner.kind === 'mayStillWork')
    bounds.push({ name: "The owner's step might be running until", at: owner.until });
  if (nextRecovery?.from !== undefined)
    bounds.push({ name: 'Recovery decides after', at: nextRecovery.from });
  if (isOpen && owner.kind === 'notVisibleYet')
    bounds.push({ name: 'The owner is seen by', at: owner.until });
  if (isOpen && record.leaseExpiry !== undefined)
    bounds.push({ name: 'The lease ends at', at: record.leaseExpiry });
  if (record?.expiry !== undefined) bounds.push({ name: 'The record expires at', at: record.expiry * 1000 });
  return bounds;
}

/** The status that each writing state writes. */
const WRITTEN: Readonly<Record<string, string>> = {
  [STATE.claim]: STATUS.inProgress,
  [STATE.takeOver]: STATUS.inProgress,
  [STATE.completed]: STATUS.completed,
  [STATE.resultStored]: STATUS.completed,
  [STATE.resultElsewhere]: STATUS.completed,
  [STATE.failed]: STATUS.failed,
  [STATE.inDoubt]: STATUS.held,
  [STATE.ownerInDoubt]: STATUS.held,
};

/**
 * The versions of a key's record, as its executions' histories tell of writes that took effect; oldest first. What
 * recovery or an operator has written, and what DynamoDB has deleted, is in none of these histories.
 */
function recordVersions(executions: readonly FoundExecution[]): readonly RecordVersion[] {
  const versions = executions.flatMap(({ executionArn, history }) =>
    history.visits.flatMap(visit => {
      const status = WRITTEN[visit.name];
      if (status === undefined || !hasWritten(visit)) return [];
      return [{ at: visit.exitedAt.getTime(), status, by: executionNameIn(executionArn) }];
    }),
  );
  return versions.sort((one, other) => one.at - other.at);
}

function hasWritten(visit: StateVisit): visit is StateVisit & { readonly exitedAt: Date } {
  return (
    visit.isOurs && visit.exitedAt !== undefined && !hasConditionFailed(visit) && !wasLeftByAnError(visit)
  );
}
