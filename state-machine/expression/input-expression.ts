import { Annotations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { requireNoOrder } from './payload-expression';
import { expressionIn, memberPathsIn, OF_THE_INPUT, STABLE, type UserExpression } from './user-expression';

/**
 * The `input` of a source, parsed: what it makes of an event is what the workflow is started with, so it must be the
 * same for every delivery of the event.
 *
 * @throws Error if the text is not a JSONata expression, reads nothing of the event, or could differ between deliveries
 */
export function parseInputExpression(
  text: unknown,
  example = "{% {'detail': $states.input} %}",
): UserExpression {
  const expression = expressionIn(text, { prop: 'input', rules: [STABLE, OF_THE_INPUT], example });
  // A key of what it makes follows the order that it has.
  requireNoOrder(expression, 'input');
  const places = memberPathsIn(expression.reads);
  if (places.some(([member]) => member === 'context')) {
    throw new Error(
      '`input` reads $states.context, which has other values for each delivery of an event. Read only $states.input; got ' +
        expression.text,
    );
  }
  if (places.length > 0) return expression;
  throw new Error(
    `\`input\` must read $states.input, such as ${example}, because otherwise all events are one; got ${expression.text}`,
  );
}

/**
 * Warns at synthesis of an `input` that takes one item of a list: the workflow is started for that one alone, so the
 * others are lost.
 */
export function adviseItem(scope: IConstruct, { text, nodes }: UserExpression): void {
  const isOfItem = nodes.some(({ stages = [], predicate = [] }) =>
    [...stages, ...predicate].some(({ expr }) => expr?.type === 'number'),
  );
  if (!isOfItem) return;
  Annotations.of(scope).addWarningV2(
    'onceflow:inputItem',
    `\`input\` takes one item of a list, so the workflow is not started for the other items of an event; got ${text}. ` +
      'Send each item as an event of its own, or acknowledge this warning if a list never has several items',
  );
}

/**
 * Rejects an `input` that reads a member by its name that differs between deliveries, and is therefore left out before.
 *
 * @throws Error with the remedy
 */
export function requireKept({ text, reads }: UserExpression, volatile: readonly string[]): void {
  const read = memberPathsIn(reads).flatMap(([member, name = '']) => (member === 'input' ? [name] : []));
  const left = read.find(name => volatile.includes(name));
  if (left === undefined) return;
  throw new Error(
    `\`input\` reads $states.input.${left}, which differs between deliveries of one event, so this source leaves it out of ` +
      `events (messages that have a \`detail-type\`); got ${text}. Use another member, or, if it is the same for every ` +
      `delivery, pass { keep: ['${left}'] } to the source`,
  );
}
