import { isJsonObject, type Json, type JsonObject } from '../json';
import type { Problems } from '../problems';
import { has, objectsIn, type RawMachine, type RawState } from '../raw';
import { foreignField, JSONPATH_FIELDS } from './query-language';

// States Language, the field tables of each state type. What the service takes and we do not is named as
// such.

/** Checks which fields the machine, its states, retriers, catchers and choice rules have. */
export function validateFields(machine: RawMachine, problems: Problems): void {
  const { fields } = machine;
  for (const field of Object.keys(fields)) {
    if (!ROOT_FIELDS.has(field)) problems.schema(`Field '${field}' is not supported`, '/');
  }
  checkText(fields, 'StartAt', '', problems);
  checkText(fields, 'Comment', '', problems);
  if (has(fields, 'Version') && fields['Version'] !== '1.0') {
    problems.schema('Value should be one of the following: [1.0]', '/Version');
  }
  const states = fields['States'];
  if (isJsonObject(states)) checkStates(states, problems);
  else if (has(fields, 'States')) problems.schema('Expected value of type Object', '/States');
  for (const state of machine.states) checkState(state, problems);
}

const ROOT_FIELDS = new Set(['Comment', 'QueryLanguage', 'StartAt', 'TimeoutSeconds', 'Version', 'States']);

const STATE_TYPES = ['Task', 'Wait', 'Pass', 'Succeed', 'Fail', 'Choice', 'Parallel', 'Map'];

const COMMON_FIELDS = ['Type', 'Comment', 'QueryLanguage'];

const STATE_FIELDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    Pass: ['Output', 'Assign', 'Next', 'End'],
    Task: [
      ...['Resource', 'Arguments', 'Output', 'Assign', 'Credentials', 'TimeoutSeconds', 'HeartbeatSeconds'],
      ...['Retry', 'Catch', 'Next', 'End'],
    ],
    Wait: ['Seconds', 'Timestamp', 'Output', 'Assign', 'Next', 'End'],
    Choice: ['Choices', 'Default', 'Output', 'Assign'],
    Succeed: ['Output'],
    Fail: ['Error', 'Cause'],
  }).map(([type, fields]) => [type, new Set([...COMMON_FIELDS, ...fields])]),
);

const LIST_FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  Choices: new Set(['Condition', 'Next', 'Assign', 'Output', 'Comment']),
  Retry: new Set([
    ...['ErrorEquals', 'IntervalSeconds', 'MaxAttempts', 'BackoffRate', 'MaxDelaySeconds', 'JitterStrategy'],
    'Comment',
  ]),
  Catch: new Set(['ErrorEquals', 'Next', 'Assign', 'Output', 'Comment']),
};

/** Fields of a Task that the service takes and the local engine does not. */
const UNSUPPORTED_FIELDS = ['HeartbeatSeconds', 'Credentials'];

const TEXT_FIELDS = ['Comment', 'Next', 'Default', 'Error', 'Cause', 'Resource'];

function checkStates(states: JsonObject, problems: Problems): void {
  if (Object.keys(states).length === 0) problems.schema('Value cannot be empty', '/States');
  for (const [name, state] of Object.entries(states)) {
    if (!isJsonObject(state)) problems.schema('Expected value of type Object', `/States/${name}`);
  }
}

function checkState(state: RawState, problems: Problems): void {
  const { fields, location, type } = state;
  if (!has(fields, 'Type')) {
    problems.schema("The field 'Type' is required", location);
    return;
  }
  if (type === undefined || !STATE_TYPES.includes(type)) {
    const message = `The field 'Type' should have one of these values: [${STATE_TYPES.join(', ')}]`;
    problems.schema(message, `${location}/Type`);
    return;
  }
  const known = STATE_FIELDS.get(type);
  if (!known) {
    const message = `State type '${type}' is not supported by the local engine`;
    problems.add('NOT_SUPPORTED_LOCALLY', message, `${location}/Type`);
    return;
  }
  for (const field of Object.keys(fields)) {
    if (JSONPATH_FIELDS.has(field)) continue;
    if (!known.has(field)) problems.schema(`Field '${field}' is not supported`, location);
    else if (UNSUPPORTED_FIELDS.includes(field)) {
      problems.add(
        'NOT_SUPPORTED_LOCALLY',
        `Field '${field}' is not supported by the local engine`,
        `${location}/${field}`,
      );
    }
  }
  for (const field of TEXT_FIELDS) checkText(fields, field, location, problems);
  if (known.has('Next')) checkTransition(state, problems);
  for (const list of Object.keys(LIST_FIELDS)) if (known.has(list)) checkList(state, list, problems);
}

function checkTransition(state: RawState, problems: Problems): void {
  const { fields, location } = state;
  const end = fields['End'];
  if (has(fields, 'End') && typeof end !== 'boolean') {
    problems.schema('Expected value of type Boolean', `${location}/End`);
    return;
  }
  if (has(fields, 'Next') && end === true) {
    problems.schema('There should only be one of the following fields: [Next, End]', location);
  } else if (!has(fields, 'Next') && end !== true) {
    problems.schema('This object should have only one of the following fields: [Next, End]', location);
  }
}

function checkList(state: RawState, list: string, problems: Problems): void {
  const items = state.fields[list];
  if (items === undefined) return;
  const location = `${state.location}/${list}`;
  if (!Array.isArray(items)) {
    problems.schema('Expected value of type Array', location);
    return;
  }
  for (const [index, item] of items.entries()) {
    if (!isJsonObject(item)) problems.schema('Expected value of type Object', `${location}[${index}]`);
  }
  for (const item of objectsIn(state, list)) checkItem(item.fields, list, item.location, problems);
}

function checkItem(fields: JsonObject, list: string, location: string, problems: Problems): void {
  for (const field of Object.keys(fields)) {
    if (LIST_FIELDS[list]?.has(field)) continue;
    const isPath = JSONPATH_FIELDS.has(field) || ['And', 'Or', 'Not', 'Variable'].includes(field);
    const message = isPath ? foreignField(field) : `Field '${field}' is not supported`;
    problems.schema(message, location);
  }
  checkText(fields, 'Next', location, problems);
  checkText(fields, 'Comment', location, problems);
}

function checkText(fields: JsonObject, field: string, location: string, problems: Problems): void {
  const value: Json | undefined = fields[field];
  if (value === undefined || typeof value === 'string') return;
  problems.schema('Expected value of type String', `${location}/${field}`);
}
