import type { Json, JsonObject } from '../../../json/json';
import type { Service, ServiceCall } from '../../../runtime/calls/service';
import type { RuntimeOptions } from '../../../runtime/runtime-options';
import { Buckets } from '../../../services/s3/buckets';
import { s3Integrations } from '../../../services/s3/integrations';
import { service, textOf, worldOf } from '../world';

/** A processor of one state, in executions of their own. */
export function processor(state: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD', ...more },
    StartAt: 'Work',
    States: { Work: { End: true, ...state } },
  };
}

/** A state that hands its input on. */
export const PASS: JsonObject = { Type: 'Pass' };
/** A state that fails for odd numbers. */
export const FAILS_FOR_ODD: JsonObject = {
  Type: 'Task',
  Resource: 'arn:aws:states:::test:even',
  Arguments: { n: '{% $states.input %}' },
  Output: '{% $states.result %}',
};
export const WAIT_MINUTE: JsonObject = { Type: 'Wait', Seconds: 60 };

/** A runtime with a bucket `data`, a service that counts its calls, and a machine of one distributed Map. */
export function mapWorld(
  objects: Readonly<Record<string, string>> = {},
  options: Partial<RuntimeOptions> = {},
) {
  const calls: Json[] = [];
  const buckets = new Buckets({ now: () => Date.UTC(2026, 0, 1) });
  buckets.create('data');
  for (const [key, text] of Object.entries(objects))
    buckets.put('data', key, {
      body: Buffer.from(text),
      headers: { 'content-type': 'text/plain' },
      metadata: {},
    });
  const even = service((call: ServiceCall) => {
    const n = (call.arguments as JsonObject)['n'] ?? null;
    calls.push(n);
    return Number(n) % 2 === 0
      ? { kind: 'succeeded', output: n }
      : { kind: 'failed', error: 'Odd', cause: `${JSON.stringify(n)} is odd` };
  });
  const services = new Map<string, Service>([
    ['test:even', even],
    ...s3Integrations(buckets, () => 'request'),
  ]);
  const world = worldOf({ services, ...options });
  /** Starts an execution of a distributed Map; `more` are fields of the Map. */
  const start = async (more: JsonObject, input: Json = null, states: JsonObject = {}) => {
    const map = { Type: 'Map', ItemProcessor: processor(PASS), End: true, ...more };
    const { arn } = world.runtime.register(textOf({ Each: map, ...states }), { name: 'm' });
    const { executionArn } = await world.runtime.startExecution({
      stateMachineArn: arn,
      input: JSON.stringify(input),
    });
    await world.runtime.work.idle();
    return { executionArn, ...readers(world.runtime, executionArn) };
  };
  return { ...world, buckets, calls, start };
}

/** The values of an execution and its Map Runs. */
export function readers(runtime: ReturnType<typeof worldOf>['runtime'], executionArn: string) {
  const runArns = () => runtime.mapRuns.list({ executionArn }).mapRuns.map(({ mapRunArn }) => mapRunArn);
  return {
    describe: () => runtime.describeExecution({ executionArn }),
    output: async () => JSON.parse((await runtime.describeExecution({ executionArn })).output ?? 'null'),
    types: async () => {
      const { events } = await runtime.getExecutionHistory({ executionArn });
      return events.map(({ type }) => type);
    },
    runArns,
    run: () => runtime.mapRuns.describe(runArns()[0] ?? ''),
    children: async () => {
      const { executions } = await runtime.listExecutions({ mapRunArn: runArns()[0] ?? '' });
      return executions;
    },
  };
}
