import { Token } from 'aws-cdk-lib';
import { describeValue } from '../../state-machine/words/describe-value';
import { validateNames } from '../../state-machine/words/validate-names';
import { isRecord } from '../validation/kinds';

/**
 * Which events of a custom event bus start the workflow: a pattern for each part of an event. All of them must match.
 *
 * @example
 * const placed: CustomEventBusFilter = { data: { source: ['shop.orders'], 'detail-type': ['OrderPlaced'] } };
 */
export interface CustomEventBusFilter {
  /** For the event that the publisher wrote, with the envelope of a classic event. @default - all */
  readonly data?: Readonly<Record<string, unknown>>;
  /** For what a publisher put beside it. @default - all */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** For what the bus put beside it, such as `aws:DeliveryType`: all values are texts. @default - all */
  readonly systemMetadata?: Readonly<Record<string, unknown>>;
}

const SCOPES: Readonly<Record<keyof CustomEventBusFilter, string>> = {
  data: 'DATA',
  metadata: 'METADATA',
  systemMetadata: 'SYSTEM_METADATA',
};
/** What EventBridge takes of all patterns of a subscriber together. */
const BYTES_MAX = 4096;

/** The filters of a subscriber, one for each scope. @throws Error for patterns that a custom event bus rejects */
export function filtersOf(filter: CustomEventBusFilter): { scope: string; pattern: string }[] {
  validateNames('the filter of Source.customEventBus', filter, SCOPES);
  const filters = Object.entries(filter).flatMap(([name, pattern]: [string, unknown]) => {
    if (pattern === undefined) return [];
    if (!isRecord(pattern) || Object.keys(pattern as object).length === 0)
      throw new Error(
        `\`${name}\` must be an event pattern such as { source: ['shop.orders'] }, got ${describeValue(pattern)}`,
      );
    validatePattern(name, pattern);
    return [{ scope: SCOPES[name as keyof CustomEventBusFilter], pattern: JSON.stringify(pattern) }];
  });
  const bytes = filters.reduce((sum, { pattern }) => sum + Buffer.byteLength(pattern), 0);
  // What CDK resolves only at deployment has another length then.
  if (bytes > BYTES_MAX && !Token.isUnresolved(filter))
    throw new Error(
      `the filter of Source.customEventBus must have at most ${BYTES_MAX} bytes, got ${bytes}. Use a shorter pattern`,
    );
  return filters;
}

function validatePattern(scope: string, value: unknown): void {
  if (Array.isArray(value)) for (const matcher of value) validateMatcher(scope, matcher);
  else if (isRecord(value)) for (const one of Object.values(value as object)) validatePattern(scope, one);
}

function validateMatcher(scope: string, matcher: unknown): void {
  const isText = typeof matcher === 'string';
  if (scope === 'metadata' && !isText)
    throw new Error(`\`metadata\` matches whole texts only, got ${JSON.stringify(matcher)}`);
  if (scope === 'systemMetadata' && (typeof matcher === 'number' || names(matcher).includes('numeric')))
    throw new Error(
      `\`systemMetadata\` has texts only, so a number matches nothing, got ${JSON.stringify(matcher)}`,
    );
  if (names(matcher).includes('wildcard'))
    throw new Error(
      `\`${scope}\` must not contain \`wildcard\`, because custom event buses reject it. Use \`prefix\` or \`suffix\``,
    );
  // An alternative of `$or` is a pattern itself.
  if (isRecord(matcher)) validatePattern(scope, matcher);
}

/** The names in a matcher, and those within its `anything-but`. */
function names(matcher: unknown): readonly string[] {
  if (!isRecord(matcher)) return [];
  const { 'anything-but': excluded } = matcher as Readonly<Record<string, unknown>>;
  return [...Object.keys(matcher as object), ...(isRecord(excluded) ? Object.keys(excluded as object) : [])];
}
