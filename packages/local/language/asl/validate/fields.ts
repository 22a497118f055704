import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import type { Problems } from '../problems';
import { has, type List, objectsIn, type RawMachine, type RawState } from '../raw';
import { foreignField, JSONATA_FIELDS, JSONPATH_FIELDS } from './query-language';

// The fields of each state type: https://states-language.net/spec.html#state-type-table-jsonata
// What the service takes and we do not is named as such.

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
  for (const state of machine.states) checkState(state, problems);
}

const ROOT_FIELDS = new Set(['Comment', 'QueryLanguage', 'StartAt', 'TimeoutSeconds', 'Version', 'States']);

const STATE_TYPES = ['Task', 'Wait', 'Pass', 'Succeed', 'Fail', 'Choice', 'Parallel', 'Map'];

const COMMON_FIELDS = ['Type', 'Comment', 'QueryLanguage'];

const CONTINUING = ['Output', 'Assign', 'Next', 'End'];

const RECOVERING = ['Retry', 'Catch'];

const FILTERS = ['InputPath', 'OutputPath'];

const RESULT = ['Parameters', 'ResultSelector', 'ResultPath'];

/** What JSONPath states have besides, in place of what JSONata states alone have. */
const PATH_FIELDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    Pass: [...FILTERS, 'Parameters', 'Result', 'ResultPath'],
    Task: [...FILTERS, ...RESULT, 'TimeoutSecondsPath', 'HeartbeatSecondsPath'],
    Wait: [...FILTERS, 'SecondsPath', 'TimestampPath'],
    Choice: FILTERS,
    Parallel: [...FILTERS, ...RESULT],
    Map: [
      ...[...FILTERS, ...RESULT, 'Iterator', 'ItemsPath', 'MaxConcurrencyPath'],
      ...['ToleratedFailureCountPath', 'ToleratedFailurePercentagePath'],
    ],
    Succeed: FILTERS,
    Fail: ['ErrorPath', 'CausePath'],
  }).map(([type, fields]) => [type, new Set(fields)]),
);

const STATE_FIELDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    Pass: CONTINUING,
    Task: [
      ...['Resource', 'Arguments', 'Credentials', 'TimeoutSeconds', 'HeartbeatSeconds'],
      ...[...CONTINUING, ...RECOVERING],
    ],
    Wait: ['Seconds', 'Timestamp', ...CONTINUING],
    Choice: ['Choices', 'Default', 'Output', 'Assign'],
    Parallel: ['Branches', 'Arguments', ...CONTINUING, ...RECOVERING],
    Map: [
      ...['ItemProcessor', 'Items', 'ItemSelector', 'ItemReader', 'ItemBatcher', 'ResultWriter', 'Label'],
      ...['MaxConcurrency', 'ToleratedFailureCount', 'ToleratedFailurePercentage'],
      ...[...CONTINUING, ...RECOVERING],
    ],
    Succeed: ['Output'],
    Fail: ['Error', 'Cause'],
  }).map(([type, fields]) => [type, new Set([...COMMON_FIELDS, ...fields])]),
);

const LISTS = ['Choices', 'Retry', 'Catch'] as const satisfies readonly List[];

const LIST_FIELDS: Readonly<Record<List, ReadonlySet<string>>> = {
  Choices: new Set(['Condition', 'Next', 'Assign', 'Output', 'Comment']),
  Retry: new Set([
    ...['ErrorEquals', 'IntervalSeconds', 'MaxAttempts', 'BackoffRate', 'MaxDelaySeconds', 'JitterStrategy'],
    'Comment',
  ]),
  Catch: new Set(['ErrorEquals', 'Next', 'Assign', 'Output', 'Comment']),
};

const TEXT_FIELDS = ['Comment', 'Next', 'Default', 'Error', 'Cause', 'Resource', 'Label'];

function checkState(state: RawState, problems: Problems): void {
  const { fields, location, type, language } = state;
  if (!has(fields, 'Type')) {
    problems.schema("The field 'Type' is required", location);
    return;
  }
  const known = type === undefined ? undefined : STATE_FIELDS.get(type);
  if (!known) {
    const message = `The field 'Type' should have one of these values: [${STATE_TYPES.join(', ')}]`;
    problems.schema(message, `${location}/Type`);
    return;
  }
  for (const field of Object.keys(fields)) {
    // Fields of the other language are checked in query-language.ts.
    const isForeign = (language === 'JSONata' ? JSONPATH_FIELDS : JSONATA_FIELDS).has(field);
    if (known.has(field) || isForeign || PATH_FIELDS.get(type ?? '')?.has(field)) continue;
    problems.schema(`Field '${field}' is not supported`, location);
  }
  for (const field of TEXT_FIELDS) checkText(fields, field, location, problems);
  if (known.has('Next')) checkTransition(state, problems);
  for (const list of LISTS) if (known.has(list)) checkList(state, list, problems);
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

function checkList(state: RawState, list: List, problems: Problems): void {
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
  for (const item of objectsIn(state, list)) checkItem(state, item, list, problems);
}

function checkItem(
  state: RawState,
  { fields, location }: { readonly fields: JsonObject; readonly location: string },
  list: List,
  problems: Problems,
): void {
  for (const field of Object.keys(fields)) {
    const isForeign = state.language === 'JSONPath' ? JSONATA_FIELDS.has(field) : isPathField(field, list);
    if (isForeign) problems.schema(foreignField(field, state.language), location);
    else if (!LIST_FIELDS[list].has(field) && !isPathField(field, list)) {
      problems.schema(`Field '${field}' is not supported`, location);
    }
  }
  checkText(fields, 'Next', location, problems);
  checkText(fields, 'Comment', location, problems);
}

/** Fields that rules and catchers have in JSONPath only: `Variable`, what joins rules, and comparisons. */
function isPathField(field: string, list: List): boolean {
  if (list === 'Catch') return field === 'ResultPath';
  return (
    list === 'Choices' &&
    /^(?:And|Or|Not|Variable|Is[A-Z]\w+|(?:String|Numeric|Boolean|Timestamp)\w+)$/.test(field)
  );
}

function checkText(fields: JsonObject, field: string, location: string, problems: Problems): void {
  const value: Json | undefined = fields[field];
  if (value === undefined || typeof value === 'string') return;
  problems.schema('Expected value of type String', `${location}/${field}`);
}
