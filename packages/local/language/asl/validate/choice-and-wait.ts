import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import { parseChoiceRule } from '../../jsonpath/choice-rule';
import { parsePath } from '../../jsonpath/path';
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
      problems.schema(NO_RULE, location);
    } else if (state.language === 'JSONPath') checkRule(fields, location, problems);
  }
}

const NO_RULE = 'The object must have only one of the following fields, [And, Or, Not, Variable, Condition]';

/** Checks a rule of a JSONPath state and those that it joins. */
function checkRule(fields: JsonObject, location: string, problems: Problems): void {
  for (const name of ['And', 'Or', 'Not']) {
    const joined = fields[name];
    for (const [index, inner] of (Array.isArray(joined) ? joined : [joined ?? null]).entries()) {
      const at = Array.isArray(joined) ? `${location}/${name}[${index}]` : `${location}/${name}`;
      if (isJsonObject(inner)) checkRule(inner, at, problems);
    }
    if (has(fields, name)) return;
  }
  for (const [name, value] of Object.entries(fields)) {
    const isPath = name === 'Variable' || COMPARED_PATH.test(name);
    if (isPath) checkReference(value, `${location}/${name}`, problems);
    else if (COMPARED.test(name)) checkCompared(name, value, `${location}/${name}`, problems);
  }
  if (parseChoiceRule(fields).kind === 'invalid' && !Object.keys(fields).some(name => COMPARED.test(name)))
    problems.schema(NO_RULE, location);
}

const COMPARED = /^(?:Is|Boolean|Numeric|String|Timestamp)[A-Z]/;
const COMPARED_PATH = /^(?:Boolean|Numeric|String|Timestamp)\w+Path$/;

function checkReference(value: Json, location: string, problems: Problems): void {
  const message = 'Value is not a Reference Path';
  if (typeof value !== 'string') problems.schema('Expected value of type String', location);
  else if (!value.startsWith('$'))
    problems.schema(`${message}: Reference path didn't start with '$'`, location);
  else if (parsePath(value).kind === 'invalid') problems.schema(message, location);
}

function checkCompared(name: string, value: Json, location: string, problems: Problems): void {
  if (parseChoiceRule({ Variable: '$', [name]: value }).kind === 'rule') return;
  const [, kind = ''] = /^(Is|Boolean|Numeric|String|Timestamp)/.exec(name) ?? [];
  const type = kind === 'Numeric' ? 'Number' : kind === 'Is' ? 'Boolean' : kind;
  const isKnown = parseChoiceRule({ Variable: '$', [name]: EXAMPLES[type] ?? null }).kind === 'rule';
  if (!isKnown) problems.schema(`Field '${name}' is not supported`, location.slice(0, -name.length - 1));
  else if (type === 'Timestamp') problems.schema('String does not match RFC3339 timestamp', location);
  else problems.schema(`Expected value of type ${type}`, location);
}

/** A value of each type, to tell a wrong value from a comparison that does not exist. */
const EXAMPLES: Readonly<Record<string, Json>> = {
  Boolean: true,
  Number: 0,
  String: '',
  Timestamp: '2026-01-01T00:00:00Z',
};

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
