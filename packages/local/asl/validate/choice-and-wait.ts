import type { Json } from '../../json/json';
import type { Problems } from '../problems';
import { has, objectsIn, type RawMachine, type RawState } from '../raw';
import { expressionIn } from '../template';
import { isLiteralTimestamp } from '../timestamp';

// Choice State: https://states-language.net/spec.html#choice-state
// Wait State: https://states-language.net/spec.html#wait-state

/** Checks what a Choice decides by and what a Wait waits for. */
export function validateChoiceAndWait(machine: RawMachine, problems: Problems): void {
  for (const state of machine.states) {
    if (state.type === 'Choice') checkChoice(state, problems);
    if (state.type === 'Wait') checkWait(state, problems);
  }
}

function checkChoice(state: RawState, problems: Problems): void {
  const rules = state.fields['Choices'];
  if (rules === undefined) {
    problems.schema('These fields are required: [Choices]', state.location);
    return;
  }
  if (Array.isArray(rules) && rules.length === 0) {
    problems.schema('Value cannot be empty', `${state.location}/Choices`);
    return;
  }
  for (const { fields, location } of objectsIn(state, 'Choices')) {
    if (!has(fields, 'Next')) problems.schema('These fields are required: [Next]', location);
    if (has(fields, 'Condition')) {
      if (state.language === 'JSONata') checkCondition(fields['Condition'], location, problems);
    } else if (!['And', 'Or', 'Not', 'Variable'].some(field => has(fields, field))) {
      const message =
        'The object must have only one of the following fields, [And, Or, Not, Variable, Condition]';
      problems.schema(message, location);
    }
  }
}

function checkCondition(condition: Json | undefined, location: string, problems: Problems): void {
  if (typeof condition === 'boolean' || expressionIn(condition ?? null) !== undefined) return;
  problems.schema('Expected value of type Boolean or a JSONata expression', `${location}/Condition`);
}

function checkWait(state: RawState, problems: Problems): void {
  const { fields, location } = state;
  const count = ['Seconds', 'Timestamp'].filter(field => has(fields, field)).length;
  if (count !== 1 && !has(fields, 'SecondsPath') && !has(fields, 'TimestampPath')) {
    const start = count > 1 ? 'There should only be' : 'This object should have only';
    problems.schema(
      `${start} one of the following fields: [SecondsPath, Seconds, TimestampPath, Timestamp]`,
      location,
    );
  }
  const timestamp = fields['Timestamp'];
  const isComputed = state.language === 'JSONata' && expressionIn(timestamp ?? null) !== undefined;
  if (timestamp === undefined || isComputed) return;
  if (typeof timestamp !== 'string' || !isLiteralTimestamp(timestamp)) {
    problems.schema('String does not match RFC3339 timestamp', `${location}/Timestamp`);
  }
}
