import type { Problems } from '../problems';
import { has, type RawMachine, type RawState } from '../raw';

// Query languages: https://states-language.net/spec.html#query-language

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
}

function checkValue(value: unknown, location: string, problems: Problems): void {
  if (typeof value !== 'string') problems.schema('Expected value of type [STRING]', location);
  else if (value !== 'JSONPath' && value !== 'JSONata') {
    problems.schema('Value should be one of the following: [JSONPath, JSONata]', location);
  }
}
