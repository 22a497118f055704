import type { Json, JsonObject } from '../json/json';
import { type Data, type Evaluated, evaluateTemplate, isConstant, type Template } from '../language/index';
import { type Completion, type Failure, failureIn, QUERY_ERROR, RUNTIME_ERROR } from './completion';
import type { Thread } from './execution';
import type { Turn } from './turn';

// JSONata runtime errors: https://states-language.net/spec.html#jsonata-runtime-errors
//
// 1. Evaluate the field.
// 2. If the expression throws, gives nothing, or gives a value of another type or outside of the range, the state fails
//    with States.QueryEvaluationError, which an event of its own records.

/** A field without a usable value, with the reason and the field, where the service names one. */
export interface EvaluationFailure {
  readonly kind: 'failed';
  readonly reason: string;
  readonly location?: string;
  /** The error of a JSONPath state's field. @default States.QueryEvaluationError, which an event tells of */
  readonly error?: string;
}

/** The output of a state and the variables it sets, before anything of it has happened. */
export interface Flow {
  readonly output: Data;
  /** Undefined when the state has no `Assign`. */
  readonly assigned?: ReadonlyMap<string, Data>;
}

/** A flow, or the first failure among its fields. */
export type ComputedFlow = { readonly kind: 'flow'; readonly flow: Flow } | EvaluationFailure;

/** The members of `$states` that only some fields have: `result`, `errorOutput`. */
export type Offer = JsonObject;

/** Evaluates a field of the thread's state. */
export function evaluateField(
  turn: Turn,
  thread: Thread,
  field: { readonly template: Template; readonly location: string },
  offer?: Offer,
): Evaluated {
  if (isConstant(field.template)) return { kind: 'value', value: field.template.value };
  return evaluateTemplate(field.template, field.location, turn.evaluateIn(thread, offer));
}

interface TypeOf {
  readonly array: readonly Json[];
  readonly boolean: boolean;
  readonly number: number;
  readonly string: string;
}

/** A value of the type asked for, or why there is none. */
export type Typed<Value> = { readonly kind: 'value'; readonly value: Value } | EvaluationFailure;

/** Evaluates a field that must give a value of one type; a literal of another type was rejected before. */
export function evaluateAs<Type extends keyof TypeOf>(
  turn: Turn,
  thread: Thread,
  field: { readonly template: Template; readonly location: string },
  type: Type,
): Typed<TypeOf[Type]> {
  const result = evaluateField(turn, thread, field);
  if (result.kind === 'failed') return result;
  const { value } = result;
  if (typeName(value) === type) return { kind: 'value', value: value as TypeOf[Type] };
  const { template, location } = field;
  const source = template.kind === 'expression' ? template.source : JSON.stringify(value);
  const reason =
    `The JSONata expression '${source}' specified for the field '${location}' ` +
    `returned an unexpected result type. ` +
    `Expected '${type}', but was '${typeName(value)}' for value: ${JSON.stringify(value)}`;
  return { kind: 'failed', reason, location };
}

/** Seconds a field may be computed to. */
const SECONDS_MAX = 99_999_999;

/** Evaluates a field of whole seconds. */
export function evaluateSeconds(turn: Turn, thread: Thread, template: Template, location: string) {
  return evaluateNumber(turn, thread, { template, location }, { max: SECONDS_MAX, isInteger: true });
}

/** Evaluates a field that must give a number from 0 on. */
export function evaluateNumber(
  turn: Turn,
  thread: Thread,
  { template, location }: { readonly template: Template; readonly location: string },
  { max, isInteger }: { readonly max: number; readonly isInteger: boolean },
): { readonly kind: 'value'; readonly value: number } | EvaluationFailure {
  const result = evaluateAs(turn, thread, { template, location }, 'number');
  if (result.kind === 'failed') return result;
  const { value } = result;
  const failed = (reason: string): EvaluationFailure => ({ kind: 'failed', reason, location });
  if (isInteger && !Number.isInteger(value)) {
    return failed(`The ${location} field cannot be parsed as an integer: ${value}`);
  }
  if (value >= 0 && value <= max) return result;
  return failed(`${location} must be between 0 and ${max} but was: ${value}`);
}

/** A thread whose state failed by an expression, with the failure. */
export interface Failed {
  readonly thread: Thread;
  readonly failure: Failure;
}

/**
 * Records that an expression of the thread's state failed. Of a path that failed nothing is recorded.
 *
 * As on the service the event hangs where the state itself hangs as long as nothing happened since the entry,
 * so two events follow the same one. `from` is for the one check that the service makes after the entry.
 */
export function evaluationFailed(
  turn: Turn,
  thread: Thread,
  problem: EvaluationFailure,
  from?: number,
): Failed {
  const { error, reason } = problem;
  if (error === RUNTIME_ERROR) return { thread, failure: failureIn(thread, error, reason) };
  // As observed, the cause of any other error stands for itself.
  if (error !== undefined) return { thread, failure: { kind: 'failed', error, cause: reason } };
  const failure = failureIn(thread, QUERY_ERROR, reason);
  const isAtEntry = thread.previousEventId === thread.enteredEventId;
  const previousEventId = from ?? (isAtEntry ? thread.enteredFrom : thread.previousEventId);
  const id = turn.append('EvaluationFailed', previousEventId, {
    error: QUERY_ERROR,
    ...(failure.cause === undefined ? {} : { cause: failure.cause }),
    ...(problem.location === undefined ? {} : { location: problem.location }),
    state: thread.state,
  });
  return { thread: { ...thread, previousEventId: id }, failure };
}

/** The same for a state that has neither Retry nor Catch: the failure ends its scope. */
export function failedByExpression(
  turn: Turn,
  thread: Thread,
  problem: EvaluationFailure,
  from?: number,
): Completion {
  return { kind: 'failed', ...evaluationFailed(turn, thread, problem, from) };
}

function typeName(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
