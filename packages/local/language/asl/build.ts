import type { Json, JsonObject } from '../../json/json';
import type { ComputedFields } from './computed-fields';
import type {
  ChoiceRule,
  Definition,
  DistributedMap,
  Field,
  Recovers,
  Retrier,
  State,
  WaitUntil,
} from './definition';
import { buildDistributedMap } from './distributed-map';
import { JsonataFields } from './jsonata-fields';
import { PathFields } from './path-fields';
import { objectsIn, processorField, type RawMachine, type RawState } from './raw';
import { parseResource } from './resource';

/** The typed form of a definition that has passed every rule of `validate/`. */
export function buildDefinition(machine: RawMachine): Definition {
  return {
    startAt: text(machine.fields, 'StartAt'),
    states: new Map(machine.states.map(state => [state.name, buildState(state, machine.fields)])),
    ...number(machine.fields, 'TimeoutSeconds', 'timeoutSeconds'),
  };
}

function buildState(state: RawState, machine: JsonObject): State {
  const { name } = state;
  const fields: ComputedFields =
    state.language === 'JSONata' ? new JsonataFields(state.fields) : new PathFields(state.fields);
  const next = optionalText(state.fields, 'Next', 'next');
  switch (state.type) {
    case 'Task':
      return {
        kind: 'task',
        name,
        resource: resourceOf(state.fields),
        ...optional('arguments', fields.arguments()),
        ...optional('timeoutSeconds', fields.value('TimeoutSeconds')),
        ...optional('heartbeatSeconds', fields.value('HeartbeatSeconds')),
        ...optional('roleArn', fields.roleArn()),
        ...fields.dataFlow(),
        ...recoveryOf(state, fields),
        ...next,
      };
    case 'Choice':
      return {
        kind: 'choice',
        name,
        rules: rulesOf(state, fields),
        ...optionalText(state.fields, 'Default', 'default'),
        ...fields.dataFlow(),
      };
    case 'Pass':
      return { kind: 'pass', name, ...optional('result', fields.result()), ...fields.dataFlow(), ...next };
    case 'Wait':
      return { kind: 'wait', name, until: untilOf(fields), ...fields.dataFlow(), ...next };
    case 'Succeed':
      return { kind: 'succeed', name, ...fields.dataFlow() };
    case 'Fail':
      return {
        kind: 'fail',
        name,
        ...optional('error', fields.value('Error')),
        ...optional('cause', fields.value('Cause')),
      };
    case 'Parallel':
      return {
        kind: 'parallel',
        name,
        branches: state.inner.map(scope => text(scope.fields, 'StartAt')),
        ...optional('arguments', fields.arguments()),
        ...fields.dataFlow(),
        ...recoveryOf(state, fields),
        ...next,
      };
    case 'Map':
      return {
        kind: 'map',
        name,
        processor: processorStart(state),
        ...optional('items', fields.items()),
        ...optional('itemSelector', fields.itemSelector()),
        ...optional('maxConcurrency', fields.value('MaxConcurrency')),
        ...optional('toleratedFailureCount', fields.value('ToleratedFailureCount')),
        ...optional('toleratedFailurePercentage', fields.value('ToleratedFailurePercentage')),
        ...distributedIn(state, machine),
        ...fields.dataFlow(),
        ...recoveryOf(state, fields),
        ...next,
      };
    default:
      throw new Error(`state '${name}' has the unchecked type '${state.type}'`);
  }
}

function rulesOf(state: RawState, fields: ComputedFields): readonly ChoiceRule[] {
  return objectsIn(state, 'Choices').map(item => ({
    condition: fields.condition(item.fields),
    next: text(item.fields, 'Next'),
    ...fields.dataFlow({ list: 'Choices', fields: item.fields }),
  }));
}

function distributedIn(state: RawState, machine: JsonObject): { readonly distributed?: DistributedMap } {
  const distributed = buildDistributedMap(state, machine);
  return distributed ? { distributed } : {};
}

function untilOf(fields: ComputedFields): WaitUntil {
  const seconds = fields.value('Seconds');
  if (seconds) return { kind: 'seconds', seconds };
  const timestamp = fields.value('Timestamp');
  if (timestamp) return { kind: 'timestamp', timestamp };
  throw new Error('an unchecked Wait: it has no time');
}

function recoveryOf(state: RawState, fields: ComputedFields): Recovers {
  return {
    retry: objectsIn(state, 'Retry').map(item => retrier(item.fields)),
    catch: objectsIn(state, 'Catch').map(item => ({
      errorEquals: names(item.fields),
      next: text(item.fields, 'Next'),
      ...fields.dataFlow({ list: 'Catch', fields: item.fields }),
    })),
  };
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

function optional<Name extends string, Value extends string | number | Field>(
  name: Name,
  value: Value | undefined,
) {
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value };
}

function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
