import type { Json } from '../../../json/json';
import type { Problems } from '../problems';
import { objectsIn, type RawMachine, type RawState } from '../raw';
import { expressionIn } from '../template';

// The numeric fields of https://states-language.net/spec.html#task-state, #wait-state, #map-state and
// #retrying-after-error; the ranges are the service's.

interface Range {
  readonly field: string;
  readonly min: number;
  readonly max?: number;
  readonly isInteger: boolean;
  /** True where an expression may stand instead of the number. */
  readonly mayCompute?: boolean;
}

const SECONDS_MAX = 99_999_999;
const DELAY_SECONDS_MAX = 31_622_400;

const MACHINE: readonly Range[] = [{ field: 'TimeoutSeconds', min: 0, max: SECONDS_MAX, isInteger: true }];

const STATE: readonly Range[] = [
  { field: 'TimeoutSeconds', min: 1, max: SECONDS_MAX, isInteger: true, mayCompute: true },
  { field: 'HeartbeatSeconds', min: 1, max: SECONDS_MAX, isInteger: true, mayCompute: true },
  { field: 'Seconds', min: 0, max: SECONDS_MAX, isInteger: true, mayCompute: true },
  { field: 'MaxConcurrency', min: 0, isInteger: true, mayCompute: true },
  { field: 'ToleratedFailureCount', min: 0, isInteger: true, mayCompute: true },
  { field: 'ToleratedFailurePercentage', min: 0, max: 100, isInteger: false, mayCompute: true },
];

/** A JSONPath state has fields of their own for computed values. */
const LITERAL: readonly Range[] = STATE.map(range => ({ ...range, mayCompute: false }));

const RETRIER: readonly Range[] = [
  { field: 'IntervalSeconds', min: 0, max: SECONDS_MAX, isInteger: true },
  { field: 'MaxAttempts', min: 0, max: SECONDS_MAX, isInteger: true },
  { field: 'BackoffRate', min: 1, isInteger: false },
  { field: 'MaxDelaySeconds', min: 1, max: DELAY_SECONDS_MAX, isInteger: true },
];

/** Checks literal numbers; computed ones are checked when they are known. */
export function validateNumbers(machine: RawMachine, problems: Problems): void {
  check(machine.fields, MACHINE, '', problems);
  for (const state of machine.states) {
    check(state.fields, state.language === 'JSONata' ? STATE : LITERAL, state.location, problems);
    checkHeartbeat(state, problems);
    for (const item of objectsIn(state, 'Retry')) check(item.fields, RETRIER, item.location, problems);
  }
}

function check(
  fields: { readonly [field: string]: Json },
  ranges: readonly Range[],
  location: string,
  problems: Problems,
): void {
  for (const range of ranges) {
    const value = fields[range.field];
    if (value === undefined || (range.mayCompute && expressionIn(value) !== undefined)) continue;
    const complaint = complaintAbout(value, range);
    if (complaint) problems.schema(complaint, `${location}/${range.field}`);
  }
}

/** A heartbeat that may come later than the timeout would never be missed. */
function checkHeartbeat({ fields, location }: RawState, problems: Problems): void {
  const { HeartbeatSeconds: heartbeat, TimeoutSeconds: timeout } = fields;
  if (typeof heartbeat !== 'number' || typeof timeout !== 'number' || heartbeat < timeout) return;
  problems.schema('HeartbeatSeconds must be smaller than TimeoutSeconds', location);
}

function complaintAbout(value: Json, range: Range): string | undefined {
  if (typeof value !== 'number') return `Expected value of type ${range.isInteger ? 'Integer' : 'Number'}`;
  if (range.isInteger && !Number.isInteger(value)) return 'Expected value of type Integer';
  if (value < range.min) return `Minimum value is ${range.min}`;
  return range.max !== undefined && value > range.max ? `Maximum value is ${range.max}` : undefined;
}
