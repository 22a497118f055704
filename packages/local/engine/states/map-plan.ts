import { isJsonObject, type Json } from '../../json/json';
import { type Field, isExpression, type MapState } from '../../language/index';
import { type EvaluationFailure, evaluateAs, evaluateField } from '../evaluation';
import type { MapItem, Thread } from '../execution';
import { fieldNumber, isPathField } from '../fields';
import { pathItems } from '../path-values';
import type { Turn } from '../turn';

// Map State, "Selecting Items": https://states-language.net/spec.html#map-state
//
// 1. Evaluate `Items`: an expression must give an array; an object that the definition spells out stands for its
//    members. Without `Items` the state's input must be an array. In JSONPath, `ItemsPath` leads to
//    an array.
// 2. Evaluate `MaxConcurrency`; 0 and absence stand for the service's limit.
// 3. Evaluate `ToleratedFailureCount` and `ToleratedFailurePercentage`, for their type and range only.

/** What a Map iterates over, and how many iterations at a time. */
export type Plan =
  | ({ readonly kind: 'plan'; readonly items: readonly MapItem[]; readonly limit: number } & MapNumbers)
  | EvaluationFailure;

/** What the numbers of a Map are given as; absent where the definition does not say. */
export interface MapNumbers {
  readonly maxConcurrency?: number;
  readonly toleratedFailureCount?: number;
  readonly toleratedFailurePercentage?: number;
}

/** Evaluates everything a Map needs before its first iteration. */
export function evaluatePlan(turn: Turn, state: MapState, thread: Thread): Plan {
  const items = evaluateItems(turn, state, thread);
  if (items.kind === 'failed') return items;
  const numbers = evaluateNumbers(turn, state, thread);
  if (numbers.kind === 'failed') return numbers;
  return {
    ...numbers,
    kind: 'plan',
    items: items.items,
    limit: Math.min(numbers.maxConcurrency || CONCURRENCY_MAX, CONCURRENCY_MAX),
  };
}

/** Steps 2 and 3, without the limit of the service. */
export function evaluateNumbers(
  turn: Turn,
  state: MapState,
  thread: Thread,
): ({ readonly kind: 'numbers' } & MapNumbers) | EvaluationFailure {
  const concurrency = numberIn(turn, thread, state.maxConcurrency, 'MaxConcurrency');
  if (concurrency?.kind === 'failed') return concurrency;
  const count = numberIn(turn, thread, state.toleratedFailureCount, 'ToleratedFailureCount');
  if (count?.kind === 'failed') return count;
  const percentage = numberIn(turn, thread, state.toleratedFailurePercentage, 'ToleratedFailurePercentage');
  if (percentage?.kind === 'failed') return percentage;
  return {
    kind: 'numbers',
    ...(concurrency && { maxConcurrency: concurrency.value }),
    ...(count && { toleratedFailureCount: count.value }),
    ...(percentage && { toleratedFailurePercentage: percentage.value }),
  };
}

/** Iterations of an inline Map that run at the same time, whatever its definition says (service limit). */
const CONCURRENCY_MAX = 40;

/** The largest whole number that the service reads. */
export const INTEGER_MAX = 2 ** 31 - 1;

/** A number of a Map from 0 on; undefined where the field is absent. */
function numberIn(turn: Turn, thread: Thread, field: Field | undefined, location: string) {
  if (!field) return undefined;
  const isShare = location === 'ToleratedFailurePercentage';
  const range = { max: isShare ? 100 : INTEGER_MAX, isInteger: !isShare };
  return fieldNumber(turn, thread, { field, location }, range);
}

/** What a Map iterates over. */
export type Items = { readonly kind: 'items'; readonly items: readonly MapItem[] } | EvaluationFailure;

/** The items of a Map that no reader reads. */
export function evaluateItems(turn: Turn, { items: template, paths }: MapState, thread: Thread): Items {
  const location = 'Items';
  if (paths) return itemsAt(turn, thread, template);
  if (!template) return itemsOfInput(thread);
  if (isPathField(template)) throw new Error(`state '${thread.state}' has a path and is in JSONata`);
  // An object stands for its members only where the definition spells it out, as recorded.
  if (isExpression(template)) {
    const array = evaluateAs(turn, thread, { template, location }, 'array');
    return array.kind === 'failed' ? array : { kind: 'items', items: array.value.map(itemAt) };
  }
  const literal = evaluateField(turn, thread, { template, location });
  if (literal.kind === 'failed') return literal;
  const { value } = literal;
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([key, member], index) => ({ index, value: member, key }));
    return { kind: 'items', items: members };
  }
  const array = evaluateAs(turn, thread, { template: { kind: 'constant', value }, location }, 'array');
  return array.kind === 'failed' ? array : { kind: 'items', items: array.value.map(itemAt) };
}

function itemsOfInput({ input }: Thread): Items {
  if (Array.isArray(input.value)) return { kind: 'items', items: input.value.map(itemAt) };
  const reason = `Map state input must be an array but was: ${input.text}`;
  return { kind: 'failed', reason };
}

function itemsAt(turn: Turn, thread: Thread, field: Field | undefined): Items {
  const found = pathItems(turn, thread, field && isPathField(field) ? field : undefined);
  return found.kind === 'failed' ? found : { kind: 'items', items: found.value.map(itemAt) };
}

function itemAt(value: Json, index: number): MapItem {
  return { index, value };
}
