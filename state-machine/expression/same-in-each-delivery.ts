import { type KeyExpressions, optionOf, readsContext } from './key-expressions';
import type { MemberPath } from './reads';
import { memberPathsIn, type UserExpression } from './user-expression';

/** What decides whether a delivery is one of an event that is known. */
export interface KeyAndPayload {
  readonly key: KeyExpressions;
  readonly payload: UserExpression | undefined;
}

function expressionsOf({ key, payload }: KeyAndPayload): readonly UserExpression[] {
  return payload ? [...key.parts, payload] : key.parts;
}

/**
 * Rejects expressions that would give another value for another delivery of the same event. They read a member of the
 * input that differs, which a dispatcher leaves out, or the context of the execution they are evaluated in.
 *
 * @throws Error with the remedy
 */
export function requireOfTheEvent(
  { key, payload }: KeyAndPayload,
  volatile: readonly string[],
  isExpress: boolean,
): void {
  const all = expressionsOf({ key, payload });
  for (const expression of all) {
    if (!readsContext(expression)) continue;
    throw new Error(
      `\`idempotencyKey\` or \`payload\` reads $states.context, which has other values in ${isExpress ? 'each execution' : 'the dispatcher of the source'}; got ` +
        `${expression.text}. With a source, use only $states.input`,
    );
  }
  for (const part of key.parts) requireMembers(part, volatile, optionOf(key));
  for (const { text, reads } of all) {
    const read = memberPathsIn(reads)
      .flatMap(([of, name]) => (of === 'input' && name !== undefined ? [name] : []))
      .find(name => volatile.includes(name));
    if (read === undefined) continue;
    const of = /^(id|time|replay-name)$/.test(read) ? ' of events (messages that have a `detail-type`)' : '';
    const isLeftOut = isExpress ? '' : `, so this source leaves it out${of}`;
    throw new Error(
      `$states.input.${read} differs between deliveries of one event${isLeftOut}; got ${text}. ` +
        `Use another member, or, if it is the same for every delivery, pass { keep: ['${read}'] } to the source`,
    );
  }
}

/** Whether an expression takes the input as a whole, and with it what a source leaves out. */
export function readsAllOfTheInput({ reads }: UserExpression): boolean {
  return memberPathsIn(reads).some(([member, ...below]) => member === 'input' && below.length === 0);
}

/** Rejects a key that takes the input as a whole: what the source leaves out of it can be in there, too. */
function requireMembers(expression: UserExpression, volatile: readonly string[], prop: string): void {
  if (volatile.length === 0) return;
  if (!readsAllOfTheInput(expression)) return;
  throw new Error(
    `\`${prop}\` must name members of $states.input with this source, such as {% $states.input.detail %}, because the ` +
      `whole input contains ${volatile.join(', ')}, which differ between deliveries of one event; got ${expression.text}`,
  );
}

/**
 * Rejects expressions that would say something else in another execution with the same input, such as one that recovery
 * starts.
 *
 * @throws Error with the remedy; `otherwise` is one more
 */
export function requireSameInEachExecution(keyAndPayload: KeyAndPayload, otherwise: string): void {
  const isOfTheExecution = ([states, execution, member]: MemberPath) =>
    states === 'context' && !(execution === 'Execution' && member === 'Input');
  const found = expressionsOf(keyAndPayload).find(({ reads }) => memberPathsIn(reads).some(isOfTheExecution));
  if (found === undefined) return;
  throw new Error(
    `\`recovery\` delivers an input again in another execution, in which $states.context has other values: instead of ` +
      `${found.text}, take \`idempotencyKey\` and \`payload\` from $states.input${otherwise}`,
  );
}
