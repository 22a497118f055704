import type { ExecutionStatus, HistoryEvent } from '@aws-sdk/client-sfn';
import { executionName } from '../../state-machine/contract/index';
import type { Aws } from '../aws/aws';
import { describe, each, historyOf, listed } from '../aws/executions';
import { claimedKeys } from '../story/claimed-key';
import { executionNameIn } from '../text';
import type { Entry } from '../timeline/events';
import { tell } from '../timeline/timeline';
import type { Workflow } from '../workflow';

/** How far to look. */
export interface Reach {
  /** Executions that began before are found by name only, in epoch milliseconds. */
  readonly since: number;
  /** So many executions with names of their own are opened, to see which key they claim. */
  readonly openedMax: number;
  readonly status?: ExecutionStatus;
  /** Told of each step of the search. */
  readonly progress?: (done: number, total: number) => void;
}

/** An execution of the key. */
export interface FoundExecution {
  readonly executionArn: string;
  readonly name: string;
  readonly status: string;
  readonly startDate: Date | undefined;
  readonly stopDate: Date | undefined;
  readonly redriveCount: number;
  readonly story: readonly Entry[];
  readonly events: readonly HistoryEvent[];
}

/** What was looked through, so that nobody takes absence for proof. */
export interface Searched {
  readonly since: Date;
  /** Executions whose names were seen; not all of them, if the list was cut off. */
  readonly listed: number;
  readonly isListCutOff: boolean;
  /** Executions whose histories were opened, and those that were not although any of them may be of the key. */
  readonly opened: number;
  readonly unopened: number;
}

/** What a search has come to. */
export interface Found {
  /** Oldest first. */
  readonly executions: readonly FoundExecution[];
  readonly searched: Searched;
}

/** So many names are looked through at most. */
const NAMES_MAX = 10_000;
/** An execution claims its key in its first state; one of a larger machine has other states before. */
const EVENTS_UNTIL_CLAIM = 20;
const EVENTS_UNTIL_CLAIM_WITHIN = 200;

/**
 * Finds every execution of a key within the reach: by the names that a key has, the record's owner, and, among those
 * with other names, by opening their histories, newest first.
 *
 * @throws Refusal
 */
export async function findExecutions(
  aws: Aws,
  workflow: Workflow,
  key: { readonly text: string; readonly recordKey: string; readonly owner: string | undefined },
  reach: Reach,
): Promise<Found> {
  const name = executionName(key.text);
  const { items, isCutOff } = await listed(aws, {
    stateMachineArn: workflow.stateMachineArn,
    since: reach.since,
    namesMax: NAMES_MAX,
    ...(reach.status && { status: reach.status }),
  });
  const listedArns = items.flatMap(({ executionArn }) => executionArn ?? []);
  const byName = await knownByName(aws, workflow, name, key.owner, reach.status);
  const isLikely = (arn: string) => byName.has(arn) || isNameOf(name, executionNameIn(arn));
  const likely = [...new Set([...byName, ...listedArns.filter(isLikely)])];
  const others = listedArns.filter(arn => !isLikely(arn));
  const candidates = [...likely, ...others.slice(0, reach.openedMax)];

  let done = 0;
  const found = await each(candidates, async arn => {
    const execution = await executionOfKey(aws, workflow, arn, key.recordKey, arn === key.owner);
    done += 1;
    reach.progress?.(done, candidates.length);
    return execution;
  });
  const startOf = ({ startDate }: FoundExecution) => startDate?.getTime() ?? 0;
  // Of two that began in one millisecond the list knows which was later.
  const placeOf = ({ executionArn }: FoundExecution) => listedArns.indexOf(executionArn);
  const executions = found
    .filter(execution => execution !== undefined)
    .sort((one, other) => startOf(one) - startOf(other) || placeOf(other) - placeOf(one));
  return {
    executions,
    searched: {
      since: new Date(reach.since),
      listed: items.length,
      isListCutOff: isCutOff,
      opened: candidates.length,
      unopened: others.length - (candidates.length - likely.length),
    },
  };
}

/** Names that need no list: the key's own, and the owner's. An owner may be one of another state machine. */
async function knownByName(
  aws: Aws,
  { stateMachineArn }: Workflow,
  name: string,
  owner: string | undefined,
  status: ExecutionStatus | undefined,
): Promise<ReadonlySet<string>> {
  const own = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
  const isKept = owner !== undefined && owner.split(':')[5] === 'execution';
  const arns = [...new Set([own, ...(isKept ? [owner] : [])])];
  const seen = await each(arns, arn => describe(aws, arn));
  return new Set(arns.filter((_, index) => seen[index] && (!status || seen[index].status === status)));
}

/** Whether a name is the key's own or one under which a key is started again. */
function isNameOf(name: string, candidate: string): boolean {
  if (candidate === name) return true;
  const [, front] = /^(.*)-[0-9a-f]{16}$/.exec(candidate) ?? [];
  return (
    front !== undefined && front === name.slice(0, front.length) && front.length >= Math.min(name.length, 63)
  );
}

async function executionOfKey(
  aws: Aws,
  { prefix }: Workflow,
  arn: string,
  recordKey: string,
  isOwner: boolean,
): Promise<FoundExecution | undefined> {
  const beginning = await historyOf(aws, arn, prefix === '' ? EVENTS_UNTIL_CLAIM : EVENTS_UNTIL_CLAIM_WITHIN);
  const isOfKey = beginning !== undefined && claimedKeys(beginning).has(recordKey);
  if (!isOfKey && !isOwner) return undefined;
  const [seen, events] = await Promise.all([describe(aws, arn), historyOf(aws, arn)]);
  if (seen === undefined || events === undefined) return undefined;
  return {
    executionArn: arn,
    name: seen.name ?? executionNameIn(arn),
    status: seen.status ?? '',
    startDate: seen.startDate,
    stopDate: seen.stopDate,
    redriveCount: seen.redriveCount ?? 0,
    story: tell(events, arn, prefix),
    events,
  };
}
