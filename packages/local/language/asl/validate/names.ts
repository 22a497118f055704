import { isJsonObject, type Json } from '../../../json/json';
import type { Problems } from '../problems';
import { objectsIn, type RawMachine } from '../raw';

// Names of states: https://states-language.net/spec.html#states-fields
// Names of variables: https://states-language.net/spec.html#state-machine-variables
// Their scopes are checked in variable-scopes.ts.

/** Characters a state or variable name may have (service quota). */
const NAME_CHARACTERS_MAX = 80;

// Unicode identifiers (UAX #31); a path such as `a.b` is not a name.
const VARIABLE_NAME = /^\p{ID_Start}\p{ID_Continue}*$/u;

/** Checks names of states and of the variables they assign. */
export function validateNames(machine: RawMachine, problems: Problems): void {
  for (const state of machine.states) {
    if (isTooLong(state.name)) {
      const message = `State name '${state.name}' exceeds the 80-character limit allowed by the service`;
      problems.add('INVALID_STATE_NAME', message, state.location);
    }
    checkAssign(state.fields['Assign'], `${state.location}/Assign`, problems);
    for (const item of [...objectsIn(state, 'Choices'), ...objectsIn(state, 'Catch')]) {
      checkAssign(item.fields['Assign'], `${item.location}/Assign`, problems);
    }
  }
}

/** Characters are code points, of one or two units. */
function isTooLong(name: string): boolean {
  return name.length > NAME_CHARACTERS_MAX && [...name].length > NAME_CHARACTERS_MAX;
}

function checkAssign(assign: Json | undefined, location: string, problems: Problems): void {
  if (assign === undefined) return;
  if (!isJsonObject(assign)) {
    problems.schema('Expected value of type Object', location);
    return;
  }
  // JSONPath marks a name whose value is looked up.
  for (const name of Object.keys(assign)) checkVariable(name.replace(/\.\$$/, ''), location, problems);
}

function checkVariable(name: string, location: string, problems: Problems): void {
  const invalid = (reason: string) =>
    problems.add('INVALID_VARIABLE_NAME', `Invalid variable name '${name}': ${reason}`, location);
  if (name === 'states') {
    problems.add('RESERVED_VARIABLE_NAME', "Cannot assign to reserved variable '$states'.", location);
  } else if (isTooLong(name)) {
    invalid('the variable name is longer than 80 characters.');
  } else if (!VARIABLE_NAME.test(name)) {
    invalid('the variable name contains invalid characters.');
  }
}
