import type { Json, JsonObject } from '../../json/json';
import type { Service, ServiceCall, ServiceResult, ServiceTable } from '../../runtime/calls/service';
import { seededIds } from '../../runtime/ids';
import { Runtime } from '../../runtime/runtime';
import type { RuntimeOptions } from '../../runtime/runtime-options';
import { VirtualClock } from '../../runtime/time/virtual-clock';
import { WorkTracker } from '../../runtime/time/work-tracker';

/** When every world begins: 2026-01-01T00:00:00Z. */
export const START = Date.UTC(2026, 0, 1);

/** A service made of one function; `aborted` says whether the answer is still waited for. */
export function service(
  answer: (call: ServiceCall, aborted: AbortSignal) => ServiceResult | Promise<ServiceResult>,
): Service {
  return { call: async (call, abort) => answer(call, abort) };
}

/** `test:echo` answers with its arguments, `test:fail` fails. */
export const SERVICES: ServiceTable = new Map([
  ['test:echo', service(call => ({ kind: 'succeeded', output: call.arguments }))],
  ['test:fail', service(() => ({ kind: 'failed', error: 'E', cause: 'c' }))],
]);

/** A runtime on a virtual clock with a seed, and what was reported to it. */
export function worldOf(options: Partial<RuntimeOptions> = {}) {
  const clock = new VirtualClock(START);
  const work = new WorkTracker();
  const problems: string[] = [];
  const runtime = new Runtime({
    clock,
    work,
    services: SERVICES,
    ids: seededIds('seed'),
    report: problem => problems.push(problem.message),
    ...options,
  });
  return { runtime, clock, work, problems };
}

/** The text of a JSONata machine that starts at its first state. */
export function textOf(states: { readonly [name: string]: Json }, more: JsonObject = {}): string {
  return JSON.stringify({
    QueryLanguage: 'JSONata',
    StartAt: Object.keys(states)[0],
    States: states,
    ...more,
  });
}

/** A state that calls a service of the world and ends. */
export function taskOf(resource: string, more: JsonObject = {}): JsonObject {
  return { Type: 'Task', Resource: `arn:aws:states:::${resource}`, Arguments: {}, End: true, ...more };
}

export const WAIT: JsonObject = { Type: 'Wait', Seconds: 60, End: true };
