import { isJsonObject, type Json, type JsonObject } from './json';

/** A state of the text, before anything is known of it. */
export interface RawState {
  readonly name: string;
  readonly fields: JsonObject;
  /** `/States/<name>`. */
  readonly location: string;
  /** The declared `Type`, known or not. */
  readonly type: string | undefined;
  /** The language after the machine's default has been applied. */
  readonly language: 'JSONPath' | 'JSONata';
}

/** A definition of the text whose outermost form is right. */
export interface RawMachine {
  readonly fields: JsonObject;
  readonly states: readonly RawState[];
}

/** The states of a definition; whatever is not an object is left out. */
export function rawMachine(fields: JsonObject): RawMachine {
  const states = isJsonObject(fields['States']) ? fields['States'] : {};
  const isState = (entry: [string, Json]): entry is [string, JsonObject] => isJsonObject(entry[1]);
  const raw = Object.entries(states)
    .filter(isState)
    .map(([name, state]) => ({
      name,
      fields: state,
      location: `/States/${name}`,
      type: typeof state['Type'] === 'string' ? state['Type'] : undefined,
      language: languageOf(state, fields),
    }));
  return { fields, states: raw };
}

/** True when the member is there, whatever its value. */
export function has(fields: JsonObject, name: string): boolean {
  return Object.hasOwn(fields, name);
}

/**
 * The objects of a list such as `Choices`, `Retry`, `Catch`, with their locations. Empty when there is no
 * list.
 */
export function objectsIn(
  state: RawState,
  list: string,
): readonly { fields: JsonObject; location: string }[] {
  const items = state.fields[list];
  if (!Array.isArray(items)) return [];
  return items.flatMap((fields, index) =>
    isJsonObject(fields) ? [{ fields, location: `${state.location}/${list}[${index}]` }] : [],
  );
}

// As the service resolves it: exactly "JSONPath" is JSONPath, absent is the machine's language, all else is
// JSONata.
function languageOf(state: JsonObject, machine: JsonObject): 'JSONPath' | 'JSONata' {
  if (has(state, 'QueryLanguage')) return state['QueryLanguage'] === 'JSONPath' ? 'JSONPath' : 'JSONata';
  return machine['QueryLanguage'] === undefined || machine['QueryLanguage'] === 'JSONPath'
    ? 'JSONPath'
    : 'JSONata';
}
