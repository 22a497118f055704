import { isJsonObject, type Json } from '../json/json';
import {
  type Data,
  dataOf,
  evaluatePayloadTemplate,
  insert,
  type PathFlow,
  type PayloadTemplate,
  type ReferencePath,
} from '../language/index';
import type { ComputedFlow } from './evaluation';
import type { Thread } from './execution';
import { type Evaluated, effectiveInput, filtered, resultOf, scopeOf } from './paths';
import type { Turn } from './turn';

// Input and output processing with JSONPath: https://states-language.net/spec.html#filters
//
// 1. `ResultSelector` makes a new value of the result; a state without one has its input after `InputPath` instead.
// 2. `Assign` sees that value as `$`, and all variables as they were at the state's entry.
// 3. `ResultPath` puts the value into the state's input as it was before `InputPath`; `null` drops it.
// 4. `OutputPath` selects from that.

/** What a JSONPath state, or a catcher of one, hands on, and the variables it sets. */
export function computePathFlow(
  turn: Turn,
  thread: Thread,
  { paths }: PathFlow,
  result: Data | undefined,
): ComputedFlow {
  const { resultSelector, assign, resultPath, outputPath } = paths;
  const source = result ? { kind: 'value' as const, value: result } : effectiveInput(turn, thread, paths);
  if (source.kind === 'failed') return source;
  // Step 1.
  const selected = resultSelector ? asData(evaluated(turn, thread, resultSelector, source.value)) : source;
  if (selected.kind === 'failed') return selected;
  // Step 2.
  const assigned = assign && evaluated(turn, thread, assign, selected.value);
  if (assigned?.kind === 'failed') return assigned;
  // Step 3.
  const placed = placedIn(thread.input, resultPath, selected.value);
  if (placed.kind === 'failed') return placed;
  // Step 4.
  const output = filtered(turn, thread, outputPath, placed.value);
  if (output.kind === 'failed') return output;
  if (result) {
    turn.context.inspect?.('afterResultSelector', selected.value);
    turn.context.inspect?.('afterResultPath', placed.value);
  }
  const flow = { output: output.value, ...(assigned && { assigned: variablesIn(assigned.value) }) };
  return { kind: 'flow', flow };
}

function evaluated(turn: Turn, thread: Thread, template: PayloadTemplate, document: Data): Evaluated {
  return resultOf(evaluatePayloadTemplate(template, scopeOf(turn, thread, document.value)));
}

function asData(found: Evaluated) {
  return found.kind === 'failed' ? found : { kind: 'value' as const, value: dataOf(found.value) };
}

function placedIn(input: Data, resultPath: ReferencePath | null | undefined, value: Data) {
  if (resultPath === null) return { kind: 'value' as const, value: input };
  const isWhole = resultPath === undefined || resultPath.steps.length === 0;
  if (isWhole) return { kind: 'value' as const, value };
  return asData(resultOf(insert(resultPath, input.value, value.value)));
}

function variablesIn(assigned: Json): ReadonlyMap<string, Data> {
  const members = isJsonObject(assigned) ? Object.entries(assigned) : [];
  return new Map(members.map(([name, value]) => [name, dataOf(value)]));
}
