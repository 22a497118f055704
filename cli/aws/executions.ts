import {
  DescribeExecutionCommand,
  type DescribeExecutionOutput,
  type ExecutionListItem,
  type ExecutionStatus,
  GetExecutionHistoryCommand,
  type HistoryEvent,
  ListExecutionsCommand,
} from '@aws-sdk/client-sfn';
import { type Aws, answerOf } from './aws';

/** Step Functions' longest history. */
const HISTORY_EVENTS_MAX = 25_000;
/** Few enough that a page of large events comes in one answer, and that a first page comes at once. */
const HISTORY_PAGE = 200;
/** The most that Step Functions gives at once. */
const HISTORY_PAGE_MAX = 1000;
/** Characters of data that an answer may have. */
const HISTORY_PAGE_CHARACTERS = 8_000_000;
const LIST_PAGE = 1000;

/** What Step Functions says of an execution; undefined where it knows none of this name. @throws Rejection */
export function describe(aws: Aws, executionArn: string): Promise<DescribeExecutionOutput | undefined> {
  const request = new DescribeExecutionCommand({ executionArn });
  const sent = aws.sfn.send(request, { abortSignal: aws.signal });
  return answerOf(aws, 'DescribeExecution', `execution ${executionArn}`, sent, 'ExecutionDoesNotExist');
}

/** The history from its beginning, at most so many events of it; undefined for an unknown execution. @throws Rejection */
export async function historyOf(
  aws: Aws,
  executionArn: string,
  eventsMax = HISTORY_EVENTS_MAX,
): Promise<readonly HistoryEvent[] | undefined> {
  const events: HistoryEvent[] = [];
  let page = await historyPage(aws, executionArn, { size: Math.min(HISTORY_PAGE, eventsMax) });
  while (page !== undefined) {
    events.push(...page.events);
    if (page.next === undefined || events.length >= eventsMax) return events.slice(0, eventsMax);
    page = await historyPage(aws, executionArn, page.next);
  }
  return undefined;
}

/** So many events of ended executions are kept, by the client that read them. */
const KEPT_EVENTS_MAX = 100_000;
const kept = new WeakMap<object, Map<string, readonly HistoryEvent[]>>();

/**
 * The whole history of an execution that was described before; undefined for an unknown execution. That of one that has
 * ended is read once: only a redrive changes it.
 *
 * @throws Rejection
 */
export async function historyOfDescribed(
  aws: Aws,
  { executionArn = '', stopDate, redriveCount = 0 }: DescribeExecutionOutput,
): Promise<readonly HistoryEvent[] | undefined> {
  const histories = kept.get(aws.sfn) ?? new Map<string, readonly HistoryEvent[]>();
  kept.set(aws.sfn, histories);
  const id = `${executionArn} ${stopDate?.getTime()} ${redriveCount}`;
  const known = histories.get(id);
  if (known !== undefined) return known;
  const events = await historyOf(aws, executionArn);
  // The history may lag behind the description.
  const hasEnd = /^Execution(?:Succeeded|Failed|Aborted|TimedOut)$/.test(events?.at(-1)?.type ?? '');
  if (events === undefined || stopDate === undefined || !hasEnd) return events;
  histories.set(id, events);
  let size = [...histories.values()].reduce((sum, { length }) => sum + length, 0);
  for (const [oldest, { length }] of histories) {
    if (size <= KEPT_EVENTS_MAX) break;
    histories.delete(oldest);
    size -= length;
  }
  return events;
}

export interface HistoryPageRequest {
  /** Events at most. */
  readonly size?: number;
  readonly nextToken?: string | undefined;
  /** From the end. */
  readonly isReverse?: boolean;
}

/** Events of a history, and how to ask for those that follow. */
export interface HistoryPage {
  readonly events: readonly HistoryEvent[];
  readonly next: HistoryPageRequest | undefined;
}

/**
 * One page of a history; undefined for an unknown execution. The page that follows is as large as an answer may be, by
 * the size of these events.
 *
 * @throws Rejection
 */
export async function historyPage(
  aws: Aws,
  executionArn: string,
  { size = HISTORY_PAGE, nextToken, isReverse = false }: HistoryPageRequest = {},
): Promise<HistoryPage | undefined> {
  const request = new GetExecutionHistoryCommand({
    executionArn,
    maxResults: size,
    nextToken,
    ...(isReverse && { reverseOrder: true }),
  });
  const sent = aws.sfn.send(request, { abortSignal: aws.signal });
  const subject = `execution ${executionArn}`;
  const page = await answerOf(aws, 'GetExecutionHistory', subject, sent, 'ExecutionDoesNotExist');
  if (page === undefined) return undefined;
  const { events = [], nextToken: token } = page;
  const next = token === undefined ? undefined : { size: sizeAfter(events), nextToken: token, isReverse };
  return { events, next };
}

function sizeAfter(events: readonly HistoryEvent[]): number {
  const characters = events.reduce((sum, event) => sum + charactersIn(event), 0);
  const fitting = Math.floor((events.length * HISTORY_PAGE_CHARACTERS) / Math.max(1, characters));
  return Math.min(HISTORY_PAGE_MAX, Math.max(HISTORY_PAGE, fitting));
}

/** Characters of an event's texts. */
function charactersIn(event: object): number {
  let sum = 0;
  for (const value of Object.values(event)) {
    if (typeof value === 'string') sum += value.length;
    else if (typeof value === 'object' && value !== null) sum += charactersIn(value);
  }
  return sum;
}

export interface Listing {
  readonly stateMachineArn: string;
  /** Only those started at or after this time, in epoch milliseconds. */
  readonly since: number;
  /** And at or before this one; absent: now. */
  readonly until?: number;
  readonly namesMax: number;
  readonly status?: ExecutionStatus;
}

/** Executions, newest first, and whether there are more within the time asked for. @throws Rejection */
export async function listExecutions(
  aws: Aws,
  { stateMachineArn, since, until = Number.MAX_SAFE_INTEGER, namesMax, status }: Listing,
): Promise<{ readonly items: readonly ExecutionListItem[]; readonly isCutOff: boolean }> {
  const items: ExecutionListItem[] = [];
  let nextToken: string | undefined;
  do {
    const request = new ListExecutionsCommand({
      stateMachineArn,
      maxResults: LIST_PAGE,
      nextToken,
      ...(status && { statusFilter: status }),
    });
    const sent = aws.sfn.send(request, { abortSignal: aws.signal });
    const page = await answerOf(aws, 'ListExecutions', `state machine ${stateMachineArn}`, sent);
    const executions = page?.executions ?? [];
    const inTime = executions.filter(({ startDate }) => (startDate?.getTime() ?? 0) >= since);
    items.push(...inTime.filter(({ startDate }) => (startDate?.getTime() ?? 0) <= until));
    nextToken = inTime.length < executions.length ? undefined : page?.nextToken;
  } while (nextToken !== undefined && items.length < namesMax);
  return { items: items.slice(0, namesMax), isCutOff: nextToken !== undefined || items.length > namesMax };
}
