import { isJsonObject, type JsonObject } from '../../../json/json';
import type { Problems } from '../problems';
import { has, processorField, type RawMachine, type RawScope, type RawState } from '../raw';

// Branches: https://states-language.net/spec.html#parallel-state
// Processors: https://states-language.net/spec.html#map-state
// What only a Distributed Map has is checked in distributed-map.ts.

/** Checks that states stand in an object, and what a Parallel and a Map run. */
export function validateScopes(machine: RawMachine, problems: Problems): void {
  for (const scope of machine.scopes) checkStates(scope, problems);
  for (const state of machine.states) {
    if (state.type === 'Parallel') checkBranches(state, problems);
    if (state.type === 'Map') checkMap(state, problems);
  }
  checkNames(machine, problems);
}

function checkStates({ fields, location }: RawScope, problems: Problems): void {
  const states = fields['States'];
  const statesLocation = `${location}/States`;
  if (states === undefined) return;
  if (!isJsonObject(states)) problems.schema('Expected value of type Object', statesLocation);
  else if (Object.keys(states).length === 0) problems.schema('Value cannot be empty', statesLocation);
  else {
    for (const [name, state] of Object.entries(states)) {
      if (!isJsonObject(state)) problems.schema('Expected value of type Object', `${statesLocation}/${name}`);
    }
  }
}

function checkBranches(state: RawState, problems: Problems): void {
  const branches = state.fields['Branches'];
  const branchesLocation = `${state.location}/Branches`;
  if (branches === undefined) problems.schema('These fields are required: [Branches]', state.location);
  else if (!Array.isArray(branches)) problems.schema('Expected value of type Array', branchesLocation);
  else if (branches.length === 0) problems.schema('Value cannot be empty', branchesLocation);
  else {
    for (const [index, branch] of branches.entries()) {
      if (!isJsonObject(branch))
        problems.schema('Expected value of type Object', `${branchesLocation}[${index}]`);
    }
  }
  for (const scope of state.inner) checkFields(scope, BRANCH_FIELDS, problems);
}

const BRANCH_FIELDS = ['StartAt', 'States', 'Comment'];
const PROCESSOR_FIELDS = [...BRANCH_FIELDS, 'ProcessorConfig'];

function checkFields({ fields, location }: RawScope, known: readonly string[], problems: Problems): void {
  const missing = ['States', 'StartAt'].filter(field => !has(fields, field));
  if (missing.length > 0) problems.schema(`These fields are required: [${missing.join(', ')}]`, location);
  for (const field of Object.keys(fields)) {
    if (!known.includes(field)) problems.schema(`Field '${field}' is not supported`, location);
  }
  for (const field of ['StartAt', 'Comment']) {
    const isText = fields[field] === undefined || typeof fields[field] === 'string';
    if (!isText) problems.schema('Expected value of type String', `${location}/${field}`);
  }
}

function checkMap(state: RawState, problems: Problems): void {
  const { fields, location, inner } = state;
  const processorName = processorField(fields);
  const [processor] = inner;
  if (!processor) {
    if (has(fields, processorName))
      problems.schema('Expected value of type Object', `${location}/${processorName}`);
    else problems.schema('These fields are required: [ItemProcessor]', location);
    return;
  }
  checkFields(processor, PROCESSOR_FIELDS, problems);
  checkMode(processor.fields, `${location}/${processorName}/ProcessorConfig`, problems);
}

function checkMode(processor: JsonObject, location: string, problems: Problems): void {
  const config = processor['ProcessorConfig'];
  if (config === undefined) return;
  if (!isJsonObject(config)) {
    problems.schema('Expected value of type Object', location);
    return;
  }
  const mode = config['Mode'];
  if (mode !== undefined && mode !== 'INLINE' && mode !== 'DISTRIBUTED') {
    problems.schema('Value should be one of the following: [INLINE, DISTRIBUTED]', `${location}/Mode`);
  }
}

/** A name stands for one state in the whole machine, whatever its scope. */
function checkNames(machine: RawMachine, problems: Problems): void {
  const seen = new Set<string>();
  for (const { name, location } of machine.states) {
    if (seen.has(name)) problems.add('DUPLICATE_STATE_NAME', `Duplicate State name: ${name}`, location);
    seen.add(name);
  }
}
