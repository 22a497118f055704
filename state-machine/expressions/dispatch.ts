import { expression, literal } from '../contract/jsonata';

/**
 * The event without what differs between its deliveries: an EventBridge event without the members `volatile`, anything
 * else as it came. Step Functions compares inputs to know the same start again.
 */
export function canonicalEvent(volatile: readonly string[]): string {
  if (volatile.length === 0) return expression('$states.input');
  const isVolatile = `$name in [${volatile.map(literal).join(', ')}]`;
  return expression(
    "$exists($lookup($states.input, 'detail-type')) " +
      `? $sift($states.input, function($value, $name) { $not(${isVolatile}) }) : $states.input`,
  );
}

/** Sixteen characters that are this dispatcher execution's own, the same in each of its attempts. */
export const START_SUFFIX = "$substring($hash($states.context.Execution.Id, 'SHA-256'), 0, 16)";
