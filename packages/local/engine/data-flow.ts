import type { Json, JsonObject } from '../json/json';
import {
  type Assignments,
  type Data,
  type DataFlow,
  dataOf,
  isTooLarge,
  type JsonataFlow,
  utf8Bytes,
} from '../language/index';
import { leftThread } from './advance';
import { type Completion, type Failure, tooLarge } from './completion';
import {
  type ComputedFlow,
  type EvaluationFailure,
  evaluateField,
  type Flow,
  type Offer,
} from './evaluation';
import type { Thread } from './execution';
import { EXITED } from './history';
import { computePathFlow } from './path-flow';
import type { Turn } from './turn';

// Input and output processing with JSONata: https://states-language.net/spec.html#input-and-output-processing-with-jsonata
// Assigning variables: https://states-language.net/spec.html#assigning-variables
//
// 1. Evaluate `Assign`, then `Output`. Every expression of both sees the variables as they were at the state's entry.
//    A JSONPath state has its paths instead (path-flow.ts).
// 2. Check the size of the output, of the new values, and of all variables together.
// 3. Record the exit. The output is the input of the next state, which sees the new values.

/** Where a flow stands and what it starts from. */
export interface FlowInput {
  readonly flow: DataFlow;
  /** Prefix of its fields in failures: empty, or `Choices[0]/`, `Catch[1]/`. */
  readonly prefix: string;
  /** What the state has made, or the error output; a state that has made nothing hands on its input. */
  readonly result?: Data;
  readonly offer?: Offer;
}

/** Computes what a state hands on, in its own language. */
export function computeFlow(turn: Turn, thread: Thread, source: FlowInput): ComputedFlow {
  const { flow, result = thread.input } = source;
  if (flow.paths) return computePathFlow(turn, thread, flow, source.result);
  if (flow.assign || flow.output) return computeFields(turn, thread, flow, source);
  return { kind: 'flow', flow: { output: result } };
}

function computeFields(
  turn: Turn,
  thread: Thread,
  flow: JsonataFlow,
  { prefix, result = thread.input, offer }: FlowInput,
): ComputedFlow {
  let variables: Pick<Flow, 'assigned'> = {};
  if (flow.assign) {
    const assigned = computeAssigned(turn, thread, flow.assign, { prefix, offer });
    if (assigned.kind === 'failed') return assigned;
    variables = { assigned: assigned.values };
  }
  if (!flow.output) return { kind: 'flow', flow: { output: result, ...variables } };

  const field = { template: flow.output, location: `${prefix}Output` };
  const output = evaluateField(turn, thread, field, offer);
  if (output.kind === 'failed') return output;
  return { kind: 'flow', flow: { output: dataOf(output.value, thread.input), ...variables } };
}

/** Why a flow is beyond the quota, if it is. */
export function flowProblem(thread: Thread, flow: Flow): Failure | undefined {
  const { assigned } = flow;
  const isBeyond =
    isTooLarge(flow.output.text) ||
    (assigned && (areTooLarge([...assigned.values()]) || areTogetherTooLarge(thread, assigned)));
  return isBeyond ? tooLarge(thread.state) : undefined;
}

/** Leaves the state with a flow: its exit event, its output as input of what follows, its variables. */
export function leave(turn: Turn, thread: Thread, flow: Flow, next: string | undefined): Completion {
  const state = turn.machine.definition.states.get(thread.state);
  if (!state || state.kind === 'fail') throw new Error(`a state that cannot be left: '${thread.state}'`);
  const { output, assigned } = flow;
  const { state: name, previousEventId: before } = thread;
  // As recorded: an Assign without variables leaves no trace.
  const previousEventId =
    assigned && assigned.size > 0
      ? turn.append(EXITED[state.kind], before, {
          name,
          output: output.text,
          assignedVariables: textsOf(assigned),
        })
      : turn.appendExit(EXITED[state.kind], before, name, output.text);
  const { variables, variableCharacters } = assigned ? variablesAfter(thread, assigned) : thread;
  const after = leftThread(thread, previousEventId, { input: output, variables, variableCharacters });
  return next === undefined ? { kind: 'left', thread: after } : { kind: 'left', thread: after, next };
}

function computeAssigned(
  turn: Turn,
  thread: Thread,
  assignments: Assignments,
  field: { readonly prefix: string; readonly offer?: Offer | undefined },
): { readonly kind: 'assigned'; readonly values: ReadonlyMap<string, Data> } | EvaluationFailure {
  const values = new Map<string, Data>();
  for (const [name, template] of assignments) {
    const location = `${field.prefix}Assign/${name}`;
    const result = evaluateField(turn, thread, { template, location }, field.offer);
    if (result.kind === 'failed') return result;
    values.set(name, dataOf(result.value));
  }
  return { kind: 'assigned', values };
}

/** Bytes of JSON that all variables may take, UTF-8 (service quota: 10 MiB). */
const VARIABLES_BYTES_MAX = 10 * 1024 * 1024;

function areTogetherTooLarge(thread: Thread, assigned: ReadonlyMap<string, Data>): boolean {
  const { variables, variableCharacters } = variablesAfter(thread, assigned);
  // A character takes one to three bytes, so mostly a look at the sum is enough.
  if (variableCharacters * 3 <= VARIABLES_BYTES_MAX) return false;
  return utf8Bytes(Object.values(variables).map(texts).join('')) > VARIABLES_BYTES_MAX;
}

function texts(value: Json): string {
  return JSON.stringify(value);
}

/** The quota of one Assign is that of one value. */
function areTooLarge(values: readonly Data[]): boolean {
  return values.length > 0 && isTooLarge(values.map(({ text }) => text).join(''));
}

function textsOf(assigned: ReadonlyMap<string, Data>) {
  return Object.fromEntries([...assigned].map(([name, { text }]) => [name, text]));
}

function variablesAfter(thread: Thread, assigned: ReadonlyMap<string, Data>) {
  const values: [string, Json][] = [...assigned].map(([name, { value }]) => [name, value]);
  const variables: JsonObject = { ...thread.variables, ...Object.fromEntries(values) };
  const added = [...assigned.values()].reduce((sum, { text }) => sum + text.length, 0);
  const atMost = thread.variableCharacters + added;
  // Values that were replaced count on until the sum gets near the quota; then it is taken anew.
  const isNear = atMost * 3 > VARIABLES_BYTES_MAX;
  const variableCharacters = isNear ? Object.values(variables).map(texts).join('').length : atMost;
  return { variables, variableCharacters };
}
