import { isoTime } from '../../../packages/local/asl/timestamp';
import { isJsonObject, type JsonObject } from '../../../packages/local/json/json';
import { redriveProblem } from '../../../packages/local/runtime/redrivability';
import type { JobResult } from '../../../packages/local/runtime/service';
import { NAME_TAKEN_MS } from '../../../packages/local/runtime/start-execution';
import type { Call, Earlier, LocalState } from './local-state';
import { type Universe, type World, withExecution } from './world';

/** A world after a request to Step Functions, and its answer. */
export interface Served {
  readonly world: World;
  readonly result: JobResult;
}

/** Milliseconds for which DescribeExecution may not know of a change yet: what the definition allows for. */
const STALE_MS = 15 * 60 * 1000;

/** Milliseconds after its end for which an execution is kept: then nobody knows it any more. */
export const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** Milliseconds for which a client token stands for its redrive. */
const TOKEN_MS = 15 * 60 * 1000;

/**
 * The place of the last execution with this ARN: a name may be used again. Undefined where there is none, or where it
 * has ended so long ago that Step Functions has deleted it.
 */
export function placeOfArn(universe: Universe, world: World, arn: unknown): number | undefined {
  const place = world.executions.findLastIndex(state => {
    const { execution } = universe.workflow.get(state);
    return execution.arn === arn && (!execution.end || world.now < execution.end.at + KEPT_MS);
  });
  return place < 0 ? undefined : place;
}

/** DescribeExecution as it should be. */
export function describe(universe: Universe, world: World, call: Call): JobResult {
  const place = placeOfArn(universe, world, call.arguments['ExecutionArn']);
  const state = place === undefined ? undefined : universe.workflow.get(world.executions[place] ?? 0);
  if (!state) return unknownExecution();
  return description(state, state.execution, world.now);
}

/** What DescribeExecution may still say of an execution, by a word for it: how it was a while ago. */
export function staleDescriptions(universe: Universe, world: World, call: Call): [string, JobResult][] {
  const place = placeOfArn(universe, world, call.arguments['ExecutionArn']);
  const state = place === undefined ? undefined : universe.workflow.get(world.executions[place] ?? 0);
  if (!state) return [];
  const { redriveCount, startedAt, redrivenAt, end } = state.execution;
  const running: Earlier = { status: 'RUNNING', redriveCount, end: null };
  const isLate = (since: number | undefined | null) =>
    typeof since === 'number' && world.now < since + STALE_MS;
  const stale: [string, JobResult][] = [];
  if (isLate(end?.at)) stale.push(['running', description(state, running, world.now)]);
  if (state.before && isLate(redrivenAt)) stale.push(['before', description(state, state.before, world.now)]);
  if (redriveCount === 0 && isLate(startedAt)) stale.push(['unknown', unknownExecution()]);
  return stale;
}

function description({ execution }: LocalState, seen: Earlier, now: number): JobResult {
  const { status, redriveCount, end } = seen;
  const isRedrivable = redriveProblem({ ...execution, status, end }, now) === undefined;
  const output: JsonObject = {
    Status: status,
    ...(end && { StopDate: isoTime(end.at) }),
    ...(end?.error !== undefined && { Error: end.error }),
    ...(end?.output && { Output: end.output.text }),
    RedriveCount: redriveCount,
    RedriveStatus: isRedrivable ? 'REDRIVABLE' : 'NOT_REDRIVABLE',
  };
  return { kind: 'succeeded', output };
}

function unknownExecution(): JobResult {
  return { kind: 'failed', error: 'Sfn.ExecutionDoesNotExistException', cause: '' };
}

/** RedriveExecution: the same client token within a quarter of an hour is the same redrive. */
export function redrive(universe: Universe, world: World, call: Call): Served {
  const { ExecutionArn, ClientToken } = call.arguments;
  const place = placeOfArn(universe, world, ExecutionArn);
  if (place === undefined) return { world, result: unknownExecution() };
  const number = world.executions[place] ?? 0;
  const { execution } = universe.workflow.get(number);
  const token = typeof ClientToken === 'string' ? ClientToken : undefined;
  const isKnown = execution.redrives.some(
    ({ at, clientToken }) => token !== undefined && clientToken === token && at > world.now - TOKEN_MS,
  );
  const done: JobResult = { kind: 'succeeded', output: { RedriveDate: isoTime(world.now) } };
  if (isKnown) return { world, result: done };
  if (redriveProblem(execution, world.now) !== undefined) {
    return { world, result: { kind: 'failed', error: 'Sfn.ExecutionNotRedrivableException', cause: '' } };
  }
  const signal = { kind: 'redriven' as const, ...(token !== undefined && { clientToken: token }) };
  const after = universe.workflow.signalled(number, signal, world.now);
  return { world: withExecution(world, place, after), result: done };
}

/** StartExecution by name: a running execution of this name and input is this very start. */
export function start(universe: Universe, world: World, call: Call): Served {
  const { Name, Input } = call.arguments;
  const name = typeof Name === 'string' ? Name : `unnamed-${world.executions.length}`;
  const input = isJsonObject(Input) ? Input : {};
  const same = world.executions
    .map(state => universe.workflow.get(state).execution)
    .find(({ name: taken, end }) => taken === name && (!end || end.at + NAME_TAKEN_MS > world.now));
  if (same?.status === 'RUNNING' && same.input.text === JSON.stringify(input))
    return { world, result: STARTED };
  if (same)
    return {
      world,
      result: { kind: 'failed', error: 'StepFunctions.ExecutionAlreadyExistsException', cause: '' },
    };
  const state = universe.workflow.started({ name, input, now: world.now });
  return { world: { ...world, executions: [...world.executions, state] }, result: STARTED };
}

const STARTED: JobResult = { kind: 'succeeded', output: { ExecutionArn: 'started' } };
