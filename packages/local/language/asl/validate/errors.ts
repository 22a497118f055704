import type { JsonObject } from '../../../json/json';
import type { Problems } from '../problems';
import { has, type List, objectsIn, type RawMachine, type RawState } from '../raw';

// Retriers: https://states-language.net/spec.html#retrying-after-error
// Catchers: https://states-language.net/spec.html#fallback-states

/** Checks what retriers and catchers match and where catchers lead. */
export function validateErrors(machine: RawMachine, problems: Problems): void {
  for (const state of machine.states) {
    checkMatching(state, 'Retry', problems);
    checkMatching(state, 'Catch', problems);
    for (const { fields, location } of objectsIn(state, 'Catch')) {
      if (!has(fields, 'Next')) problems.schema('These fields are required: [Next]', location);
    }
    for (const { fields, location } of objectsIn(state, 'Retry')) {
      const jitter = fields['JitterStrategy'];
      if (jitter !== undefined && jitter !== 'NONE' && jitter !== 'FULL') {
        problems.schema('Value should be one of the following: [NONE, FULL]', `${location}/JitterStrategy`);
      }
    }
  }
}

function checkMatching(state: RawState, list: List, problems: Problems): void {
  const items = objectsIn(state, list);
  for (const [index, { fields, location }] of items.entries()) {
    const names = checkedNames(fields, location, problems);
    if (!names.includes('States.ALL')) continue;
    if (names.length > 1 || index < items.length - 1) {
      problems.schema('States.ALL must appear alone and at end of list', `${location}/ErrorEquals`);
    }
  }
}

function checkedNames(fields: JsonObject, location: string, problems: Problems): readonly unknown[] {
  const names = fields['ErrorEquals'];
  const field = `${location}/ErrorEquals`;
  if (names === undefined) problems.schema('These fields are required: [ErrorEquals]', location);
  else if (!Array.isArray(names)) problems.schema('Expected value of type Array', field);
  else if (names.length === 0) problems.schema('Value cannot be empty', field);
  else if (!names.every(name => typeof name === 'string'))
    problems.schema('Expected value of type String', field);
  return Array.isArray(names) ? names : [];
}
