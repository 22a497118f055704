import { Agent } from 'node:http';
import { EXIT } from '../../cli/program/exit';
import type { Progress } from '../../cli/program/progress';
import { seededIds } from '../../packages/local/runtime/ids';
import { openHealth } from './health';
import { type FuzzReport, newReport } from './report';
import type { Random } from './requests/json';
import type { Known } from './requests/known';
import { nextRequest } from './requests/request';
import { type Outcome, send } from './send';
import type { StackProcess } from './stack';

/** What a run is made of. */
export interface Run {
  readonly requests: number;
  readonly seed: number;
  readonly concurrency: number;
  /** Whether what `start` starts has the state of the process before it: it is then started once more in the end. */
  readonly state: boolean;
  /** How often it is killed or ended on the way, and started again. */
  readonly restarts: number;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Requests between two checks that other executions go on. */
const CHECK_EVERY = 500;
/** Complaints that a report holds. */
const WRONG_MAX = 20;

/**
 * Requests that can time out without a fault: they wait for something, run a user's code, or evaluate expressions that
 * take a second each, one after another.
 */
const MAY_TAKE_LONG =
  /^(?:states (?:StartSyncExecution|GetActivityTask|RedriveExecution)|lambda Invoke|sqs ReceiveMessage|api .*)$/;

/** When the fuzzer stops waiting for such a request, in milliseconds. */
const LONG_MS_MAX = 5_000;
/** When any other request has timed out, which is a fault, in milliseconds. */
const ANSWER_MS_MAX = 30_000;

/**
 * Sends random requests to a stack, and watches what becomes of it and of executions that none of them is about.
 *
 * @throws Error where the stack does not start
 */
export async function fuzz(start: () => Promise<StackProcess>, run: Run): Promise<FuzzReport> {
  const report = newReport();
  const { random } = seededIds(`fuzz ${run.seed}`);
  const discovered: Discovered = { executions: [], receiptHandles: [], taskTokens: [], ended: [] };
  const parts = run.restarts + 1;
  for (let part = 1; part <= parts && !run.signal.aborted; part += 1) {
    const until = Math.floor((run.requests * part) / parts);
    // A crash and an end in turn; the last part ends, so that how it ends is seen.
    const isKilled = part < parts && part % 2 === 1;
    await runOnStack(start, { ...run, requests: until }, { report, random, discovered, isKilled });
  }
  // Files that a stack left behind must not keep another stack from starting.
  if (run.state && !run.signal.aborted) {
    await runOnStack(start, run, { report, random, discovered, isKilled: false });
  }
  return report;
}

/** The settings that all processes of a run share. */
interface Phase {
  readonly report: FuzzReport;
  readonly random: Random;
  readonly discovered: Discovered;
  /** Whether the process is killed in the end. */
  readonly isKilled: boolean;
}

/** Identifiers found in answers, which later requests use. Executions that were seen to end are `ended`. */
interface Discovered {
  readonly executions: string[];
  readonly receiptHandles: string[];
  readonly taskTokens: string[];
  readonly ended: string[];
}

async function runOnStack(start: () => Promise<StackProcess>, run: Run, phase: Phase): Promise<void> {
  const stack = await start();
  try {
    await runWithHealthChecks(stack, run, phase);
  } finally {
    await stack.kill();
  }
}

async function runWithHealthChecks(stack: StackProcess, run: Run, phase: Phase): Promise<void> {
  const { report, discovered } = phase;
  const { endpoint, region } = stack.summary;
  const wrong = (what: string) => {
    if (report.wrong.length < WRONG_MAX) report.wrong.push(what);
    report.wrongCount += 1;
  };
  const health = await openHealth(endpoint, region, discovered.ended);
  const lost = await health.checkEnded();
  if (lost !== undefined) wrong(lost);
  const check = async () => {
    const result = await health.check();
    report.checks += 1;
    if (typeof result === 'string') wrong(result);
    else report.slowestCheckMs = Math.max(report.slowestCheckMs, Math.round(result));
  };
  await check();
  await sendAll(stack, run, phase, { check, wrong });
  if (stack.exitCode() !== undefined || run.signal.aborted) {
    if (!run.signal.aborted) wrong(`the stack has ended with ${stack.exitCode()}: ${stack.complaints()}`);
  } else await check();
  health.close();
  report.residentMegabytes = Math.max(report.residentMegabytes, Math.round(stack.residentBytes() / 2 ** 20));
  if (phase.isKilled) return;
  const how = stack.exitCode() === undefined ? await stack.end() : EXIT.done;
  if (how !== EXIT.done && !run.signal.aborted) wrong(`the stack ended with ${how}: ${stack.complaints()}`);
}

async function sendAll(
  stack: StackProcess,
  run: Run,
  { report, random, discovered }: Phase,
  { check, wrong }: { readonly check: () => Promise<void>; readonly wrong: (what: string) => void },
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: run.concurrency });
  const url = new URL(stack.summary.endpoint);
  const began = performance.now();
  const worker = async () => {
    while (report.requests < run.requests && !run.signal.aborted && stack.exitCode() === undefined) {
      report.requests += 1;
      const number = report.requests;
      const request = nextRequest(random, knownOf(stack, discovered));
      const target = request.api === undefined ? url : new URL(request.api);
      const outcome = await send(target, agent, request, isLong(request.title) ? LONG_MS_MAX : ANSWER_MS_MAX);
      count(report, outcome, request.title);
      const problem = problemOf(outcome, request.title);
      if (problem !== undefined) wrong(`request ${number} (${request.title}): ${problem}`);
      remember(discovered, outcome);
      if (number % CHECK_EVERY === 0) await check();
      run.progress.show('requests', number, run.requests);
    }
  };
  await Promise.all(Array.from({ length: run.concurrency }, worker));
  agent.destroy();
  report.seconds = Math.round(report.seconds * 10 + (performance.now() - began) / 100) / 10;
}

function isLong(title: string): boolean {
  return MAY_TAKE_LONG.test(title);
}

function knownOf({ summary }: StackProcess, discovered: Discovered): Known {
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
    executions: orElse(discovered.executions, `arn:aws:states:${region}:${account}:execution:none:none`),
    queues: [queue('fuzz-1'), queue('fuzz-2'), queue('none')],
    receiptHandles: orElse(discovered.receiptHandles, 'handle'),
    taskTokens: orElse(discovered.taskTokens, 'token'),
    restApis: summary.restApis.map(({ url }) => url),
  };
}

function orElse(values: readonly string[], otherwise: string): readonly string[] {
  return values.length > 0 ? values : [otherwise];
}

/** The remembered resources of a kind, to be stopped, redriven, deleted and described. */
const REMEMBERED_MAX = 200;

function remember(discovered: Discovered, outcome: Outcome): void {
  if (outcome.kind !== 'answered' || outcome.status !== 200) return;
  const { body } = outcome;
  const arn = /"executionArn":"([^"]+)"/.exec(body)?.[1];
  // The executions that no request is about are not theirs to stop.
  if (arn?.includes(':health:') === false) add(discovered.executions, arn);
  add(discovered.receiptHandles, /"ReceiptHandle":"([^"]+)"/.exec(body)?.[1]);
  add(discovered.taskTokens, /\\"TaskToken\\":\\"([^"\\]+)/.exec(body)?.[1]);
}

function add(values: string[], value: string | undefined): void {
  if (value === undefined) return;
  values.push(value);
  if (values.length > REMEMBERED_MAX) values.shift();
}

function count(report: FuzzReport, outcome: Outcome, title: string): void {
  if (outcome.kind === 'timedOut') report.timedOut += 1;
  else if (outcome.kind === 'broken') report.broken += 1;
  else {
    report.answered[outcome.status] = (report.answered[outcome.status] ?? 0) + 1;
    if (outcome.status === 200) report.accepted[title] = (report.accepted[title] ?? 0) + 1;
  }
}

function problemOf(outcome: Outcome, title: string): string | undefined {
  if (outcome.kind === 'timedOut') return isLong(title) ? undefined : 'no answer in thirty seconds';
  if (outcome.kind === 'broken') return outcome.reason.startsWith('not sent') ? undefined : outcome.reason;
  // How S3 answers whatever is signed for it and not built; an answer to HEAD has no body.
  const isNotBuilt = outcome.body.includes('<Code>NotImplemented<') || title.startsWith('s3 HEAD');
  if (outcome.status === 501 && isNotBuilt) return undefined;
  return outcome.status >= 500 ? `${outcome.status} ${outcome.body.slice(0, 300)}` : undefined;
}
