import jsonata206 from 'jsonata206';
import { isJsonObject, type Json } from '../../../json/json';
import type { Node } from '../../jsonata/ast';
import type { Problems } from '../problems';
import { objectsIn, type RawItem, type RawMachine, type RawState } from '../raw';
import { expressionIn } from '../template';
import { type Reference, referencesOf } from './references';

// Expressions: https://states-language.net/spec.html#expressions
// The reserved variable `$states`: https://states-language.net/spec.html#reserved-states-variable-with-jsonata
// What an expression must not refer to: https://states-language.net/spec.html#jsonata-restrictions

/** Checks every expression: its delimiters, its syntax, and what it may refer to where it stands. */
export function validateExpressions(machine: RawMachine, problems: Problems): void {
  for (const state of machine.states) {
    if (state.language === 'JSONata') checkState(state, problems);
  }
}

/** The member that `$states` has in a field beside input and context. */
type StatesMember = 'result' | 'errorOutput' | 'nothing';

interface Field {
  readonly location: string;
  readonly member: StatesMember;
}

const OWN_FIELDS = [
  ...['Arguments', 'Seconds', 'Timestamp', 'Error', 'Cause', 'TimeoutSeconds', 'HeartbeatSeconds'],
  ...['Credentials', 'Items', 'ItemSelector', 'MaxConcurrency', 'ItemReader', 'ItemBatcher', 'ResultWriter'],
  ...['ToleratedFailureCount', 'ToleratedFailurePercentage'],
];

const LEAVING_FIELDS = ['Assign', 'Output'];

const RULE_FIELDS = ['Condition', ...LEAVING_FIELDS];

/** States whose `Output` and `Assign` have a result to work with. */
const WITH_RESULT = ['Task', 'Parallel', 'Map'];

function checkState(state: RawState, problems: Problems): void {
  const result: StatesMember = WITH_RESULT.includes(state.type ?? '') ? 'result' : 'nothing';
  checkFields(state, OWN_FIELDS, 'nothing', problems);
  checkFields(state, LEAVING_FIELDS, result, problems);
  for (const item of objectsIn(state, 'Choices')) checkFields(item, RULE_FIELDS, 'nothing', problems);
  for (const item of objectsIn(state, 'Catch')) checkFields(item, LEAVING_FIELDS, 'errorOutput', problems);
}

function checkFields(
  { fields, location }: RawItem,
  names: readonly string[],
  member: StatesMember,
  problems: Problems,
): void {
  for (const name of names) {
    const value = fields[name];
    if (value !== undefined) checkValue(value, `${location}/${name}`, member, problems);
  }
}

function checkValue(value: Json, location: string, member: StatesMember, problems: Problems): void {
  if (typeof value === 'string') {
    if (value.startsWith('{%')) checkExpression(value, { location, member }, problems);
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1)
      checkValue(value[index] as Json, `${location}[${index}]`, member, problems);
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value))
      checkValue(value[name] as Json, `${location}/${name}`, member, problems);
  }
}

function checkExpression(text: string, field: Field, problems: Problems): void {
  const source = expressionIn(text);
  if (source === undefined) {
    problems.schema('JSONata string must start with {% and end with %}', field.location);
    return;
  }
  const parsed = parse(source);
  if (parsed.kind === 'invalid') {
    problems.add('INVALID_JSONATA_EXPRESSION', parsed.message, field.location);
    return;
  }
  for (const reference of parsed.references) {
    const complaint = complaintAbout(reference.name, reference.kind, field.member);
    if (complaint) problems.add('UNSUPPORTED_JSONATA_EXPRESSION', complaint, field.location);
  }
}

type Parsed =
  | { readonly kind: 'parsed'; readonly references: readonly Reference[] }
  | { readonly kind: 'invalid'; readonly message: string };

/** What an expression refers to; the same text is parsed once, as the same machine is often registered again. */
function parse(source: string): Parsed {
  const known = PARSED.get(source);
  if (known) return known;
  if (PARSED.size >= PARSED_MAX) PARSED.clear();
  const parsed = parseNew(source);
  PARSED.set(source, parsed);
  return parsed;
}

// The bound is for processes that see very many definitions.
const PARSED_MAX = 10_000;
const PARSED = new Map<string, Parsed>();

/**
 * Parses as the service does. The newer package accepts more (`??`, `?:`), so its older version is the gate
 * here; it is never used to evaluate, as it has known holes.
 */
function parseNew(source: string): Parsed {
  try {
    return { kind: 'parsed', references: referencesOf(jsonata206(source).ast() as unknown as Node) };
  } catch (error) {
    return { kind: 'invalid', message: (error as jsonata206.JsonataError).message };
  }
}

function complaintAbout(
  name: string,
  kind: 'document' | 'name' | 'states',
  member: StatesMember,
): string | undefined {
  switch (kind) {
    case 'document':
      return `Reference to '$$' is not supported.`;
    case 'name':
      return `Reference to '${name}' at the top level is not supported.`;
    case 'states':
      return isAvailable(name, member) ? undefined : `Field '$states.${name}' does not exist.`;
    default:
      return kind satisfies never;
  }
}

function isAvailable(name: string, member: StatesMember): boolean {
  return name === 'input' || name === 'context' || name === member;
}
