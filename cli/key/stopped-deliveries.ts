import { executionName, isNameOf } from '../../state-machine/contract/execution-name';
import { executionNameIn } from '../arns';
import { callLocalStack } from '../aws/local-stack';
import type { WorkflowAccess } from '../aws/workflow';
import { grouped } from '../grouped';
import type { TimeRange } from '../time-range';

/** A delivery, or a request by HTTP, that started nothing because of its key. */
export interface StoppedDelivery {
  /** Epoch milliseconds. */
  readonly at: number;
  /** The Express execution of the dispatcher or the front door. */
  readonly executionArn: string;
  /** The name that the key's first execution has. */
  readonly name: string;
  /** What the caller got, and why nothing was started. */
  readonly answer: string;
}

/** A start, as a stack on this machine lists it: no API of AWS returns it. */
interface RepeatedStart {
  readonly executionArn: string;
  readonly startDate: number;
  readonly status: string;
  readonly output: unknown;
  readonly namedExecutionArn: string;
  readonly newExecutionArns: readonly string[];
}

/**
 * The deliveries of a workflow that started nothing in this time, oldest first. Undefined on AWS: there the executions
 * of dispatchers and front doors are in no list, and only a metric counts them.
 */
export async function readStoppedDeliveries(
  { aws, workflow }: WorkflowAccess,
  { since, until }: TimeRange,
): Promise<readonly StoppedDelivery[] | undefined> {
  const starts = aws.localEndpoint === undefined ? undefined : await readStarts(aws.localEndpoint);
  const prefix = `${workflow.stateMachineArn.replace(':stateMachine:', ':execution:')}:`;
  const own = starts?.filter(
    ({ namedExecutionArn, startDate }) =>
      namedExecutionArn.startsWith(prefix) && startDate >= since && startDate <= until,
  );
  return own && [...grouped(own, ({ executionArn }) => executionArn).values()].flatMap(stoppedAmong);
}

/** Those of a key, by its text. */
export function stoppedOfKey(all: readonly StoppedDelivery[], text: string): readonly StoppedDelivery[] {
  const names = [executionName(text, 'readable'), executionName(text, 'hash')];
  return all.filter(({ name }) => names.includes(name));
}

async function readStarts(endpoint: string): Promise<readonly RepeatedStart[] | undefined> {
  const answer = await callLocalStack(endpoint, 'ListRepeatedStarts');
  if (answer.kind !== 'answer') return undefined;
  return (answer.content as { readonly repeatedStarts?: readonly RepeatedStart[] }).repeatedStarts;
}

/** Of the starts of one execution those that came to nothing: the key was started again under no other name. */
function stoppedAmong(starts: readonly RepeatedStart[]): readonly StoppedDelivery[] {
  const named = starts.map(({ namedExecutionArn }) => executionNameIn(namedExecutionArn));
  const all = [...named, ...(starts[0]?.newExecutionArns ?? []).map(executionNameIn)];
  return starts.flatMap((start, index) => {
    const name = named[index] ?? '';
    const isStartedAgain = all.some(
      other => other !== name && (isNameOf(name, other) || isNameOf(other, name)),
    );
    const answer = isStartedAgain ? undefined : answerOf(start);
    const { startDate: at, executionArn } = start;
    return answer === undefined ? [] : [{ at, executionArn, name, answer }];
  });
}

/** The answers of the front door that say why nothing was started. */
const HTTP_ANSWERS: Readonly<Record<number, string>> = {
  200: 'HTTP 200: the result of the request that was at work',
  202: 'HTTP 202: the first request is at work',
  409: 'HTTP 409: the first request is at work',
  422: 'HTTP 422: the key was used with another payload',
  500: 'HTTP 500: the stored failure, or the key is held',
};
/** It says: send again. */
const HTTP_NOT_STARTED = 503;

function answerOf({ status, output }: RepeatedStart): string | undefined {
  if (status !== 'SUCCEEDED') return undefined;
  const given = (output ?? {}) as {
    readonly status?: unknown;
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly duplicateOf?: unknown;
    readonly executionArn?: unknown;
  };
  if (typeof given.status === 'number') {
    if (given.status === HTTP_NOT_STARTED) return undefined;
    if (given.headers?.['Idempotent-Replayed'] !== undefined)
      return `HTTP ${given.status}, replayed: the key was finished`;
    return HTTP_ANSWERS[given.status] ?? `HTTP ${given.status}`;
  }
  if (given.duplicateOf !== undefined) return 'the key was completed';
  if (given.executionArn !== undefined) return 'an execution of the key was running';
  return 'the key was running or completed';
}
