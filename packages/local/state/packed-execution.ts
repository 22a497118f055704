import { type Execution, liveChildren, type Thread, withChild } from '../engine/index';
import type { JsonObject } from '../json/json';

// A thread reads the variables of the one around it, and holds them all. Saved as they are, 40 iterations would make
// 41 copies of them with each write.

/** An execution in which each thread has only the variables that those around it have not. */
export function packed(execution: Execution): Execution {
  return mapThreads(execution, ({ variables }, outer) => ({
    saved: ownVariables(variables, outer),
    all: variables,
  }));
}

/** What `packed` was made of. */
export function unpacked(execution: Execution): Execution {
  return mapThreads(execution, ({ variables }, outer) => {
    const all = { ...outer, ...variables };
    return { saved: all, all };
  });
}

/** What a thread is to hold, and what those within it see, from what the threads around it see. */
type VariablesOf = (
  thread: Thread,
  outer: JsonObject,
) => { readonly saved: JsonObject; readonly all: JsonObject };

function mapThreads(execution: Execution, variablesOf: VariablesOf): Execution {
  const { root } = execution;
  return root ? { ...execution, root: mapChildren(root, root.variables, variablesOf) } : execution;
}

function mapChildren(thread: Thread, variables: JsonObject, variablesOf: VariablesOf): Thread {
  return liveChildren(thread).reduce((parent, { index, thread: child }) => {
    const { saved, all } = variablesOf(child, variables);
    const inner = { ...mapChildren(child, all, variablesOf), variables: saved };
    return withChild(parent, index, { kind: 'live', thread: inner });
  }, thread);
}

/** A variable that is the outer one is the very same value. */
function ownVariables(variables: JsonObject, outer: JsonObject): JsonObject {
  if (variables === outer) return {};
  return Object.fromEntries(Object.entries(variables).filter(([name, value]) => outer[name] !== value));
}
