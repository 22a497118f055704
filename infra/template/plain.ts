import { Duration } from 'aws-cdk-lib';
import { describeValue } from '../../state-machine/words/describe-value';
import { type ArnKind, requireArn } from '../cdk/arns';

/**
 * A value of a JSON or YAML document.
 *
 * @example
 * const retention: Plain = 'P30D';
 */
export type Plain = string | number | boolean | null | readonly Plain[] | PlainObject;

/**
 * An object of a JSON or YAML document.
 *
 * @example
 * const props: PlainObject = { idempotencyKey: '{% $states.input.detail.orderId %}', retention: 'P30D' };
 */
export interface PlainObject {
  readonly [name: string]: Plain;
}

/** Options that are a `Duration` in code. */
const DURATIONS: ReadonlySet<string> = new Set([
  'retention',
  'failedRetention',
  'stepTimeout',
  'timeout',
  'searchEvery',
  'delay',
  'maxDelay',
  'interval',
  'checkAfter',
  'visibilityTimeout',
  'flexibleWindow',
  'waitUpTo',
  'maxAge',
  'oldestUnfinished',
  'oldestRecord',
]);

/** The members of an object. @throws Error for anything else */
export function membersOf(value: Plain, prop: string): PlainObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as PlainObject;
  throw new Error(`\`${prop}\` must be an object, got ${describeValue(value)}`);
}

/** A text that is not empty. @throws Error for anything else; `example` is in the message */
export function textOf(value: Plain | undefined, prop: string, example: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`\`${prop}\` must be a text such as ${example}, got ${describeValue(value)}`);
}

/** The ARN of a resource of this kind. @throws Error for anything else */
export function arnOf(value: Plain | undefined, prop: string, kind: ArnKind): string {
  const arn = textOf(value, prop, 'its ARN');
  requireArn(prop, kind, arn);
  return arn;
}

/** The name of a resource, or its ARN. @throws Error for anything else */
export function nameOrArnOf(value: Plain | undefined, prop: string, kind: ArnKind, words: string): string {
  const given = textOf(value, prop, `the name of ${words}, or its ARN`);
  return given.startsWith('arn:') ? arnOf(given, prop, kind) : given;
}

/** A duration in ISO 8601. @throws Error for anything else */
export function durationOf(value: Plain | undefined, prop: string): Duration {
  try {
    return Duration.parse(value as string);
  } catch {
    const wanted = 'an ISO 8601 duration such as PT5M (5 minutes) or P90D (90 days)';
    throw new Error(`\`${prop}\` takes ${wanted}, got ${describeValue(value)}`);
  }
}

/** The same value with each option that is a `Duration` in code as one, at any depth. */
export function withDurations(value: Plain, prop = ''): unknown {
  if (Array.isArray(value)) return value.map(one => withDurations(one, prop));
  if (DURATIONS.has(prop)) return durationOf(value, prop);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withDurations(one, name)]));
}
