import { isJsonObject, type JsonObject } from '../../../json/json';
import { CSV_DELIMITERS, expressStates, isDistributed } from '../distributed-map';
import type { Problems } from '../problems';
import { has, processorField, type RawMachine, type RawState } from '../raw';
import { parseIntegration } from '../resource';
import type { Rules } from './resource';

// Distributed Map: https://docs.aws.amazon.com/step-functions/latest/dg/state-map-distributed.html
// What the service takes and we do not is named as such.

/** Checks what Maps in mode DISTRIBUTED have, and that others have none of it. */
export function validateDistributedMaps(machine: RawMachine, problems: Problems, rules: Rules): void {
  const express = expressStates(machine);
  for (const state of machine.states) {
    if (state.type !== 'Map') continue;
    checkMap(state, problems, express.has(state) ? { ...rules, type: 'EXPRESS' } : rules);
  }
}

/** Fields that only a Distributed Map has. */
const DISTRIBUTED_FIELDS = ['ItemReader', 'ItemBatcher', 'ResultWriter', 'Label'];

/** What the fields that read and write objects do that with. */
const S3_INTEGRATIONS = [
  ['ItemReader', 'aws-sdk:s3:getObject'],
  ['ResultWriter', 'aws-sdk:s3:putObject'],
] as const;

function checkMap(state: RawState, problems: Problems, { type, knows = () => true }: Rules): void {
  const { fields, location, inner } = state;
  const [processor] = inner;
  if (!processor) return;
  if (!isDistributed(processor.fields)) {
    for (const field of DISTRIBUTED_FIELDS.filter(name => has(fields, name))) {
      problems.schema(`Field '${field}' is only supported for Map states with mode DISTRIBUTED`, location);
    }
    return;
  }
  const configLocation = `${location}/${processorField(fields)}/ProcessorConfig`;
  if (type === 'EXPRESS')
    problems.schema('Express state machine does not support mode DISTRIBUTED', configLocation);
  checkExecutionType(processor.fields, configLocation, problems);
  checkLabel(fields['Label'], `${location}/Label`, problems);
  for (const [field, integration] of S3_INTEGRATIONS) {
    if (has(fields, field) && !knows(integration))
      problems.unsupported(`Field '${field}' without S3`, `${location}/${field}`);
  }
  checkReader(state, problems);
  checkBatcher(state, problems);
  checkWriter(state, problems);
}

function checkExecutionType(processor: JsonObject, location: string, problems: Problems): void {
  const { ProcessorConfig: config } = processor;
  const type = isJsonObject(config) ? config['ExecutionType'] : undefined;
  if (type === undefined) problems.schema('These fields are required: [ExecutionType]', location);
  else if (type !== 'STANDARD' && type !== 'EXPRESS') {
    problems.schema('Value should be one of the following: [STANDARD, EXPRESS]', `${location}/ExecutionType`);
  }
}

const LABEL_CHARACTERS_MAX = 40;

function checkLabel(label: unknown, location: string, problems: Problems): void {
  if (typeof label !== 'string') return;
  const isLabel =
    label !== '' && label.length <= LABEL_CHARACTERS_MAX && !/[\s?*<>{}[\]:;,\\|^~$#%&`"/\p{C}]/u.test(label);
  if (!isLabel) problems.schema(`Label is not valid: '${label}'`, location);
}

const READERS = ['s3:getObject', 's3:listObjectsV2'];
const READER_CONFIG = [
  ...['InputType', 'CSVHeaderLocation', 'CSVHeaders', 'CSVDelimiter', 'MaxItems', 'MaxItemsPath'],
  ...['ItemsPointer', 'ManifestType', 'Transformation'],
];
/** Input types that are not read here. */
const FOREIGN_TYPES = ['MANIFEST', 'PARQUET'];

function checkReader(state: RawState, problems: Problems): void {
  const given = objectOf(state, 'ItemReader', problems);
  if (!given) return;
  const { part: reader, location } = given;
  checkKnown(reader, ['Resource', argumentsField(state), 'ReaderConfig'], location, problems);
  const { Resource: resource, ReaderConfig: config } = reader;
  if (typeof resource !== 'string') problems.schema('These fields are required: [Resource]', location);
  else if (!READERS.includes(integrationOf(resource)))
    problems.unsupported(`Resource ${resource} of an ItemReader`, `${location}/Resource`);
  if (config === undefined) {
    if (integrationOf(resource) === READERS[0])
      problems.schema('These fields are required: [ReaderConfig]', location);
    return;
  }
  if (!isJsonObject(config)) problems.schema('Expected value of type Object', `${location}/ReaderConfig`);
  else checkReaderConfig(config, `${location}/ReaderConfig`, problems);
}

function checkReaderConfig(config: JsonObject, location: string, problems: Problems): void {
  checkKnown(config, READER_CONFIG, location, problems);
  const { InputType: type, CSVHeaderLocation: headers, CSVHeaders: names } = config;
  if (FOREIGN_TYPES.includes(String(type)))
    problems.unsupported(`InputType ${String(type)} (Distributed Map)`, `${location}/InputType`);
  else oneOf(config, 'InputType', ['CSV', 'JSON', 'JSONL'], { location, problems });
  if (config['Transformation'] !== undefined && config['Transformation'] !== 'NONE')
    problems.unsupported(`Transformation ${String(config['Transformation'])} (Distributed Map)`, location);
  if (type !== 'CSV') return;
  oneOf(config, 'CSVHeaderLocation', ['FIRST_ROW', 'GIVEN'], { location, problems });
  oneOf(config, 'CSVDelimiter', [...CSV_DELIMITERS.keys()], { location, problems });
  const areNames = Array.isArray(names) && names.length > 0 && names.every(name => typeof name === 'string');
  if (headers === 'GIVEN' && !areNames) problems.schema('These fields are required: [CSVHeaders]', location);
}

function checkBatcher(state: RawState, problems: Problems): void {
  const given = objectOf(state, 'ItemBatcher', problems);
  if (!given) return;
  const { part, location } = given;
  const limits = ['MaxItemsPerBatch', 'MaxInputBytesPerBatch'];
  const paths = state.language === 'JSONPath' ? limits.map(name => `${name}Path`) : [];
  checkKnown(part, [...limits, ...paths, 'BatchInput'], location, problems);
  if (![...limits, ...paths].some(name => has(part, name)))
    problems.schema(`At least one of these fields is required: [${limits.join(', ')}]`, location);
  for (const name of limits) {
    const limit = part[name];
    if (typeof limit === 'number' && !(Number.isInteger(limit) && limit > 0))
      problems.schema('Minimum value is 1', `${location}/${name}`);
  }
}

function checkWriter(state: RawState, problems: Problems): void {
  const given = objectOf(state, 'ResultWriter', problems);
  if (!given) return;
  const { part, location } = given;
  if (has(part, 'WriterConfig'))
    problems.unsupported('WriterConfig (Distributed Map)', `${location}/WriterConfig`);
  checkKnown(part, ['Resource', argumentsField(state), 'WriterConfig'], location, problems);
  const { Resource: resource } = part;
  if (resource === undefined && !has(part, 'WriterConfig'))
    problems.schema('These fields are required: [Resource]', location);
  else if (resource !== undefined && integrationOf(resource) !== 's3:putObject')
    problems.unsupported(`Resource ${String(resource)} of a ResultWriter`, `${location}/Resource`);
}

function integrationOf(resource: unknown): string {
  return (typeof resource === 'string' && parseIntegration(resource)?.integration) || '';
}

function argumentsField({ language }: RawState): string {
  return language === 'JSONata' ? 'Arguments' : 'Parameters';
}

function objectOf(
  { fields, location }: RawState,
  field: string,
  problems: Problems,
): { readonly part: JsonObject; readonly location: string } | undefined {
  const part = fields[field];
  if (part === undefined) return undefined;
  if (isJsonObject(part)) return { part, location: `${location}/${field}` };
  problems.schema('Expected value of type Object', `${location}/${field}`);
  return undefined;
}

function checkKnown(part: JsonObject, known: readonly string[], location: string, problems: Problems): void {
  for (const field of Object.keys(part)) {
    if (!known.includes(field)) problems.schema(`Field '${field}' is not supported`, location);
  }
}

function oneOf(
  config: JsonObject,
  field: string,
  values: readonly string[],
  { location, problems }: { readonly location: string; readonly problems: Problems },
): void {
  const value = config[field];
  if (value === undefined || values.includes(String(value))) return;
  problems.schema(`Value should be one of the following: [${values.join(', ')}]`, `${location}/${field}`);
}
