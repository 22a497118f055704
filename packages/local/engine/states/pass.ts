import type { Json } from '../../json/json';
import { type Data, dataOf, type PassState, type Paths } from '../../language/index';
import type { Completion } from '../completion';
import { failedByExpression, type Typed } from '../evaluation';
import type { Thread } from '../execution';
import { fieldValue } from '../fields';
import { effectiveInput } from '../paths';
import type { Turn } from '../turn';
import { leaveByFlow } from './leaving';

// Pass State: https://states-language.net/spec.html#pass-state
//
// 1. Evaluate `Result` or `Parameters` of a JSONPath state, its result.
// 2. Leave with `Assign` and `Output`; without an `Output` the output is the input.

/** Hands the input, its result or `Output` on. */
export function enterPass(turn: Turn, state: PassState, thread: Thread): Completion {
  if (!state.paths) return leaveByFlow(turn, thread, { flow: state, prefix: '' }, state.next);
  const result = resultOf(turn, state, thread, state.paths);
  if (result.kind === 'failed') return failedByExpression(turn, thread, result);
  return leaveByFlow(turn, thread, { flow: state, prefix: '', result: result.value }, state.next);
}

/** What a JSONPath state makes: `Result` as it stands, else `Parameters`, else its input. */
function resultOf(turn: Turn, { result: field }: PassState, thread: Thread, paths: Paths): Typed<Data> {
  const made = field
    ? dataIn(fieldValue(turn, thread, { field, location: 'Result' }))
    : effectiveInput(turn, thread, paths);
  if (made.kind === 'value')
    turn.context.inspect?.(field?.kind === 'constant' ? 'result' : 'afterParameters', made.value);
  return made;
}

function dataIn(made: Typed<Json>): Typed<Data> {
  return made.kind === 'failed' ? made : { kind: 'value', value: dataOf(made.value) };
}
