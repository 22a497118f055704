import type { Problems } from '../problems';
import { has, type RawMachine, type RawState } from '../raw';

// States Language, "Query languages". JSONPath itself is not built here: a state in it is refused by name.

/** Fields that belong to JSONPath states only. */
export const JSONPATH_FIELDS: ReadonlySet<string> = new Set([
  'InputPath',
  'OutputPath',
  'ResultPath',
  'Parameters',
  'ResultSelector',
  'Result',
  'ItemsPath',
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

/** Checks the language of the machine and of each state. */
export function validateQueryLanguage(machine: RawMachine, problems: Problems): void {
  if (has(machine.fields, 'QueryLanguage'))
    checkValue(machine.fields['QueryLanguage'], '/QueryLanguage', problems);
  for (const state of machine.states)
    checkState(state, machine.fields['QueryLanguage'] === 'JSONata', problems);
}

/** The complaint about a field of JSONPath in a JSONata state. */
export function foreignField(field: string): string {
  const rule = `field '${field}' is only supported for the 'JSONPath' QueryLanguage`;
  return `The QueryLanguage is set to 'JSONata', but ${rule}`;
}

function checkState(state: RawState, isJsonataMachine: boolean, problems: Problems): void {
  if (has(state.fields, 'QueryLanguage')) checkValue(state.fields['QueryLanguage'], state.location, problems);
  if (state.language === 'JSONata') {
    const foreign = Object.keys(state.fields).filter(field => JSONPATH_FIELDS.has(field));
    for (const field of foreign) {
      problems.schema(foreignField(field), state.location);
    }
  } else if (isJsonataMachine) {
    const message = `'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine`;
    problems.schema(message, state.location);
  } else {
    const message =
      `State '${state.name}' uses JSONPath; the local engine runs JSONata states only. ` +
      `Set 'QueryLanguage' to 'JSONata'`;
    problems.add('NOT_SUPPORTED_LOCALLY', message, state.location);
  }
}

function checkValue(value: unknown, location: string, problems: Problems): void {
  if (typeof value !== 'string') problems.schema('Expected value of type [STRING]', location);
  else if (value !== 'JSONPath' && value !== 'JSONata') {
    problems.schema('Value should be one of the following: [JSONPath, JSONata]', location);
  }
}
