import { isJsonObject, type Json } from '../../json/json';
import type { Problems } from '../problems';
import { has, objectsIn, type RawMachine, type RawState } from '../raw';

// Query languages: https://states-language.net/spec.html#query-language
// JSONPath itself is not built here: a JSONPath state runs as long as
// nothing in it would have to be looked up by a path.

/** Fields that belong to JSONPath states only. */
export const JSONPATH_FIELDS: ReadonlySet<string> = new Set([
  'InputPath',
  'OutputPath',
  'ResultPath',
  'Parameters',
  'ResultSelector',
  'Result',
  'ItemsPath',
  'Iterator',
  'TimeoutSecondsPath',
  'HeartbeatSecondsPath',
  'SecondsPath',
  'TimestampPath',
  'MaxConcurrencyPath',
  'ToleratedFailurePercentagePath',
  'ToleratedFailureCountPath',
  'ErrorPath',
  'CausePath',
]);

/** Fields that belong to JSONata states only. */
export const JSONATA_FIELDS: ReadonlySet<string> = new Set(['Arguments', 'Output', 'Items', 'Condition']);

/** JSONPath's own fields that need no path: other names for what JSONata states have, too. */
const PATHLESS_FIELDS: ReadonlySet<string> = new Set(['Result', 'Iterator']);

/** Checks the language of the machine and of each state. */
export function validateQueryLanguage(machine: RawMachine, problems: Problems): void {
  if (has(machine.fields, 'QueryLanguage'))
    checkValue(machine.fields['QueryLanguage'], '/QueryLanguage', problems);
  for (const state of machine.states)
    checkState(state, machine.fields['QueryLanguage'] === 'JSONata', problems);
}

/** The complaint about a field of the other language. */
export function foreignField(field: string, language: 'JSONPath' | 'JSONata'): string {
  const other = language === 'JSONata' ? 'JSONPath' : 'JSONata';
  const rule = `field '${field}' is only supported for the '${other}' QueryLanguage`;
  return `The QueryLanguage is set to '${language}', but ${rule}`;
}

function checkState(state: RawState, isJsonataMachine: boolean, problems: Problems): void {
  const { fields, language, location } = state;
  if (has(fields, 'QueryLanguage')) checkValue(fields['QueryLanguage'], location, problems);
  if (language === 'JSONPath' && isJsonataMachine) {
    const message = `'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine`;
    problems.schema(message, location);
    return;
  }
  const foreign = language === 'JSONata' ? JSONPATH_FIELDS : JSONATA_FIELDS;
  for (const field of Object.keys(fields).filter(name => foreign.has(name))) {
    problems.schema(foreignField(field, language), location);
  }
  if (language === 'JSONPath') checkPathless(state, problems);
}

/** Names everything in a JSONPath state that would have to be looked up. */
function checkPathless(state: RawState, problems: Problems): void {
  const { fields, location } = state;
  for (const field of Object.keys(fields)) {
    if (JSONPATH_FIELDS.has(field) && !PATHLESS_FIELDS.has(field)) {
      problems.unsupported(`JSONPath (field '${field}')`, `${location}/${field}`);
    }
  }
  for (const field of ['Assign', 'ItemSelector', 'Credentials']) {
    const path = pathIn(fields[field]);
    if (path !== undefined) problems.unsupported(`JSONPath (field '${path}')`, `${location}/${field}`);
  }
  for (const item of [...objectsIn(state, 'Choices'), ...objectsIn(state, 'Catch')]) {
    if (has(item.fields, 'ResultPath')) problems.unsupported("JSONPath (field 'ResultPath')", item.location);
    else if (state.type === 'Choice') problems.unsupported('JSONPath (Choice rules)', item.location);
    else if (pathIn(item.fields['Assign']) !== undefined) {
      problems.unsupported(`JSONPath (field '${pathIn(item.fields['Assign'])}')`, `${item.location}/Assign`);
    }
  }
}

/** The first member whose name asks for a path (`order.$`), at any depth. */
function pathIn(value: Json | undefined): string | undefined {
  if (Array.isArray(value)) return value.map(pathIn).find(found => found !== undefined);
  if (!isJsonObject(value)) return undefined;
  const own = Object.keys(value).find(name => name.endsWith('.$'));
  return (
    own ??
    Object.values(value)
      .map(pathIn)
      .find(found => found !== undefined)
  );
}

function checkValue(value: unknown, location: string, problems: Problems): void {
  if (typeof value !== 'string') problems.schema('Expected value of type [STRING]', location);
  else if (value !== 'JSONPath' && value !== 'JSONata') {
    problems.schema('Value should be one of the following: [JSONPath, JSONata]', location);
  }
}
