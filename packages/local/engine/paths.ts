import type { Json } from '../json/json';
import {
  type Data,
  dataOf,
  evaluateChoiceRule,
  evaluatePayloadTemplate,
  evaluateQuery,
  type PathField,
  type PathQuery,
  type PathResult,
  type Paths,
  type Scope,
  select,
} from '../language/index';
import { RUNTIME_ERROR } from './completion';
import { contextObject } from './context-object';
import type { EvaluationFailure } from './evaluation';
import type { Thread } from './execution';
import type { Turn } from './turn';

// Paths: https://states-language.net/spec.html#path
//
// 1. `InputPath` selects from the state's input; what it selects is `$` in every field that is evaluated before there
//    is a result.
// 2. If a field has no usable value, the state fails, mostly with States.Runtime, which no catcher catches. No event of
//    its own tells of it, as recorded.

/** A value, or the failure of the field that should have it. */
export type Evaluated = { readonly kind: 'value'; readonly value: Json } | EvaluationFailure;

/** What a JSONPath state works on: its input after `InputPath`. */
export function effectiveInput(
  turn: Turn,
  thread: Thread,
  { inputPath }: Paths,
): { readonly kind: 'value'; readonly value: Data } | EvaluationFailure {
  return filtered(turn, thread, inputPath, thread.input);
}

/** What `InputPath` or `OutputPath` selects from a document; `null` selects an empty object. */
export function filtered(
  turn: Turn,
  thread: Thread,
  path: PathQuery | null | undefined,
  document: Data,
): { readonly kind: 'value'; readonly value: Data } | EvaluationFailure {
  if (path === undefined) return { kind: 'value', value: document };
  if (path === null) return { kind: 'value', value: EMPTY };
  const found = selected(path, scopeOf(turn, thread, document.value));
  if (found.kind === 'failed') return found;
  // The text of the whole document stays as it was written.
  const isWhole = found.value === document.value;
  return { kind: 'value', value: isWhole ? document : dataOf(found.value) };
}

const EMPTY: Data = { value: {}, text: '{}' };

/** Evaluates a field of the thread's state before it has a result. */
export function evaluatePathField(turn: Turn, thread: Thread, field: PathField): Evaluated {
  const input = effectiveInput(turn, thread, pathsOf(turn, thread));
  if (input.kind === 'failed') return input;
  const scope = scopeOf(turn, thread, input.value.value);
  switch (field.kind) {
    case 'payload':
      return resultOf(evaluatePayloadTemplate(field.template, scope));
    case 'query':
      return resultOf(evaluateQuery(field.query, field.name, scope));
    case 'rule':
      return resultOf(evaluateChoiceRule(field.rule, scope));
    default:
      return field satisfies never;
  }
}

/** What paths and functions of the thread's state see, with `input` as `$`. The context is made when it is read. */
export function scopeOf(turn: Turn, thread: Thread, input: Json): Scope {
  const { machine, execution, context } = turn;
  return {
    input,
    get context() {
      return contextObject(machine, execution, thread);
    },
    variables: thread.variables,
    randomness: context,
  };
}

/** An evaluation as the engine takes it. */
export function resultOf(found: PathResult): Evaluated {
  if (found.kind === 'value') return found;
  return { kind: 'failed', error: found.error, reason: found.cause };
}

/** The failure of a field whose value cannot be used. */
export function runtimeFailure(reason: string): EvaluationFailure {
  return { kind: 'failed', error: RUNTIME_ERROR, reason };
}

/** The paths of the thread's state; none where its own fields see its input as it is, as those of a Fail do. */
export function pathsOf({ machine }: Turn, thread: Thread): Paths {
  const state = machine.definition.states.get(thread.state);
  return (state?.kind === 'fail' ? undefined : state?.paths) ?? NO_PATHS;
}

const NO_PATHS: Paths = {};

/** What a path leads to; a failure in the words for paths that stand for themselves. */
export function selected({ path, text }: PathQuery, scope: Scope): Evaluated {
  const found = select(path, scope);
  return found.kind === 'value' ? found : runtimeFailure(`Invalid path '${text}' : ${found.reason}`);
}
