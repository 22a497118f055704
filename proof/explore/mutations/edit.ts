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

/** A state of a definition. */
export function stateOf(draft: DraftObject, name: string): DraftObject {
  return objectAt(draft, 'States', name);
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
  object[member] = text.replace(from, to);
}

/** Replaces a part of a state's condition expression; names and values that are left over go. */
export function changeCondition(draft: DraftObject, state: string, from: string, to: string): void {
  const request = objectAt(draft, 'States', state, 'Arguments');
  replaceIn(request, 'ConditionExpression', from, to);
  dropUnused(request);
}

/** Removes a state's whole condition. */
export function dropCondition(draft: DraftObject, state: string): void {
  const request = objectAt(draft, 'States', state, 'Arguments');
  delete request['ConditionExpression'];
  dropUnused(request);
}

/** Removes names and values that no expression of a request mentions: DynamoDB would refuse them. */
export function dropUnused(request: DraftObject): void {
  const used = `${request['ConditionExpression'] ?? ''} ${request['UpdateExpression'] ?? ''}`;
  for (const member of ['ExpressionAttributeNames', 'ExpressionAttributeValues']) {
    const words = request[member] as DraftObject | undefined;
    if (!words) continue;
    for (const word of Object.keys(words)) if (!new RegExp(`${word}\\b`).test(used)) delete words[word];
    if (Object.keys(words).length === 0) delete request[member];
  }
}

/** Removes the rules of a Choice that mention a text. @throws Error where there is none */
export function dropRules(draft: DraftObject, choice: string, mention: string): void {
  const state = stateOf(draft, choice);
  const rules = listOf(state, 'Choices');
  const left = rules.filter(rule => !String(rule['Condition']).includes(mention));
  if (left.length === rules.length) throw new Error(`no rule of ${choice} mentions ${mention}`);
  state['Choices'] = left;
}

/** Moves the rules of a Choice that mention a text behind all others. */
export function moveRulesBack(draft: DraftObject, choice: string, mention: string): void {
  const rules = listOf(stateOf(draft, choice), 'Choices');
  const mentions = (rule: DraftObject) => String(rule['Condition']).includes(mention);
  const moved = rules.filter(mentions);
  if (moved.length === 0) throw new Error(`no rule of ${choice} mentions ${mention}`);
  stateOf(draft, choice)['Choices'] = [...rules.filter(rule => !mentions(rule)), ...moved];
}

/** Removes the retriers of a state for all errors. */
export function dropRetries(draft: DraftObject, state: string): void {
  const task = stateOf(draft, state);
  task['Retry'] = listOf(task, 'Retry').filter(
    ({ ErrorEquals }) => !(ErrorEquals as string[]).includes('States.ALL'),
  );
}
