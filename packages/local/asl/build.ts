import { isJsonObject, type Json, type JsonObject } from '../json/json';
import type {
  Assignments,
  Catcher,
  ChoiceRule,
  DataFlow,
  Definition,
  Recovers,
  Retrier,
  State,
  WaitUntil,
} from './definition';
import { objectsIn, processorField, type RawMachine, type RawState } from './raw';
import { parseResource } from './resource';
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
  const { name } = state;
  const fields = new Fields(state);
  const next = optionalText(state.fields, 'Next', 'next');
  switch (state.type) {
    case 'Task':
      return {
        kind: 'task',
        name,
        resource: resourceOf(state.fields),
        ...fields.template('Arguments', 'arguments'),
        ...fields.template('TimeoutSeconds', 'timeoutSeconds'),
        ...fields.template('HeartbeatSeconds', 'heartbeatSeconds'),
        ...fields.roleArn(),
        ...fields.dataFlow(state.fields),
        ...fields.recovery(state),
        ...next,
      };
    case 'Choice':
      return {
        kind: 'choice',
        name,
        rules: objectsIn(state, 'Choices').map(item => fields.rule(item.fields)),
        ...optionalText(state.fields, 'Default', 'default'),
        ...fields.dataFlow(state.fields),
      };
    case 'Pass':
      return { kind: 'pass', name, ...fields.dataFlow(state.fields), ...next };
    case 'Wait':
      return { kind: 'wait', name, until: fields.until(), ...fields.dataFlow(state.fields), ...next };
    case 'Succeed':
      return { kind: 'succeed', name, ...fields.template('Output', 'output') };
    case 'Fail':
      return {
        kind: 'fail',
        name,
        ...fields.template('Error', 'error'),
        ...fields.template('Cause', 'cause'),
      };
    case 'Parallel':
      return {
        kind: 'parallel',
        name,
        branches: state.inner.map(scope => text(scope.fields, 'StartAt')),
        ...fields.template('Arguments', 'arguments'),
        ...fields.dataFlow(state.fields),
        ...fields.recovery(state),
        ...next,
      };
    case 'Map':
      return {
        kind: 'map',
        name,
        processor: processorStart(state),
        ...fields.template('Items', 'items'),
        ...fields.template('ItemSelector', 'itemSelector'),
        ...fields.template('MaxConcurrency', 'maxConcurrency'),
        ...fields.template('ToleratedFailureCount', 'toleratedFailureCount'),
        ...fields.template('ToleratedFailurePercentage', 'toleratedFailurePercentage'),
        ...fields.dataFlow(state.fields),
        ...fields.recovery(state),
        ...next,
      };
    default:
      throw new Error(`state '${name}' has the unchecked type '${state.type}'`);
  }
}

/** Reads fields of one state. Only a JSONata state has expressions: elsewhere `{% %}` is a text like any other. */
class Fields {
  readonly #fields: JsonObject;
  readonly #templateOf: (value: Json) => Template;

  constructor({ fields, language }: RawState) {
    this.#fields = fields;
    this.#templateOf = language === 'JSONata' ? templateOf : value => ({ kind: 'constant', value });
  }

  template<Name extends string>(field: string, name: Name, fields: JsonObject = this.#fields) {
    const value = fields[field];
    return optional(name, value === undefined ? undefined : this.#templateOf(value));
  }

  roleArn() {
    const credentials = this.#fields['Credentials'];
    return isJsonObject(credentials) ? this.template('RoleArn', 'roleArn', credentials) : {};
  }

  until(): WaitUntil {
    const seconds = this.#fields['Seconds'];
    if (seconds !== undefined) return { kind: 'seconds', seconds: this.#templateOf(seconds) };
    return { kind: 'timestamp', timestamp: this.#templateOf(text(this.#fields, 'Timestamp')) };
  }

  /** `Result` of a JSONPath Pass is what `Output` is elsewhere: it stands alone, as no path is supported. */
  dataFlow(fields: JsonObject): DataFlow {
    const output = this.template('Output', 'output', fields);
    const result = this.template('Result', 'output', fields);
    const assign = fields['Assign'];
    if (!isJsonObject(assign)) return { ...output, ...result };
    const assignments: Assignments = Object.entries(assign).map(([name, value]) => [
      name,
      this.#templateOf(value),
    ]);
    return { ...output, ...result, assign: assignments };
  }

  recovery(state: RawState): Recovers {
    return {
      retry: objectsIn(state, 'Retry').map(item => retrier(item.fields)),
      catch: objectsIn(state, 'Catch').map(item => this.#catcher(item.fields)),
    };
  }

  rule(fields: JsonObject): ChoiceRule {
    return {
      condition: this.#templateOf(fields['Condition'] ?? null),
      next: text(fields, 'Next'),
      ...this.dataFlow(fields),
    };
  }

  #catcher(fields: JsonObject): Catcher {
    return { errorEquals: names(fields), next: text(fields, 'Next'), ...this.dataFlow(fields) };
  }
}

function resourceOf(fields: JsonObject) {
  const resource = parseResource(text(fields, 'Resource'));
  if (!resource) throw new Error(`unchecked resource '${fields['Resource']}'`);
  return resource;
}

function processorStart(state: RawState): string {
  const [processor] = state.inner;
  if (!processor) throw new Error(`unchecked '${processorField(state.fields)}' of state '${state.name}'`);
  return text(processor.fields, 'StartAt');
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

function optional<Name extends string, Value extends string | number | Template>(
  name: Name,
  value: Value | undefined,
) {
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value };
}

function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
