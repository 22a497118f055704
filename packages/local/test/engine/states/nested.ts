import type { Json, JsonObject } from '../../../json/json';

type States = { readonly [name: string]: Json };

/** A Parallel with branches of these states, each of which starts at its first one. */
export function parallel(branches: readonly States[], more: JsonObject = {}): JsonObject {
  const scopes = branches.map(states => ({ StartAt: Object.keys(states)[0] ?? '', States: states }));
  return { Type: 'Parallel', Branches: scopes, ...('Next' in more ? {} : { End: true }), ...more };
}

/** A Map whose iterations start at the first of these states. */
export function map(states: States, more: JsonObject = {}): JsonObject {
  const processor = { StartAt: Object.keys(states)[0] ?? '', States: states };
  return { Type: 'Map', ItemProcessor: processor, ...('Next' in more ? {} : { End: true }), ...more };
}

/** A Task that ends its scope. */
export function task(more: JsonObject = {}): JsonObject {
  const resource = { Resource: 'arn:aws:states:::lambda:invoke', Arguments: { FunctionName: 'f' } };
  return { Type: 'Task', ...resource, End: true, ...more };
}

/** A Pass that ends its scope. */
export function pass(more: JsonObject = {}): JsonObject {
  return { Type: 'Pass', ...('Next' in more ? {} : { End: true }), ...more };
}

/** A Wait that ends its scope. */
export function wait(seconds: number): JsonObject {
  return { Type: 'Wait', Seconds: seconds, End: true };
}

export const FAIL: JsonObject = { Type: 'Fail', Error: 'E', Cause: 'c' };

/** Event lines without details: ids, predecessors and types. */
export function skeleton(history: readonly string[]): string[] {
  return history.map(line => line.split(' ').slice(0, 2).join(' '));
}
