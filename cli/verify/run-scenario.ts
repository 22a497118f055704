import { sentenceFor } from '../aws/failures';
import { costOf } from '../key/list/cost';
import { Rejection } from '../program/rejection';
import { type Difference, differences, peculiarTo } from './compare';
import { isUnsupported } from './deployment';
import type { Environment } from './environment';
import type { ScenarioResult } from './evidence';
import { latencyOf } from './figures';
import { ScenarioAborted, ScenarioRun, type Transcript } from './scenario-run';
import type { Scenario } from './scenarios';

/** The result of a scenario, and what it recorded in the remote environment. */
export interface Outcome {
  readonly result: ScenarioResult;
  readonly transcript: Transcript | undefined;
}

/** Runs a scenario in the remote environment and in the local runtime, and compares them event by event. */
export async function runScenario(
  scenario: Scenario,
  {
    remote,
    local,
    runId,
  }: { readonly remote: Environment; readonly local: Environment; readonly runId: string },
): Promise<Outcome> {
  const { name, about } = scenario;
  const nothing = { name, about, differences: [], executions: 0, transitions: 0 };
  const remoteRun = new ScenarioRun(remote, runId);
  let transcript: Transcript;
  try {
    await scenario.play(remoteRun);
    transcript = await remoteRun.transcript();
  } catch (error) {
    remote.aws.signal?.throwIfAborted();
    return { result: { ...nothing, verdict: 'not run', detail: reasonIn(error) }, transcript: undefined };
  }
  // A failure here is an internal error.
  const localRun = new ScenarioRun(local, runId);
  await scenario.play(localRun);
  const found: readonly Difference[] = differences(
    [transcript, peculiarTo(remote, runId)],
    [await localRun.transcript(), peculiarTo(local, runId)],
  );
  const executions = Object.values(transcript.executions);
  const { latencies } = remoteRun;
  const latency = latencies.length > 1 ? latencyOf(latencies) : undefined;
  const histories = [...executions.map(({ events }) => events), ...(await remoteRun.samples())];
  const result: ScenarioResult = {
    ...nothing,
    verdict: found.length === 0 ? 'same' : 'differs',
    detail: found.length === 0 ? '' : 'not as in the local runtime',
    differences: found,
    executions: executions.length,
    transitions: histories.reduce((sum, events) => sum + costOf(events, '').transitions, 0),
    ...(latency && { latency }),
  };
  return { result, transcript };
}

function reasonIn(error: unknown): string {
  if (error instanceof ScenarioAborted || error instanceof Rejection) return error.message;
  const { name = 'Error', message = String(error) } = error as Partial<Error>;
  if (isUnsupported(error)) return `this endpoint does not support it: ${message}`;
  return `${sentenceFor(error, name, 'the stack')}: ${message}`;
}
