import { DescribeStateMachineForExecutionCommand, type HistoryEvent } from '@aws-sdk/client-sfn';
import type { HistoryEvent as EventView, ExecutionView } from '@onceflow/console';
import { executionNameIn } from '../../arns';
import { type Aws, answerOf } from '../../aws/aws';
import { describe, historyPage } from '../../aws/executions';
import { Rejection } from '../../program/rejection';
import { stopActions } from '../actions/key-actions';

type Head = Omit<ExecutionView, 'events' | 'reading'>;
/** Hears of the events that were read so far, and makes a view of them on demand. */
type OnPart = (part: () => ExecutionView) => void;

/**
 * An execution of any state machine. A long history takes its time: `onPart` gets what was read so far. With `before`,
 * as it was read the last time, only what has come since is read.
 *
 * @throws Rejection
 */
export async function readExecution(
  aws: Aws,
  executionArn: string,
  onPart: OnPart = () => undefined,
  before?: ExecutionView,
): Promise<ExecutionView> {
  const head = await headOf(aws, executionArn, before);
  if (before !== undefined && before.stop !== null && isAlike(head, before)) return before;
  // A stack that was started anew may have another execution of the same name.
  if (before?.start === head.start && before.events.length > 0) {
    return { ...head, events: await eventsSince(aws, executionArn, before.events), reading: null };
  }
  let page = await historyPage(aws, executionArn);
  const events = (page?.events ?? []).map(eventViewOf);
  const all = page?.next === undefined ? null : await lastEventId(aws, executionArn);
  while (page?.next !== undefined) {
    onPart(() => ({ ...head, events: [...events], reading: { done: events.length, of: all } }));
    page = await historyPage(aws, executionArn, page.next);
    events.push(...(page?.events ?? []).map(eventViewOf));
  }
  if (page === undefined) throw unknown(executionArn);
  return { ...head, events, reading: null };
}

async function headOf(aws: Aws, executionArn: string, before: ExecutionView | undefined): Promise<Head> {
  if (!/^arn:[^:]+:states:[^:]+:\d+:execution:/.test(executionArn)) {
    throw new Rejection(
      `${JSON.stringify(executionArn)} is not the ARN of an execution whose history Step Functions keeps`,
    );
  }
  const description = await describe(aws, executionArn);
  if (description === undefined) throw unknown(executionArn);
  const { status, startDate, stopDate, redriveCount, input, output, error, cause } = description;
  const start = startDate?.getTime() ?? 0;
  return {
    executionArn,
    name: executionNameIn(executionArn),
    stateMachine: executionArn.split(':')[6] ?? '',
    status: status ?? 'unknown',
    start,
    stop: stopDate?.getTime() ?? null,
    redriveCount: redriveCount ?? 0,
    input: input ?? null,
    output: output ?? null,
    error: error ?? null,
    cause: cause ?? null,
    actions: status === 'RUNNING' ? stopActions(executionArn, 'the execution') : [],
    // An execution keeps the definition that it began with, also when it is redriven.
    definition: before?.start === start ? before.definition : await definitionOf(aws, executionArn),
  };
}

function isAlike(head: Head, before: ExecutionView): boolean {
  const { status, start, stop, redriveCount } = head;
  return (
    status === before.status &&
    start === before.start &&
    stop === before.stop &&
    redriveCount === before.redriveCount
  );
}

/** The events, with those that have come since: they are read from the end. @throws Rejection */
async function eventsSince(
  aws: Aws,
  executionArn: string,
  before: readonly EventView[],
): Promise<readonly EventView[]> {
  const known = before.at(-1)?.id ?? 0;
  const added: EventView[] = [];
  let page = await historyPage(aws, executionArn, { isReverse: true });
  while (page !== undefined) {
    added.push(...page.events.map(eventViewOf).filter(({ id }) => id > known));
    const isThere = page.events.some(({ id = 0 }) => id <= known);
    if (isThere || page.next === undefined)
      return added.length === 0 ? before : [...before, ...added.reverse()];
    page = await historyPage(aws, executionArn, page.next);
  }
  throw unknown(executionArn);
}

async function lastEventId(aws: Aws, executionArn: string): Promise<number | null> {
  const page = await historyPage(aws, executionArn, { size: 1, isReverse: true });
  return page?.events[0]?.id ?? null;
}

function eventViewOf({ id = 0, type, timestamp, ...details }: HistoryEvent): EventView {
  return { ...(details as object), id, type: type ?? '', timestamp: timestamp?.getTime() ?? 0 };
}

// The page works without: a caller that may read histories need not be allowed to read definitions.
async function definitionOf(aws: Aws, executionArn: string): Promise<string | null> {
  const request = new DescribeStateMachineForExecutionCommand({ executionArn });
  const sent = aws.sfn.send(request, { abortSignal: aws.signal });
  try {
    const answer = await answerOf(aws, 'DescribeStateMachineForExecution', `execution ${executionArn}`, sent);
    return answer?.definition ?? null;
  } catch (error) {
    if (error instanceof Rejection) return null;
    throw error;
  }
}

function unknown(executionArn: string): Rejection {
  return new Rejection(
    `Step Functions does not know the execution ${executionArn}, or no longer knows it. Check the ARN and the region`,
  );
}
