import { readTextFile } from '../assembly/text-file';
import { type LocalStack, runToEnd, startLocal, VirtualClock } from '../index';
import { duplicateMemberIn } from '../json/duplicate-member';
import { parseJson } from '../json/syntax';
import { isNameOf } from '../mocks/mocks';
import type { MockTable } from '../mocks/read-mocks';
import type { ApiHistoryEvent } from '../runtime/executions/execution-history';
import { type Asked, UsageError } from './arguments';
import { givenMocks } from './given-mocks';
import { machineOf } from './machine';

/** How an execution went. */
interface Ended {
  readonly status: string;
  readonly output?: string | undefined;
  readonly error?: string | undefined;
  readonly cause?: string | undefined;
  readonly events: readonly ApiHistoryEvent[];
}

/** Runs one execution and prints its history; the exit code. @throws UsageError, LocalError, StatesError */
export async function run(asked: Asked, print: (text: string) => void): Promise<number> {
  const input = readInput(asked.input);
  const clock = new VirtualClock(Date.now());
  const stack = await startLocal({
    ...asked.options,
    assembly: asked.sources,
    clock,
    log: (name, text) => process.stderr.write(`${name}: ${text}\n`),
  });
  try {
    const { stateMachines } = stack.assembly;
    const machine = machineOf({ stateMachines, notRun: stack.notRun }, asked.machine);
    const mocks = givenMocks(asked, stack);
    if (mocks && asked.testCase === undefined) requireAnswers(mocks, machine);
    const suffix = asked.testCase === undefined ? '' : `#${asked.testCase}`;
    const ended = await execute(stack, clock, { stateMachineArn: machine.arn + suffix, input });
    if (asked.isJson) print(`${JSON.stringify(ended)}\n`);
    else print(render(ended));
    return ended.status === 'SUCCEEDED' ? 0 : 1;
  } finally {
    await stack.close();
  }
}

/** The text of the input. @throws UsageError */
export function readInput(file: string | undefined): string {
  if (file === undefined) return '{}';
  const isJson = /^\s*[{[]/.test(file);
  const read = isJson ? { text: file } : readTextFile(file === '-' ? 0 : file);
  if ('fault' in read) throw new UsageError(`--input ${file} ${read.fault}`);
  const twice = parseJson(read.text).kind === 'json' ? duplicateMemberIn(read.text) : undefined;
  if (twice !== undefined) throw new UsageError(`--input ${file} has the member ${twice} twice`);
  return read.text;
}

/** Rejects mocks that only have test cases, of which none was named. @throws UsageError */
function requireAnswers({ answers, testCases }: MockTable, { name }: { readonly name: string }): void {
  if (answers.size > 0 || testCases.size === 0) return;
  const known = [...testCases.keys()].map(key => {
    const end = key.lastIndexOf('#');
    return { machine: key.slice(0, end), testCase: key.slice(end + 1) };
  });
  const own = known.filter(({ machine }) => isNameOf(machine, name)).map(({ testCase }) => testCase);
  if (own.length > 0)
    throw new UsageError(`the mocks only have test cases; pass --case with one of ${own.join(', ')}`);
  const machines = [...new Set(known.map(({ machine }) => machine))].join(', ');
  throw new UsageError(
    `the mocks have no test case of ${name}, only those of ${machines}; name one as the other`,
  );
}

async function execute(
  stack: LocalStack,
  clock: VirtualClock,
  request: { readonly stateMachineArn: string; readonly input: string },
): Promise<Ended> {
  const { runtime } = stack;
  const { executionArn } = await runtime.startExecution(request);
  const driven = await runToEnd(runtime, clock);
  const waits = driven.kind === 'waiting' && driven.executionArns.includes(executionArn);
  if (executionArn.includes(':express:')) return endOfExpress(stack, executionArn);
  const { events } = await runtime.getExecutionHistory({ executionArn, maxResults: 1_000 });
  if (waits) {
    const state =
      events.findLast(event => event.stateEnteredEventDetails)?.stateEnteredEventDetails?.name ?? '';
    const cause = `The state '${state}' waits for an answer that does not come; add one to the mocks: "${state}": {"Return": {}}`;
    return { status: 'RUNNING', cause, events };
  }
  const { status, output, error, cause } = await runtime.describeExecution({ executionArn });
  return { status, output, error, cause, events };
}

/** An Express execution has no history on AWS: its events are what its state machine logs. */
function endOfExpress({ runtime, logs }: LocalStack, executionArn: string): Ended {
  const { status = 'RUNNING', output, error, cause } = runtime.expressOutcomes.find(executionArn) ?? {};
  return { status, output, error, cause, events: logs.history(executionArn) as readonly ApiHistoryEvent[] };
}

function render({ status, output, error, cause, events }: Ended): string {
  const [first] = events;
  const lines = events.map(event => {
    const seconds = ((event.timestamp - (first?.timestamp ?? 0)) / 1000).toFixed(3);
    return `${String(event.id).padStart(4)}  ${seconds.padStart(10)} s  ${event.type}${detailsOf(event)}`;
  });
  const failure = [error, cause].filter(text => text !== undefined && text !== '').join(': ');
  return [
    ...lines,
    `${status}${failure === '' ? '' : `  ${failure}`}`,
    ...(output === undefined ? [] : [output]),
    '',
  ].join('\n');
}

/** So much of an input or an output stands in a line. */
const CHARACTERS_MAX = 160;

function detailsOf(event: ApiHistoryEvent): string {
  const [, details] = Object.entries(event).find(([name]) => name.endsWith('EventDetails')) ?? [];
  if (details === undefined || typeof details !== 'object') return '';
  const { name, resource, input, output, parameters, error, cause } = details as Readonly<
    Record<string, unknown>
  >;
  const texts = [name, resource, input ?? output ?? parameters, error, cause].filter(
    text => typeof text === 'string',
  );
  const line = texts.join('  ').replace(/\s+/g, ' ').slice(0, CHARACTERS_MAX);
  return line === '' ? '' : `  ${line}`;
}
