import type { LoggingConfiguration } from '../../packages/local/runtime/catalogue/registered-machine';
import type { Runtime } from '../../packages/local/runtime/runtime';
import type { BatchCase, ExecutionCase, RecordedEvent, Run } from './cases/recorded-case';
import { resolveReferences, resolveText } from './cases/references';
import { withRecordedIds, withRecordedTrace } from './cases/shown-elsewhere';
import { type ActualExecution, compareExecution, type ExecutionTerms } from './compare/recorded';
import { machineArn } from './environment/names';
import { runUntilIdle } from './environment/run-until-idle';
import { openTestEnvironment, type TestEnvironment } from './environment/test-environment';
import { failedBecause, type Outcome, outcomeOf, skippedFor } from './outcome';
import { lackingIn, rejectionOf } from './rejection';

/** Creates the machine of a case, runs one execution of it, and compares what comes out. */
export async function runExecution(recorded: ExecutionCase, signal: AbortSignal): Promise<Outcome> {
  const lambdas = Object.entries(recorded.lambdas).map(([id, lambda]) => [
    id,
    withRecordedTrace(lambda, recorded.expected),
  ]);
  const complete = { ...recorded, lambdas: Object.fromEntries(lambdas) };
  return inTestEnvironment(complete, signal, environment => runOne(environment, complete, complete));
}

/** The same for each run of a batch, until the first that fails. */
export async function runBatch(recorded: BatchCase, signal: AbortSignal): Promise<Outcome> {
  for (const [index, run] of recorded.runs.entries()) {
    const terms = { ...recorded, historyOrder: 'none' } as const;
    const outcome = await inTestEnvironment(recorded, signal, environment =>
      runOne(environment, run, { ...terms, expected: run.expected }),
    );
    if (outcome.kind === 'skipped') return outcome;
    if (outcome.kind === 'passed') continue;
    const { difference } = outcome;
    return outcomeOf({ ...difference, path: `/runs/${index}${difference.path}` });
  }
  return { kind: 'passed' };
}

async function inTestEnvironment(
  recorded: ExecutionCase | BatchCase,
  signal: AbortSignal,
  run: (environment: TestEnvironment) => Promise<Outcome>,
): Promise<Outcome> {
  let environment: TestEnvironment | undefined;
  try {
    environment = await openTestEnvironment(recorded, signal);
    const outcome = await run(environment);
    const [problem] = environment.problems;
    return problem === undefined ? outcome : failedBecause(`internal error: ${problem}`);
  } catch (error) {
    const rejection = rejectionOf(error);
    if (rejection === undefined) throw error;
    const lacking = lackingIn(rejection.message);
    // The recording has an execution, so the service took the request.
    return lacking === undefined
      ? failedBecause(`rejected: ${rejection.name}: ${rejection.message}`)
      : skippedFor(lacking);
  } finally {
    await environment?.close();
  }
}

async function runOne(environment: TestEnvironment, run: Run, terms: ExecutionTerms): Promise<Outcome> {
  const { runtime, references } = environment;
  const { stateMachineType: type, executionName: name } = run;
  const roleArn = references.get('RoleArn') ?? '';
  const stateMachineArn = machineArn('self');
  const logging = run.loggingConfiguration && {
    loggingConfiguration: resolveReferences(run.loggingConfiguration, references) as LoggingConfiguration,
  };
  const identity = { arn: stateMachineArn, roleArn, ...(type && { type }), ...logging };
  runtime.register(definitionOf(run, environment), identity);
  const input = inputOf(run, environment);
  const request = {
    stateMachineArn,
    ...(input !== undefined && { input }),
    ...(name !== undefined && { name }),
  };
  const isLogged = run.expected.endLogEvent !== undefined;
  const runIt = type !== 'EXPRESS' ? runStandard : isLogged ? runAsyncExpress : runExpress;
  const actual = await runIt(environment, request);
  return outcomeOf(compareExecution(terms, actual, references));
}

type Request = Parameters<Runtime['startExecution']>[0];

async function runStandard(environment: TestEnvironment, request: Request): Promise<ActualExecution> {
  const { runtime } = environment;
  const { executionArn } = await runtime.startExecution(request);
  await runUntilIdle(environment);
  const describeExecution = await runtime.describeExecution({ executionArn });
  return {
    ...endOf(describeExecution),
    history: await historyOf(environment, executionArn),
    other: {
      describeExecution,
      eventBridgeEvents: deliveredEvents(environment),
      loggedEvents: loggedEvents(environment),
    },
  };
}

/** An Express execution without a caller that waits leaves nothing but its log. */
async function runAsyncExpress(environment: TestEnvironment, request: Request): Promise<ActualExecution> {
  const { executionArn } = await environment.runtime.startExecution(request);
  await runUntilIdle(environment);
  const endLogEvent = loggedEvents(environment).at(-1);
  const outcome = environment.runtime.expressOutcomes.find(executionArn);
  return { ...endOf(outcome ?? {}), other: { endLogEvent } };
}

/** Of an Express execution there is nothing but its answer. */
async function runExpress(environment: TestEnvironment, request: Request): Promise<ActualExecution> {
  const answer = environment.runtime.startSyncExecution(request);
  // The code below handles a rejection; until then the rejection has no handler.
  answer.catch(() => undefined);
  await runUntilIdle(environment);
  const startSyncExecutionResponse = await answer;
  return { ...endOf(startSyncExecutionResponse), other: { startSyncExecutionResponse } };
}

function endOf({ status, output, error, cause }: ActualExecution): ActualExecution {
  return {
    ...(status !== undefined && { status }),
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error }),
    ...(cause !== undefined && { cause }),
  };
}

function definitionOf({ definition, definitionText }: Run, { references }: TestEnvironment): string {
  return definitionText === undefined
    ? JSON.stringify(resolveReferences(definition, references))
    : resolveText(definitionText, references);
}

function inputOf(
  { input, inputText, inputOmitted, expected }: Run,
  { references }: TestEnvironment,
): string | undefined {
  if (inputOmitted) return undefined;
  const text =
    inputText === undefined
      ? JSON.stringify(resolveReferences(input, references))
      : resolveText(inputText, references);
  return withRecordedIds(text, expected);
}

/** AWS quota: events in a history. */
const EVENTS_MAX = 25_000;

async function historyOf({ runtime }: TestEnvironment, executionArn: string): Promise<RecordedEvent[]> {
  const history: RecordedEvent[] = [];
  let nextToken: string | undefined;
  do {
    const more = nextToken === undefined ? {} : { nextToken };
    const page = await runtime.getExecutionHistory({ executionArn, maxResults: 1000, ...more });
    history.push(...page.events);
    nextToken = page.nextToken;
  } while (nextToken !== undefined && history.length < EVENTS_MAX);
  return history;
}

/** What the machines of the case have logged, first event first. */
function loggedEvents({ executionLog, logGroups }: TestEnvironment): unknown[] {
  return logGroups.flatMap(arn => executionLog.events(arn)).map(({ message }) => parsed(message));
}

/** What the rules of the case have put into its queues. */
function deliveredEvents({ queues }: TestEnvironment): unknown[] {
  return queues
    .list()
    .flatMap(({ name }) => queues.receive(name, { max: 10 })?.map(({ body }) => parsed(body)) ?? []);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
