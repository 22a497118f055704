import type { Runtime } from '../../packages/local/runtime/runtime';
import type { BatchCase, ExecutionCase, Run } from './cases/recorded-case';
import { resolveReferences, resolveText } from './cases/references';
import type { RecordedEvent } from './compare/history';
import { type ActualExecution, compareExecution, type ExecutionTerms } from './compare/recorded';
import { failedBecause, type Outcome, outcomeOf, skippedFor } from './outcome';
import { lackingIn, refusalOf } from './refusal';
import { machineArn } from './world/names';
import { settle } from './world/settle';
import { openWorld, type World } from './world/world';

/** Creates the machine of a case, runs one execution of it, and compares what comes out. */
export async function runExecution(recorded: ExecutionCase, signal: AbortSignal): Promise<Outcome> {
  return inWorld(recorded, signal, world => runOne(world, recorded, recorded));
}

/** The same for each run of a batch, until the first that fails. */
export async function runBatch(recorded: BatchCase, signal: AbortSignal): Promise<Outcome> {
  for (const [index, run] of recorded.runs.entries()) {
    const terms = { ...recorded, historyOrder: 'none' } as const;
    const outcome = await inWorld(recorded, signal, world =>
      runOne(world, run, { ...terms, expected: run.expected }),
    );
    if (outcome.kind === 'skipped') return outcome;
    if (outcome.kind === 'passed') continue;
    const { difference } = outcome;
    return outcomeOf({ ...difference, path: `/runs/${index}${difference.path}` });
  }
  return { kind: 'passed' };
}

async function inWorld(
  recorded: ExecutionCase | BatchCase,
  signal: AbortSignal,
  run: (world: World) => Promise<Outcome>,
): Promise<Outcome> {
  let world: World | undefined;
  try {
    world = await openWorld(recorded, signal);
    const outcome = await run(world);
    const [problem] = world.problems;
    return problem === undefined ? outcome : failedBecause(`internal error: ${problem}`);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    const lacking = lackingIn(refusal.message);
    // The recording has an execution, so the service took the request.
    return lacking === undefined
      ? failedBecause(`refused: ${refusal.name}: ${refusal.message}`)
      : skippedFor(lacking);
  } finally {
    await world?.close();
  }
}

async function runOne(world: World, run: Run, terms: ExecutionTerms): Promise<Outcome> {
  const { runtime, references } = world;
  const { stateMachineType: type, executionName: name } = run;
  const roleArn = references.get('RoleArn') ?? '';
  const stateMachineArn = machineArn('self');
  runtime.register(definitionOf(run, world), { arn: stateMachineArn, roleArn, ...(type && { type }) });
  const input = inputOf(run, world);
  const request = {
    stateMachineArn,
    ...(input !== undefined && { input }),
    ...(name !== undefined && { name }),
  };
  const actual = type === 'EXPRESS' ? await runExpress(world, request) : await runStandard(world, request);
  return outcomeOf(compareExecution(terms, actual, references));
}

type Request = Parameters<Runtime['startExecution']>[0];

async function runStandard(world: World, request: Request): Promise<ActualExecution> {
  const { runtime } = world;
  const { executionArn } = await runtime.startExecution(request);
  await settle(world);
  const describeExecution = await runtime.describeExecution({ executionArn });
  return {
    ...endOf(describeExecution),
    history: await historyOf(world, executionArn),
    other: { describeExecution, eventBridgeEvents: deliveredEvents(world) },
  };
}

/** Nothing is told of an Express execution but its answer. */
async function runExpress(world: World, request: Request): Promise<ActualExecution> {
  const answer = world.runtime.startSyncExecution(request);
  // A refusal is dealt with below; until then it is nobody's.
  answer.catch(() => undefined);
  await settle(world);
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

function definitionOf({ definition, definitionText }: Run, { references }: World): string {
  return definitionText === undefined
    ? JSON.stringify(resolveReferences(definition, references))
    : resolveText(definitionText, references);
}

function inputOf({ input, inputText, inputOmitted }: Run, { references }: World): string | undefined {
  if (inputOmitted) return undefined;
  return inputText === undefined
    ? JSON.stringify(resolveReferences(input, references))
    : resolveText(inputText, references);
}

/** AWS quota: events in a history. */
const EVENTS_MAX = 25_000;

async function historyOf({ runtime }: World, executionArn: string): Promise<RecordedEvent[]> {
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

/** What the rules of the case have put into its queues. */
function deliveredEvents({ queues }: World): unknown[] {
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
