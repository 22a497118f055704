import type { JsonObject } from '../../../packages/local/json/json';
import { type Condition, NEVER, type Value } from '../../../state-machine/contract/condition';
import { toJsonata, valueToJsonata } from '../../../state-machine/contract/condition-text';
import { expression } from '../../../state-machine/contract/jsonata';
import { statesOf } from '../model/definition-states';

/** An object of a definition that a mutation may change. */
export interface DraftObject {
  [name: string]: DraftValue;
}

type DraftValue = null | boolean | number | string | DraftValue[] | DraftObject;

/** A copy of a definition that may be changed. */
export function draftOf(json: unknown): DraftObject {
  return JSON.parse(JSON.stringify(json)) as DraftObject;
}

/** The object at a place. @throws Error where there is none: the definition is not what the mutation was made for */
export function objectAt(draft: DraftObject, ...path: readonly (string | number)[]): DraftObject {
  const found = path.reduce<DraftValue | undefined>((value, name) => {
    if (Array.isArray(value)) return value[Number(name)];
    return typeof value === 'object' && value !== null ? value[name] : undefined;
  }, draft);
  if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found;
  throw new Error(`the definition has no object at ${path.join('/')}`);
}

/** A state of a definition, also one within a Parallel or a Map. @throws Error where there is none of this name */
export function stateOf(draft: DraftObject, name: string): DraftObject {
  const state = statesOf(draft as JsonObject)[name];
  if (!state) throw new Error(`the definition has no state ${name}`);
  return state as DraftObject;
}

/**
 * Changes the client token of a redrive, in the state that makes it or in what that gives the function which does;
 * undefined: takes it away.
 */
export function changeToken(draft: DraftObject, change: (token: string) => string | undefined): void {
  const own = objectAt(draft, 'States', 'Redrive the owner', 'Arguments');
  const name = 'ClientToken' in own ? 'ClientToken' : 'clientToken';
  const request = 'ClientToken' in own ? own : objectAt(own, 'Payload');
  const before = String(request[name]);
  const after = change(before);
  if (after === before)
    throw new Error('the client token of the redrive is not what the mutation was made for');
  if (after === undefined) delete request[name];
  else request[name] = after;
}

/** The elements of a list member. */
export function listOf(object: DraftObject, member: string): DraftObject[] {
  const list = object[member];
  if (!Array.isArray(list)) throw new Error(`the definition has no list ${member}`);
  return list as DraftObject[];
}

/** Replaces one text in a member by another. @throws Error where it is not there */
export function replaceIn(object: DraftObject, member: string, from: string, to: string): void {
  const text = object[member];
  if (typeof text !== 'string' || !text.includes(from))
    throw new Error(`the definition's ${member} has no ${from}`);
  object[member] = text.replace(from, () => to);
}

/** Replaces a part of a state's condition expression; names and values that are left over go. */
export function changeCondition(draft: DraftObject, state: string, from: string, to: string): void {
  const request = objectAt(stateOf(draft, state), 'Arguments');
  replaceIn(request, 'ConditionExpression', from, to);
  dropUnused(request);
}

/** Removes a state's whole condition. */
export function dropCondition(draft: DraftObject, state: string): void {
  const request = objectAt(stateOf(draft, state), 'Arguments');
  delete request['ConditionExpression'];
  dropUnused(request);
}

/** Removes names and values that no expression of a request mentions: DynamoDB would reject them. */
export function dropUnused(request: DraftObject): void {
  const used = `${request['ConditionExpression'] ?? ''} ${request['UpdateExpression'] ?? ''}`;
  for (const member of ['ExpressionAttributeNames', 'ExpressionAttributeValues']) {
    const words = request[member] as DraftObject | undefined;
    if (!words) continue;
    for (const word of Object.keys(words)) if (!new RegExp(`${word}\\b`).test(used)) delete words[word];
    if (Object.keys(words).length === 0) delete request[member];
  }
}

/** The rules of a Choice that have one of these names as their comment. @throws Error where none has */
export function rulesOf(draft: DraftObject, choice: string, names: readonly string[]): DraftObject[] {
  const found = listOf(stateOf(draft, choice), 'Choices').filter(isNamed(names));
  if (found.length === 0) throw new Error(`${choice} has no rule "${names.join('", "')}"`);
  return found;
}

/** Gives these rules of a Choice another condition. @throws Error where none of them is there */
export function setRules(
  draft: DraftObject,
  choice: string,
  names: readonly string[],
  condition: Condition = NEVER,
): void {
  for (const rule of rulesOf(draft, choice, names)) rule['Condition'] = expression(toJsonata(condition));
}

/** Has these rules of a Choice hold only where another condition holds as well. */
export function narrowRules(
  draft: DraftObject,
  choice: string,
  names: readonly string[],
  condition: Condition,
): void {
  for (const rule of rulesOf(draft, choice, names))
    rule['Condition'] = String(rule['Condition']).replace(
      /^{% (.*) %}$/s,
      `{% ${toJsonata(condition)} and ($1) %}`,
    );
}

/**
 * Puts a condition in the place of a part of these rules' conditions. Both are given as rows have them.
 *
 * @throws Error where a rule does not have the part
 */
export function changeRows(
  draft: DraftObject,
  choice: string,
  names: readonly string[],
  [part, other]: readonly [part: Condition, other: Condition],
): void {
  for (const rule of rulesOf(draft, choice, names))
    replaceIn(rule, 'Condition', toJsonata(part), `(${toJsonata(other)})`);
}

/** The same with a value, wherever the conditions have it. */
export function changeValue(
  draft: DraftObject,
  choice: string,
  names: readonly string[],
  [value, other]: readonly [value: Value, other: Value],
): void {
  for (const rule of rulesOf(draft, choice, names)) replaceValue(rule, 'Condition', [value, other]);
}

/** Puts a value in the place of another one, wherever a member has it. @throws Error where it does not */
export function replaceValue(
  object: DraftObject,
  member: string,
  [value, other]: readonly [value: Value, other: Value],
): void {
  const [from, to] = [valueToJsonata(value), `(${valueToJsonata(other)})`];
  const text = String(object[member]);
  if (!text.includes(from)) throw new Error(`the definition's ${member} has no ${from}`);
  object[member] = text.replaceAll(from, to);
}

/** Removes these rules of a Choice. @throws Error where none of them is there */
export function dropRules(draft: DraftObject, choice: string, names: readonly string[]): void {
  const dropped = rulesOf(draft, choice, names);
  const state = stateOf(draft, choice);
  state['Choices'] = listOf(state, 'Choices').filter(rule => !dropped.includes(rule));
}

/** Moves these rules of a Choice before, or behind, all others. @throws Error where none of them is there */
export function moveRules(
  draft: DraftObject,
  choice: string,
  names: readonly string[],
  to: 'front' | 'back',
): void {
  const moved = rulesOf(draft, choice, names);
  const others = listOf(stateOf(draft, choice), 'Choices').filter(rule => !moved.includes(rule));
  stateOf(draft, choice)['Choices'] = to === 'front' ? [...moved, ...others] : [...others, ...moved];
}

function isNamed(names: readonly string[]) {
  return ({ Comment }: DraftObject) => typeof Comment === 'string' && names.includes(Comment);
}

/** Removes the retriers of a state for all errors. */
export function dropRetries(draft: DraftObject, state: string): void {
  const task = stateOf(draft, state);
  task['Retry'] = listOf(task, 'Retry').filter(
    ({ ErrorEquals }) => !(ErrorEquals as string[]).includes('States.ALL'),
  );
}

/** By how much time a claim's lease is shorter than it should be, milliseconds. */
export function shortenLease(draft: DraftObject, milliseconds: number): void {
  const item = objectAt(draft, 'States', 'Claim record', 'Arguments', 'Item', 'leaseExpiry');
  item['N'] = String(item['N']).replace(/\+ (\d+)/, (_, lease) => `+ ${Number(lease) - milliseconds}`);
}
