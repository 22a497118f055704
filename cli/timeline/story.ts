import { STATUS } from '../../state-machine/contract/index';
import { STATE } from '../../state-machine/contract/state-names';
import { executionNameIn } from '../arns';
import { failureInWords, failureOf } from '../key/failure';
import type { JudgedKey } from '../key/judge';
import { whyHeld } from '../key/key-facts';
import type { FoundExecution, RecoveryRun } from '../key/key-state';
import { completedBy } from '../key/operator/completion';
import { reservationOf, reservedInWords } from '../key/operator/reservation';
import { heldFor, type KeyRecord, releasedBy, sinceWhen } from '../key/record';
import { runAt } from '../key/recovery-runs';
import { duration, plural, QUOTED_MAX, shortened } from '../text';
import type { RecordRead, TimelineEventKind } from './events';
import type { ToldExecutions } from './timeline';
import { hasConditionFailed, wasLeftByAnError } from './words';

/** Who acts on a key; unknown if what would tell it cannot be read. */
export type Actor = 'delivery' | 'recovery' | 'operator' | 'Step Functions' | 'unknown';

/** One thing that happened to a key: when, by whom, and why. */
export interface StoryRow {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly actor: Actor;
  readonly kind: TimelineEventKind;
  readonly text: string;
  /** How the actor is known, or why it did it; empty if the text says it. */
  readonly reason: string;
  /** The execution that did it, or that it was done to; undefined if no history names one. */
  readonly executionArn: string | undefined;
}

/** A record got a status: the lane of the record. */
export interface RecordVersion {
  readonly at: number;
  readonly status: string;
  /** The name of the execution that wrote it, or who else did. */
  readonly by: string;
}

/** A write of the record that no history of the key has: recovery or an operator made it. */
interface OtherWrite extends Omit<StoryRow, 'executionArn'> {
  readonly status: string;
  readonly run: RecoveryRun | undefined;
}

/** Everything that is known to have happened to a key, oldest first: by deliveries, by recovery and by operators. */
export function storyOf(judged: JudgedKey, { executions }: ToldExecutions): readonly StoryRow[] {
  const rows = executions.flatMap(({ executionArn, timeline }) =>
    timeline.map(({ at: date, kind, text }): StoryRow => {
      const at = date.getTime();
      return { at, kind, text, executionArn, ...actorOf(judged, kind, at) };
    }),
  );
  const others = otherWrites(judged, executions).map(({ status: _, run, ...row }) => ({
    ...row,
    executionArn: run?.executionArn,
  }));
  const stopped = (judged.stopped ?? []).map(({ at, executionArn, answer }): StoryRow => {
    const text = `started nothing: ${answer}`;
    return { at, actor: 'delivery', kind: 'stopped', text, reason: 'a duplicate', executionArn };
  });
  return [...others, ...rows, ...stopped].sort((one, other) => one.at - other.at);
}

function actorOf(
  { workflow, recoveryRuns }: JudgedKey,
  kind: TimelineEventKind,
  at: number,
): Pick<StoryRow, 'actor' | 'reason'> {
  if (kind === 'timedOut') return { actor: 'Step Functions', reason: 'the state machine has a timeout' };
  if (kind === 'aborted') return { actor: 'operator', reason: 'StopExecution was called' };
  // Deliveries to a team's own state machine redrive its executions.
  if (kind !== 'redriven' || workflow.prefix !== '') return { actor: 'delivery', reason: '' };
  if (recoveryRuns === undefined)
    return { actor: 'unknown', reason: 'the executions of recovery cannot be read' };
  const run = runAt(recoveryRuns, at);
  return run === undefined
    ? { actor: 'operator', reason: 'no recovery of it was running then' }
    : { actor: 'recovery', reason: executionNameIn(run.executionArn) };
}

/** The versions of a key's record, oldest first: as its executions wrote them, and as others did. */
export function versionsOf(
  judged: JudgedKey,
  executions: readonly FoundExecution[],
): readonly RecordVersion[] {
  const others = otherWrites(judged, executions).map(({ at, status, actor }) => ({ at, status, by: actor }));
  return [...others, ...ownVersions(executions)].sort((one, other) => one.at - other.at);
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

function ownVersions(executions: readonly FoundExecution[]): readonly RecordVersion[] {
  return executions.flatMap(({ executionArn, history }) =>
    history.visits.flatMap(visit => {
      const { name, isOurs, exitedAt } = visit;
      const status = WRITTEN[name];
      const isMade = isOurs && !hasConditionFailed(visit) && !wasLeftByAnError(visit);
      if (status === undefined || exitedAt === undefined || !isMade) return [];
      return [{ at: exitedAt.getTime(), status, by: executionNameIn(executionArn) }];
    }),
  );
}

/**
 * The writes of recovery and operators, from the record as it is, and as deliveries read it: each says when it got its
 * status. A write that a history of the key contains is none of them.
 */
function otherWrites(judged: JudgedKey, executions: readonly FoundExecution[]): readonly OtherWrite[] {
  const read = executions.flatMap(({ history }) =>
    history.visits.flatMap(({ name, exitedAt, variables: { record } }) =>
      name === STATE.read && record && exitedAt
        ? [{ ...recordIn(record as RecordRead), seenAt: exitedAt.getTime() }]
        : [],
    ),
  );
  const own = ownVersions(executions);
  const writes = new Map<string, OtherWrite>();
  for (const record of [...read, ...(judged.record ? [{ ...judged.record, seenAt: judged.now }] : [])]) {
    const isUndated = record.status !== STATUS.inProgress && record.finishedAt === undefined;
    const at = isUndated ? Math.min(actedAt(judged, executions), record.seenAt) : sinceWhen(record);
    const isOwnerKnown = executions.some(({ executionArn }) => executionArn === record.owner);
    const write = at === undefined ? undefined : otherWrite(judged, record, { at, isOwnerKnown });
    const isOwn = own.some(
      version => version.status === record.status && Math.abs(version.at - (at ?? 0)) < SAME_MS,
    );
    if (write !== undefined && !isOwn) writes.set(`${write.status} ${write.at}`, write);
  }
  return [...writes.values()];
}

/** A record that recovery holds or releases does not say since when: until the end of that recovery, or after all that is known. */
function actedAt({ recoveryRuns = [], now }: JudgedKey, executions: readonly FoundExecution[]): number {
  const ends = executions.map(({ description }) => description.stopDate?.getTime() ?? 0);
  return recoveryRuns.at(-1)?.stop ?? (Math.max(0, ...ends) || now);
}

/** A record names the time before it is written; its history has the time after that. */
const SAME_MS = 2_000;

type Seen = Pick<KeyRecord, 'owner' | 'status' | 'error' | 'attempt' | 'claimedAt' | 'finishedAt'>;

function recordIn(read: RecordRead): Seen {
  const textOf = (name: string) => read[name]?.S;
  return {
    owner: textOf('owner') ?? '',
    status: textOf('status') ?? '',
    error: textOf('error'),
    attempt: Number(read['attempt']?.N ?? 0),
    claimedAt: textOf('claimedAt'),
    finishedAt: textOf('finishedAt'),
  };
}

function otherWrite(
  { workflow, recoveryRuns = [] }: JudgedKey,
  record: Seen,
  { at, isOwnerKnown }: { readonly at: number; readonly isOwnerKnown: boolean },
): OtherWrite | undefined {
  const { status, attempt } = record;
  const run = runAt(recoveryRuns, at);
  // Without the owner's history, the owner itself may have written it.
  const isRecovery = run !== undefined || isOwnerKnown;
  const reason = isRecovery ? '' : 'its execution was not found';
  const shared = { at, run, status, actor: isRecovery ? 'recovery' : 'unknown', reason } as const;
  const held = heldFor(record, workflow);
  const reservation = reservationOf(record);
  if (reservation !== undefined) {
    const { purpose, by: reason } = reservation;
    const text = `reserved the record, to ${purpose} the key`;
    const since = Date.parse(reservation.at) || at;
    return { ...shared, at: since, actor: 'operator', kind: 'held', text, reason, run: undefined };
  }
  const by = completedBy(record);
  if (by !== undefined) {
    return {
      ...shared,
      actor: 'operator',
      kind: 'finalized',
      text: 'completed the key',
      reason: by,
      run: undefined,
    };
  }
  if (status === STATUS.held && held !== undefined)
    return { ...shared, kind: 'held', text: `held the key for review: ${whyHeld(held)}` };
  if (status === STATUS.released) {
    const text = `released the key: the next delivery runs the step as attempt ${attempt + 1}`;
    const isOperator = releasedBy(record) !== 'recovery';
    return {
      ...shared,
      kind: 'released',
      text,
      actor: isOperator ? 'operator' : 'recovery',
      ...(isOperator && { run: undefined, reason: '' }),
    };
  }
  return status === STATUS.completed && isRecovery
    ? { ...shared, kind: 'finalized', text: "completed the key: the owner's output is the result" }
    : undefined;
}

/** What happened to a key, in one sentence for people who know no executions. */
export function summaryOf(judged: JudgedKey, { executions }: ToldExecutions): string {
  const { record } = judged;
  if (record === undefined) return 'The key has no record: it was deleted, or no execution has claimed it.';
  const events = executions.flatMap(({ timeline }) => timeline);
  const count = (kind: TimelineEventKind) => events.filter(one => one.kind === kind).length;
  const [redriven, returned, rejected] = [count('redriven'), count('returned'), count('rejected')];
  const stopped = judged.stopped?.length ?? 0;
  const also = [
    ...(stopped > 0 ? [`${plural(stopped, 'duplicate')} started nothing`] : []),
    ...(redriven > 0
      ? [`it was interrupted, and resumed ${redriven === 1 ? 'once' : `${redriven} times`}`]
      : []),
    ...(returned > 0 ? [`${plural(returned, 'later delivery', 'later deliveries')} got its answer`] : []),
    ...(rejected > 0 ? [`${plural(rejected, 'delivery was', 'deliveries were')} rejected`] : []),
  ];
  return `${[standsSo(judged, record), ...also].join('; ')}.`;
}

function standsSo({ workflow, owner, stoppedAt }: JudgedKey, record: KeyRecord): string {
  const { claimedAt, finishedAt } = record;
  const held = heldFor(record, workflow);
  const reservation = reservationOf(record);
  if (reservation !== undefined) return `The key is reserved: ${reservedInWords(reservation)}`;
  if (held !== undefined) return `Nothing runs until an operator decides: ${whyHeld(held)}`;
  switch (record.status) {
    case STATUS.completed: {
      const by = completedBy(record);
      if (by !== undefined) return `The key was completed by ${shortened(by, QUOTED_MAX)}`;
      const took = Date.parse(finishedAt ?? '') - Date.parse(claimedAt ?? '');
      return `The step has run, and the key completed${took >= 0 ? ` ${duration(took)} after its claim` : ''}`;
    }
    case STATUS.failed: {
      const failure = failureOf(record);
      const why = failure && failureInWords(failure);
      return `The step failed${why ? `: ${shortened(why, QUOTED_MAX)}` : ''}`;
    }
    case STATUS.released:
      return `The key was released by ${releasedBy(record)}`;
    default:
      return 'status' in owner && owner.kind !== 'running'
        ? `Its execution ended ${owner.status}${stoppedAt === 'within' ? ' in the step' : ''} before the key completed`
        : 'An execution works on the key';
  }
}
