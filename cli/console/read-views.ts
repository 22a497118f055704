import type { ActionItem, CostView, KeyView, PlaceView, WorkflowItem } from '@onceflow/console';
import { ERROR } from '../../state-machine/contract/index';
import type { Aws } from '../aws/aws';
import { each } from '../aws/executions';
import { isNamedAfter, listWorkflows, type WorkflowSelector } from '../aws/find-workflow';
import { type Overrides, type Workflow, type WorkflowAccess, workflowOf } from '../aws/workflow';
import type { LocalStackPort } from '../dev/local-stack';
import { costInWords, costOf, sumOf } from '../key/cost';
import { costInTime, executionsCostInWords } from '../key/executions-cost';
import { inspectKey } from '../key/inspect';
import type { JudgedKey } from '../key/judge';
import { keyOf } from '../key/key';
import { keyFacts, nextDeliveryInWords } from '../key/key-facts';
import { resolveKey } from '../key/readings';
import { isHeld, isUnfinished } from '../key/record';
import { recoveryFacts } from '../key/recovery';
import { type AskedRange, rangeAt } from '../key/time-range';
import { Refusal } from '../program/refusal';
import { executionNameIn } from '../text';
import { readStory } from '../timeline/key-story';
import { renderSearched } from '../timeline/render';
import { inputDifferences, keptDifferences } from './input-differences';
import { keyActions } from './key-actions';
import { skipTimeAction } from './local-actions';
import { recordVersions } from './record-versions';

/** Where the views are read from. */
export interface Place {
  readonly aws: Aws;
  /** For people: an address, or a region. */
  readonly where: string;
  readonly isLocal: boolean;
  /** Whether a page may write there. */
  readonly mayWrite: boolean;
  /** The stack, where it runs in this process; undefined between two of them. */
  readonly local?: () => LocalStackPort | undefined;
  readonly selector: WorkflowSelector;
  readonly overrides: Overrides;
  /** How far back executions of a key are looked for, and how many are opened. */
  readonly search: { readonly sinceMs: number; readonly openedMax: number };
}

const DAY_MS = 24 * 3600 * 1000;

/** The place of these clients, with what `onceflow show` searches where nothing else is said. */
export function placeAt(
  aws: Aws,
  {
    where,
    isLocal,
    mayWrite = false,
    local,
    stack,
    stateMachine,
  }: Pick<Place, 'where' | 'isLocal' | 'local'> & {
    readonly mayWrite?: boolean;
    readonly stack: string | undefined;
    readonly stateMachine?: string | undefined;
  },
): Place {
  return {
    aws,
    where,
    isLocal,
    mayWrite,
    ...(local && { local }),
    selector: { stateMachine, stack, scope: undefined },
    overrides: { table: undefined, scope: undefined, stepTimeoutMs: undefined },
    search: { sinceMs: 7 * DAY_MS, openedMax: 100 },
  };
}

const PLAIN = { isColored: false, width: Number.POSITIVE_INFINITY } as const;

/** The workflows of the place. @throws Refusal */
export async function readPlace(place: Place): Promise<PlaceView> {
  const { where, isLocal } = place;
  const workflows = (await allAccesses(place)).map(({ workflow }) => itemOf(workflow));
  return { where, isLocal, workflows };
}

/** The same, to read them. @throws Refusal */
export async function allAccesses({ aws, selector, overrides }: Place): Promise<readonly WorkflowAccess[]> {
  const arns = await listWorkflows(aws, selector);
  return each(arns, async arn => ({ aws, workflow: await workflowOf(aws, arn, overrides) }));
}

/** So many histories of a workflow are read for its cost. */
const SAMPLE = 200;

/**
 * What the executions of a workflow, or of all, have cost that began in the time, by default in the last day.
 *
 * @throws Refusal
 */
export async function readCost(place: Place, name: string | undefined, asked: AskedRange): Promise<CostView> {
  const accesses = name === undefined ? await allAccesses(place) : [await accessTo(place, name)];
  const range = rangeAt(place.aws.time.now(), { ...asked, since: asked.since ?? { ago: DAY_MS } });
  const costs = [];
  // One after the other: each takes a good part of the account's quota.
  for (const access of accesses) {
    const search = { range, sample: SAMPLE, progress: () => undefined };
    const words = await costInTime(access, search).then(executionsCostInWords, (error: unknown) => {
      if (error instanceof Refusal) return `unknown: ${error.message}`;
      throw error;
    });
    costs.push({ workflow: access.workflow.name, words });
  }
  return { costs };
}

/** The story of a key, as its record has it. @throws Refusal */
export async function readKey(place: Place, name: string, text: string): Promise<KeyView> {
  const access = await accessTo(place, name);
  const { aws, workflow } = access;
  const recorded = keyOf({ parts: [text], isNumber: false, isRecorded: true, json: undefined });
  const isKnown = (await inspectKey(access, recorded)).record !== undefined;
  // What somebody has typed or pasted may mean another key.
  const key = isKnown ? recorded : await resolveKey(access, { ...recorded, typed: [text] });
  const since = aws.time.now() - place.search.sinceMs;
  const openedMax = place.search.openedMax;
  const remedy = 'Check the key: if it has a record, the list of the workflow shows it.';
  const story = await readStory(access, key, { since, openedMax, remedy, progress: () => undefined });
  const { judged, executions, searched, recovery } = story;
  const { record, now } = judged;
  const owners = executions.find(({ executionArn }) => executionArn === record?.owner)?.description;
  const bounds = boundsOf(judged);
  const isRefused = ({ error }: { readonly error?: string | undefined }) => error === ERROR.payloadMismatch;
  return {
    workflow: itemOf(workflow),
    key: key.text,
    now,
    facts: record === undefined ? [] : [...keyFacts(judged, record), ...recoveryFacts(judged, recovery)],
    next: record === undefined ? 'the next delivery claims the key' : nextDeliveryInWords(judged, record),
    record: record === undefined ? null : { ...record },
    owner: record?.owner ?? null,
    bounds,
    versions: recordVersions(executions, workflow.prefix),
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
        (isRefused(description) &&
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
        ? 'Step Functions does not keep executions of Express workflows. See the log group of the workflow.'
        : `${renderSearched(PLAIN, searched)} --since and --limit are options of "onceflow show". Deliveries that were deduplicated by execution name started no execution, so they are not recorded.`,
  };
}

/** On the local stack time can be skipped: to the next moment that decides. */
function timeActions(place: Place, bounds: KeyView['bounds'], now: number): readonly ActionItem[] {
  if (place.local?.() === undefined) return [];
  const next = Math.min(...bounds.map(({ at }) => at).filter(at => at > now));
  return [skipTimeAction(Number.isFinite(next) ? `${Math.ceil((next - now) / 1000) + 1}s` : '')];
}

/**
 * A workflow of the place, by the name of its state machine, its scope, or the id of its construct.
 *
 * @throws Refusal where there is none, or several
 */
export async function accessTo(place: Place, name: string): Promise<WorkflowAccess> {
  const { aws, selector, overrides } = place;
  const arns = await listWorkflows(aws, selector);
  const arn = arns.find(each => each.split(':').at(-1) === name);
  if (arn !== undefined) return { aws, workflow: await workflowOf(aws, arn, overrides) };
  const workflows = await each(arns, one => workflowOf(aws, one, overrides));
  const meant = workflows.filter(one => one.scope === name || isNamedAfter(one.name, name));
  const [workflow, other] = meant;
  if (workflow === undefined) throw new Refusal(`${place.where} has no workflow ${name}`);
  if (other === undefined) return { aws, workflow };
  const names = meant.map(one => one.name).join(', ');
  throw new Refusal(
    `${place.where} has several workflows ${name}; select one by its state machine: ${names}`,
  );
}

/** A workflow as views have it. */
export function itemOf({ name, stateMachineArn, type, scope, table }: Workflow): WorkflowItem {
  return { name, stateMachineArn, type, scope, table };
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
