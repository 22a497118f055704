import type {
  Assignments,
  Catcher,
  ChoiceRule,
  DataFlow,
  Definition,
  Retrier,
  State,
  WaitUntil,
} from './definition';
import { isJsonObject, type Json, type JsonObject } from './json';
import { objectsIn, type RawMachine, type RawState } from './raw';
import { parseIntegration } from './resource';
import { type Template, templateOf } from './template';

/** The typed form of a definition that has passed every rule of `validate/`. */
export function buildDefinition(machine: RawMachine): Definition {
  return {
    startAt: text(machine.fields, 'StartAt'),
    states: new Map(machine.states.map(state => [state.name, buildState(state)])),
    ...number(machine.fields, 'TimeoutSeconds', 'timeoutSeconds'),
  };
}

function buildState(state: RawState): State {
  const { name, fields } = state;
  switch (state.type) {
    case 'Task':
      return {
        kind: 'task',
        name,
        resource: integration(fields),
        ...template(fields, 'Arguments', 'arguments'),
        ...template(fields, 'TimeoutSeconds', 'timeoutSeconds'),
        ...dataFlow(fields),
        retry: objectsIn(state, 'Retry').map(item => retrier(item.fields)),
        catch: objectsIn(state, 'Catch').map(item => catcher(item.fields)),
        ...optionalText(fields, 'Next', 'next'),
      };
    case 'Choice':
      return {
        kind: 'choice',
        name,
        rules: objectsIn(state, 'Choices').map(item => rule(item.fields)),
        ...optionalText(fields, 'Default', 'default'),
        ...dataFlow(fields),
      };
    case 'Pass':
      return { kind: 'pass', name, ...dataFlow(fields), ...optionalText(fields, 'Next', 'next') };
    case 'Wait':
      return {
        kind: 'wait',
        name,
        until: until(fields),
        ...dataFlow(fields),
        ...optionalText(fields, 'Next', 'next'),
      };
    case 'Succeed':
      return { kind: 'succeed', name, ...template(fields, 'Output', 'output') };
    case 'Fail':
      return {
        kind: 'fail',
        name,
        ...template(fields, 'Error', 'error'),
        ...template(fields, 'Cause', 'cause'),
      };
    default:
      throw new Error(`state '${name}' has the unchecked type '${state.type}'`);
  }
}

function integration(fields: JsonObject) {
  const resource = parseIntegration(text(fields, 'Resource'));
  if (!resource) throw new Error(`unchecked resource '${fields['Resource']}'`);
  return resource;
}

function until(fields: JsonObject): WaitUntil {
  const seconds = fields['Seconds'];
  if (seconds !== undefined) return { kind: 'seconds', seconds: templateOf(seconds) };
  return { kind: 'timestamp', timestamp: templateOf(text(fields, 'Timestamp')) };
}

function retrier(fields: JsonObject): Retrier {
  return {
    errorEquals: names(fields),
    intervalSeconds: numberOr(fields['IntervalSeconds'], 1),
    maxAttempts: numberOr(fields['MaxAttempts'], 3),
    backoffRate: numberOr(fields['BackoffRate'], 2),
    ...number(fields, 'MaxDelaySeconds', 'maxDelaySeconds'),
    jitter: fields['JitterStrategy'] === 'FULL' ? 'FULL' : 'NONE',
  };
}

function catcher(fields: JsonObject): Catcher {
  return { errorEquals: names(fields), next: text(fields, 'Next'), ...dataFlow(fields) };
}

function rule(fields: JsonObject): ChoiceRule {
  return {
    condition: templateOf(fields['Condition'] ?? null),
    next: text(fields, 'Next'),
    ...dataFlow(fields),
  };
}

function dataFlow(fields: JsonObject): DataFlow {
  const assign = fields['Assign'];
  if (!isJsonObject(assign)) return template(fields, 'Output', 'output');
  const assignments: Assignments = Object.entries(assign).map(([name, value]) => [name, templateOf(value)]);
  return { ...template(fields, 'Output', 'output'), assign: assignments };
}

function names(fields: JsonObject): readonly string[] {
  const list = fields['ErrorEquals'];
  return Array.isArray(list) ? list.map(String) : [];
}

function text(fields: JsonObject, field: string): string {
  return String(fields[field]);
}

// Absent fields stay absent, so that definitions compare and print without `undefined` members.
function optionalText<Name extends string>(fields: JsonObject, field: string, name: Name) {
  return optional(name, typeof fields[field] === 'string' ? fields[field] : undefined);
}

function number<Name extends string>(fields: JsonObject, field: string, name: Name) {
  return optional(name, typeof fields[field] === 'number' ? fields[field] : undefined);
}

function template<Name extends string>(fields: JsonObject, field: string, name: Name) {
  const value = fields[field];
  return optional(name, value === undefined ? undefined : templateOf(value));
}

function optional<Name extends string, Value extends string | number | Template>(
  name: Name,
  value: Value | undefined,
) {
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value };
}

function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
