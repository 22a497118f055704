import { isJsonObject, type Json, type JsonObject } from '../../json/json';

/** A state of the text, before anything is known of it. */
export interface RawState {
  readonly name: string;
  readonly fields: JsonObject;
  /** `/States/<name>`, behind the location of the scope. */
  readonly location: string;
  /** The declared `Type`, known or not. */
  readonly type: string | undefined;
  /** The language after the machine's default has been applied. */
  readonly language: 'JSONPath' | 'JSONata';
  /** The branches of a Parallel and the processor of a Map. */
  readonly inner: readonly RawScope[];
  /** The objects in its lists. */
  readonly items: Readonly<Record<List, readonly RawItem[]>>;
}

/** The lists that a state may have whose items have fields of their own. */
export type List = 'Choices' | 'Retry' | 'Catch';

/** A rule, a retrier or a catcher of the text. */
export interface RawItem {
  readonly fields: JsonObject;
  readonly location: string;
}

/** States that lead to each other: those of the machine, of a branch, or of an iteration. */
export interface RawScope {
  /** `StartAt`, `States` and what else stands beside them. */
  readonly fields: JsonObject;
  /** Empty for the machine, else `/States/P/Branches[0]` or `/States/M/ItemProcessor`. */
  readonly location: string;
  readonly states: readonly RawState[];
}

/** A definition of the text whose outermost form is right. */
export interface RawMachine {
  readonly fields: JsonObject;
  /** All scopes, each before the ones within it. */
  readonly scopes: readonly RawScope[];
  /** The states of all scopes. */
  readonly states: readonly RawState[];
}

/** The states of a definition; whatever is not an object is left out. */
export function rawMachine(fields: JsonObject): RawMachine {
  const root = scopeOf(fields, '', fields);
  const scopes = withInner(root);
  return { fields, scopes, states: scopes.flatMap(scope => scope.states) };
}

/** True when the member is there, whatever its value. */
export function has(fields: JsonObject, name: string): boolean {
  return Object.hasOwn(fields, name);
}

/**
 * The objects of a list such as `Choices`, `Retry`, `Catch`, with their locations. Empty when there is no
 * list.
 */
export function objectsIn({ items }: RawState, list: List): readonly RawItem[] {
  return items[list];
}

function itemsOf(fields: JsonObject, list: List, location: string): readonly RawItem[] {
  const items = fields[list];
  if (!Array.isArray(items)) return NO_ITEMS;
  return items.flatMap((item, index) =>
    isJsonObject(item) ? [{ fields: item, location: `${location}/${list}[${index}]` }] : [],
  );
}

const NO_ITEMS: readonly RawItem[] = [];

/** The field that holds a Map's states: `Iterator` is its older name, which JSONPath still knows. */
export function processorField(fields: JsonObject): 'ItemProcessor' | 'Iterator' {
  return has(fields, 'Iterator') && !has(fields, 'ItemProcessor') ? 'Iterator' : 'ItemProcessor';
}

function withInner(scope: RawScope): RawScope[] {
  return [scope, ...scope.states.flatMap(state => state.inner.flatMap(withInner))];
}

function scopeOf(fields: JsonObject, location: string, machine: JsonObject): RawScope {
  const states = isJsonObject(fields['States']) ? fields['States'] : {};
  const isState = (entry: [string, Json]): entry is [string, JsonObject] => isJsonObject(entry[1]);
  const raw = Object.entries(states)
    .filter(isState)
    .map(([name, state]) => stateOf(name, state, `${location}/States/${name}`, machine));
  return { fields, location, states: raw };
}

function stateOf(name: string, fields: JsonObject, location: string, machine: JsonObject): RawState {
  const type = typeof fields['Type'] === 'string' ? fields['Type'] : undefined;
  const parts = type === 'Parallel' ? branchesIn(fields) : type === 'Map' ? processorIn(fields) : [];
  const inner = parts.map(part => scopeOf(part.fields, `${location}/${part.path}`, machine));
  const items = {
    Choices: itemsOf(fields, 'Choices', location),
    Retry: itemsOf(fields, 'Retry', location),
    Catch: itemsOf(fields, 'Catch', location),
  };
  return { name, fields, location, type, language: languageOf(fields, machine), inner, items };
}

interface Part {
  readonly fields: JsonObject;
  readonly path: string;
}

function branchesIn(fields: JsonObject): Part[] {
  const branches = fields['Branches'];
  if (!Array.isArray(branches)) return [];
  return branches.flatMap((branch, index) =>
    isJsonObject(branch) ? [{ fields: branch, path: `Branches[${index}]` }] : [],
  );
}

function processorIn(fields: JsonObject): Part[] {
  const path = processorField(fields);
  const processor = fields[path];
  return isJsonObject(processor) ? [{ fields: processor, path }] : [];
}

// As the service resolves it: exactly "JSONPath" is JSONPath, absent is the machine's language (not that of
// the state around it), all else is JSONata.
function languageOf(state: JsonObject, machine: JsonObject): 'JSONPath' | 'JSONata' {
  if (has(state, 'QueryLanguage')) return state['QueryLanguage'] === 'JSONPath' ? 'JSONPath' : 'JSONata';
  return machine['QueryLanguage'] === undefined || machine['QueryLanguage'] === 'JSONPath'
    ? 'JSONPath'
    : 'JSONata';
}
