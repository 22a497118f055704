import type { ActionItem, KeyView } from '@onceflow/console';
import { ERROR, recordKey } from '../../../state-machine/contract/index';
import { executionNameIn } from '../../arns';
import type { WorkflowAccess } from '../../aws/workflow';
import { type Key, keyOf } from '../../key/input/key';
import { workflowsWithKey } from '../../key/input/resolve-key';
import { readKnownKey } from '../../key/inspect';
import { type JudgedKey, judgeKey } from '../../key/judge';
import { keyFacts } from '../../key/key-facts';
import { costInWords, costOf, sumOf } from '../../key/list/cost';
import { healthOf } from '../../key/list/health';
import { knownNowhere } from '../../key/nothing-known';
import { readRecord } from '../../key/read-record';
import { isHeld, isUnfinished } from '../../key/record';
import { nextInWords } from '../../key/what-is-next';
import { Rejection } from '../../program/rejection';
import { PLAIN } from '../../terminal';
import { eventOf, storyInMarkdown } from '../../timeline/markdown';
import { NOT_KEPT, renderSearched } from '../../timeline/render';
import { storyOf, summaryOf, versionsOf } from '../../timeline/story';
import { withTimelines } from '../../timeline/timeline';
import { keyActions } from '../actions/key-actions';
import { skipTimeAction } from '../actions/local-actions';
import { accessTo, allAccesses, type Connection, itemOf } from '../connection';
import { inputDifferences, keptDifferences } from './input-differences';

/**
 * The story of a key, as its record has it. If the workflow is not named, or does not know the key, that of another
 * one that does; of several the first.
 *
 * @throws Rejection
 */
export async function readKey(
  connection: Connection,
  name: string | undefined,
  text: string,
): Promise<KeyView> {
  const recorded = keyOf({ parts: [text], isNumber: false, isRecorded: true, json: undefined });
  const typed = { ...recorded, typed: [text] };
  const own = name === undefined ? undefined : await accessTo(connection, name);
  const isKnownTo = async (one: WorkflowAccess) =>
    (await readRecord(one, recordKey(one.workflow.scope, text))) !== undefined;
  const known = own && (await isKnownTo(own)) ? [own] : await knownIn(connection, own, typed);
  const [access] = known;
  const { workflow } = access;
  const isKnown = await isKnownTo(access);
  // Text that was typed or pasted can mean another key.
  const key = isKnown ? recorded : typed;
  const { sinceMs, openedMax } = connection.search;
  const range = { since: { ago: sinceMs } };
  const state = await readKnownKey(access, key, { range, openedMax, remedy: LISTED });
  const judged = judgeKey(state);
  const told = withTimelines(state);
  const { executions, searched } = told;
  const { record, now } = judged;
  const facts = record === undefined ? [] : keyFacts(judged, record);
  const owners = executions.find(({ executionArn }) => executionArn === record?.owner)?.description;
  const bounds = boundsOf(judged);
  const isRejected = ({ error }: { readonly error?: string | undefined }) => error === ERROR.payloadMismatch;
  return {
    workflow: itemOf(workflow),
    others: known.slice(1).map(other => other.workflow.name),
    key: judged.key.text,
    now,
    health: record === undefined ? null : healthOf(record, workflow, now),
    summary: summaryOf(judged, told),
    next: record === undefined ? 'the next delivery claims the key' : nextInWords(judged, record),
    facts: facts.filter(([name]) => !['next', 'result'].includes(name)),
    event: eventOf(judged, told) ?? null,
    result: record?.result ?? facts.find(([name]) => name === 'result')?.[1] ?? null,
    story: storyOf(judged, told).map(({ executionArn = null, ...row }) => ({
      ...row,
      executionArn,
      name: executionArn === null ? '' : executionNameIn(executionArn),
    })),
    markdown: storyInMarkdown(judged, told),
    record: record === undefined ? null : { ...record },
    owner: record?.owner ?? null,
    bounds,
    versions: versionsOf(judged, executions),
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
    actions: [...keyActions(judged, executions), ...timeActions(connection, bounds, now)],
    cost:
      executions.length === 0
        ? null
        : costInWords(sumOf(executions.map(one => costOf(one.events, workflow.prefix)))),
    searched:
      searched === undefined
        ? NOT_KEPT
        : `${renderSearched(PLAIN, searched)} --since and --limit are options of "onceflow show".${judged.stopped === undefined ? ' Duplicates that started no execution are unknown here: a metric counts them.' : ''}`,
  };
}

/** The workflows that know a key that was typed: the one that was named, or any. @throws Rejection if none does */
async function knownIn(
  connection: Connection,
  own: WorkflowAccess | undefined,
  typed: Key,
): Promise<readonly [WorkflowAccess, ...WorkflowAccess[]]> {
  const ofOwn = own ? await workflowsWithKey([own], typed) : [];
  const all = ofOwn.length > 0 ? ofOwn : await allAccesses(connection);
  // Of one workflow the reading itself says what was looked through.
  const known = ofOwn.length > 0 || all.length === 1 ? all : await workflowsWithKey(all, typed);
  const [first, ...others] = known;
  if (first !== undefined) return [first, ...others];
  throw new Rejection(knownNowhere(all, typed, LISTED));
}

const LISTED = 'Check the key: if it has a record, the list of the workflow shows it.';

/** On the local stack time can be skipped: to the next moment that decides. */
function timeActions(connection: Connection, bounds: KeyView['bounds'], now: number): readonly ActionItem[] {
  if (connection.local?.() === undefined) return [];
  const next = Math.min(...bounds.map(({ at }) => at).filter(at => at > now));
  return [skipTimeAction(Number.isFinite(next) ? `${Math.ceil((next - now) / 1000) + 1}s` : '')];
}

/** Times of a key that decide and are still to come, in epoch milliseconds. */
function boundsOf({ record, owner, workflow, nextRecovery, now }: JudgedKey): KeyView['bounds'] {
  const bounds: { name: string; at: number }[] = [];
  // A record that is finished does not wait for its owner's step, whatever that does.
  const isOpen = record !== undefined && (isUnfinished(record) || isHeld(record, workflow));
  if (isOpen && owner.kind === 'mayStillWork')
    bounds.push({ name: "The owner's step might be running until", at: owner.until });
  if (nextRecovery?.from !== undefined && nextRecovery.isAutomatic)
    bounds.push({ name: 'Recovery decides after', at: nextRecovery.from });
  if (isOpen && owner.kind === 'notVisibleYet')
    bounds.push({ name: 'The owner is seen by', at: owner.until });
  if (isOpen && record.leaseExpiry !== undefined)
    bounds.push({ name: 'The lease ends at', at: record.leaseExpiry });
  if (record?.expiry !== undefined) bounds.push({ name: 'The record expires at', at: record.expiry * 1000 });
  return bounds.filter(({ at }) => at > now);
}
