import { Agent } from 'node:http';
import type { Progress } from '../../cli/program/progress';
import { seededIds } from '../../packages/local/runtime/ids';
import { openHealth } from './health';
import type { FuzzReport } from './report';
import type { Known } from './requests/operations';
import { nextRequest } from './requests/request';
import { type Outcome, send } from './send';
import type { StackProcess } from './stack';

/** What a run is made of. */
export interface Run {
  readonly requests: number;
  readonly seed: number;
  readonly concurrency: number;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Requests between two checks that other executions go on. */
const CHECK_EVERY = 500;
/** Complaints that a report holds. */
const WRONG_MAX = 20;

/**
 * What may well take longer than anybody waits: it waits for something, runs somebody's code, or evaluates expressions
 * that take a second each, one behind another.
 */
const MAY_TAKE_LONG =
  /^(?:states (?:StartSyncExecution|GetActivityTask|RedriveExecution)|lambda Invoke|sqs ReceiveMessage)$/;

/** Sends random requests to a stack, and watches what becomes of it and of executions that none of them is about. */
export async function fuzz(stack: StackProcess, run: Run): Promise<FuzzReport> {
  const { endpoint, region } = stack.summary;
  const random = seededIds(`fuzz ${run.seed}`).random;
  const health = await openHealth(endpoint, region);
  const agent = new Agent({ keepAlive: true, maxSockets: run.concurrency });
  const report = newReport();
  const executions: string[] = [];
  const wrong = (what: string) => {
    if (report.wrong.length < WRONG_MAX) report.wrong.push(what);
    report.wrongCount += 1;
  };
  const check = async () => {
    const result = await health.check();
    report.checks += 1;
    if (typeof result === 'string') wrong(result);
    else report.slowestCheckMs = Math.max(report.slowestCheckMs, Math.round(result));
  };
  await check();

  const url = new URL(endpoint);
  const began = performance.now();
  const worker = async () => {
    while (report.requests < run.requests && !run.signal.aborted && stack.exitCode() === undefined) {
      report.requests += 1;
      const number = report.requests;
      const request = nextRequest(random, knownOf(stack, executions));
      const outcome = await send(url, agent, request);
      count(report, outcome, request.title);
      const problem = problemOf(outcome, request.title);
      if (problem !== undefined) wrong(`request ${number} (${request.title}): ${problem}`);
      remember(executions, outcome);
      if (number % CHECK_EVERY === 0) await check();
      run.progress.show('requests', number, run.requests);
    }
  };
  await Promise.all(Array.from({ length: run.concurrency }, worker));
  report.seconds = Math.round((performance.now() - began) / 100) / 10;
  if (stack.exitCode() === undefined) await check();
  else wrong(`the stack has ended with ${stack.exitCode()}: ${stack.complaints()}`);
  report.residentMegabytes = Math.round(stack.residentBytes() / 2 ** 20);
  agent.destroy();
  health.close();
  return report;
}

function newReport(): FuzzReport {
  return {
    requests: 0,
    seconds: 0,
    answered: {},
    accepted: {},
    givenUp: 0,
    broken: 0,
    checks: 0,
    slowestCheckMs: 0,
    residentMegabytes: 0,
    wrong: [],
    wrongCount: 0,
  };
}

function knownOf({ summary }: StackProcess, executions: readonly string[]): Known {
  const { region, account } = summary;
  const queue = (name: string) => `${summary.endpoint}/${account}/${name}`;
  return {
    environment: { region, account },
    tables: [...summary.tables, 'fuzz-1', 'fuzz-2', 'fuzz-3'],
    functions: summary.functions,
    stateMachines: [
      ...summary.stateMachines.map(({ arn }) => arn),
      ...[1, 2, 3, 4, 5].map(number => `arn:aws:states:${region}:${account}:stateMachine:fuzz-${number}`),
    ],
    executions:
      executions.length > 0 ? executions : [`arn:aws:states:${region}:${account}:execution:none:none`],
    queues: [queue('fuzz-1'), queue('fuzz-2'), queue('none')],
  };
}

/** Executions that are remembered, to be stopped, redriven and asked about. */
const REMEMBERED_MAX = 200;

function remember(executions: string[], outcome: Outcome): void {
  if (outcome.kind !== 'answered' || outcome.status !== 200) return;
  const arn = /"executionArn":"([^"]+)"/.exec(outcome.body)?.[1];
  if (arn === undefined || arn.includes(':health:')) return;
  executions.push(arn);
  if (executions.length > REMEMBERED_MAX) executions.shift();
}

function count(report: FuzzReport, outcome: Outcome, title: string): void {
  if (outcome.kind === 'givenUp') report.givenUp += 1;
  else if (outcome.kind === 'broken') report.broken += 1;
  else {
    report.answered[outcome.status] = (report.answered[outcome.status] ?? 0) + 1;
    if (outcome.status === 200) report.accepted[title] = (report.accepted[title] ?? 0) + 1;
  }
}

function problemOf(outcome: Outcome, title: string): string | undefined {
  if (outcome.kind === 'givenUp') return MAY_TAKE_LONG.test(title) ? undefined : 'no answer in five seconds';
  if (outcome.kind === 'broken') return outcome.reason.startsWith('not sent') ? undefined : outcome.reason;
  return outcome.status >= 500 ? `${outcome.status} ${outcome.body.slice(0, 300)}` : undefined;
}
