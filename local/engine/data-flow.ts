import { type Data, dataOf, isTooLarge } from '../asl/data';
import type { Assignments, DataFlow } from '../asl/definition';
import type { Json } from '../asl/json';
import { type Completion, type Failure, tooLarge } from './completion';
import { type EvaluationFailure, evaluateField, type Offer } from './evaluation';
import type { Thread } from './execution';
import { outputDetails, stateName } from './history';
import type { Turn } from './turn';

// States Language, "Data flow": Output and Assign. Every expression of both sees the variables as they were
// at the state's entry; new values exist from the next state on.

/** The output of a state and the variables it sets, before anything of it has happened. */
export interface Flow {
  readonly output: Data;
  /** Undefined when the state has no `Assign`. */
  readonly assigned?: ReadonlyMap<string, Data>;
}

/** Where a flow stands and what it starts from. */
export interface FlowSource {
  readonly flow: DataFlow;
  /** Prefix of its fields in failures: empty, or `Choices[0]/`, `Catch[1]/`. */
  readonly prefix: string;
  /** The output without an `Output` field. */
  readonly fallback: Data;
  readonly offer?: Offer;
}

/** Evaluates `Assign`, then `Output`; the first failure is the answer. */
export async function computeFlow(
  turn: Turn,
  thread: Thread,
  source: FlowSource,
): Promise<{ readonly kind: 'flow'; readonly flow: Flow } | EvaluationFailure> {
  const { flow, prefix, fallback, offer } = source;
  const assigned = await computeAssigned(turn, thread, flow.assign ?? [], { prefix, offer });
  if (assigned.kind === 'failed') return assigned;
  const variables = flow.assign ? { assigned: assigned.values } : {};
  if (!flow.output) return { kind: 'flow', flow: { output: fallback, ...variables } };

  const output = await evaluateField(
    turn,
    thread,
    { template: flow.output, location: `${prefix}Output` },
    offer,
  );
  if (output.kind === 'failed') return output;
  return { kind: 'flow', flow: { output: dataOf(output.value), ...variables } };
}

/** Why a flow is beyond the quota, if it is. */
export function flowProblem(thread: Thread, flow: Flow): Failure | undefined {
  const isBeyond = isTooLarge(flow.output.text) || areTooLarge([...(flow.assigned?.values() ?? [])]);
  return isBeyond ? tooLarge(thread.state) : undefined;
}

/** Leaves the state with a flow: its exit event, its output as input of what follows, its variables. */
export function leave(turn: Turn, thread: Thread, flow: Flow, next: string | undefined): Completion {
  const state = turn.machine.definition.states.get(thread.state);
  if (!state || state.kind === 'fail') throw new Error(`a state that cannot be left: '${thread.state}'`);
  const exited = turn.appendTo(thread, `${stateName(state.kind)}StateExited`, {
    stateExitedEventDetails: { name: thread.state, ...outputDetails(flow.output), ...assignedDetails(flow) },
  });
  const behind: Thread = {
    ...exited,
    input: flow.output,
    variables: variablesAfter(thread, flow),
    waits: null,
  };
  return next === undefined ? { kind: 'left', thread: behind } : { kind: 'left', thread: behind, next };
}

async function computeAssigned(
  turn: Turn,
  thread: Thread,
  assignments: Assignments,
  place: { readonly prefix: string; readonly offer?: Offer | undefined },
): Promise<{ readonly kind: 'assigned'; readonly values: ReadonlyMap<string, Data> } | EvaluationFailure> {
  const values = new Map<string, Data>();
  for (const [name, template] of assignments) {
    const location = `${place.prefix}Assign/${name}`;
    const result = await evaluateField(turn, thread, { template, location }, place.offer);
    if (result.kind === 'failed') return result;
    values.set(name, dataOf(result.value));
  }
  return { kind: 'assigned', values };
}

/** The quota of one Assign is that of one value. */
function areTooLarge(values: readonly Data[]): boolean {
  return values.length > 0 && isTooLarge(values.map(({ text }) => text).join(''));
}

function assignedDetails({ assigned }: Flow) {
  if (!assigned) return {};
  const texts = Object.fromEntries([...assigned].map(([name, { text }]) => [name, text]));
  return { assignedVariables: texts, assignedVariablesDetails: { truncated: false } };
}

function variablesAfter(thread: Thread, { assigned }: Flow): Thread['variables'] {
  if (!assigned || assigned.size === 0) return thread.variables;
  const values: [string, Json][] = [...assigned].map(([name, { value }]) => [name, value]);
  return { ...thread.variables, ...Object.fromEntries(values) };
}
