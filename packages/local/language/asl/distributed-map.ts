import { isJsonObject, type JsonObject } from '../../json/json';
import type { DistributedMap, Field, ItemBatcher, ItemFormat, ItemReader } from './definition';
import { JsonataFields } from './jsonata-fields';
import { PathFields } from './path-fields';
import type { RawMachine, RawState } from './raw';

// Distributed Map, which the States Language has as fields alone: https://states-language.net/spec.html#map-state
// What they mean is the service's: https://docs.aws.amazon.com/step-functions/latest/dg/state-map-distributed.html

/** The delimiters of CSV by their names. */
export const CSV_DELIMITERS: ReadonlyMap<string, string> = new Map([
  ['COMMA', ','],
  ['PIPE', '|'],
  ['SEMICOLON', ';'],
  ['SPACE', ' '],
  ['TAB', '\t'],
]);

/** Whether a processor's items are processed by executions of their own. */
export function isDistributed(processor: JsonObject): boolean {
  const config = processor['ProcessorConfig'];
  return isJsonObject(config) && config['Mode'] === 'DISTRIBUTED';
}

/** The states that run in Express executions although their machine is a Standard one. */
export function expressStates(machine: RawMachine): ReadonlySet<RawState> {
  const within = ({ inner }: RawState): RawState[] =>
    inner.flatMap(scope => scope.states.flatMap(state => [state, ...within(state)]));
  const isExpress = ({ inner: [processor] }: RawState) => {
    const config = processor?.fields['ProcessorConfig'];
    return isJsonObject(config) && config['Mode'] === 'DISTRIBUTED' && config['ExecutionType'] === 'EXPRESS';
  };
  return new Set(machine.states.filter(state => state.type === 'Map' && isExpress(state)).flatMap(within));
}

/** What a checked Map in mode DISTRIBUTED has; undefined for an inline one. */
export function buildDistributedMap(
  { fields, language, inner }: RawState,
  machine: JsonObject,
): DistributedMap | undefined {
  const [processor] = inner;
  if (!processor || !isDistributed(processor.fields)) return undefined;
  const { ProcessorConfig: config, ...scope } = processor.fields;
  const own = { ...scope, QueryLanguage: machine['QueryLanguage'] ?? 'JSONPath' };
  const { ItemReader: reader, ItemBatcher: batcher, ResultWriter: writer, Label: label } = fields;
  const read = (part: JsonObject) =>
    language === 'JSONata' ? new JsonataFields(part) : new PathFields(part);
  return {
    executionType: isJsonObject(config) && config['ExecutionType'] === 'EXPRESS' ? 'EXPRESS' : 'STANDARD',
    definitionText: JSON.stringify(own),
    ...(typeof label === 'string' && { label }),
    ...(isJsonObject(reader) && { reader: readerOf(reader, read) }),
    ...(isJsonObject(batcher) && { batcher: batcherOf(batcher, read) }),
    ...(isJsonObject(writer) && { writer: optional('arguments', read(writer).arguments()) }),
  };
}

type Read = (part: JsonObject) => JsonataFields | PathFields;

function readerOf(reader: JsonObject, read: Read): ItemReader {
  const config = isJsonObject(reader['ReaderConfig']) ? reader['ReaderConfig'] : {};
  return {
    source: String(reader['Resource']).endsWith(':listObjectsV2') ? 'listing' : 'object',
    ...optional('arguments', read(reader).arguments()),
    format: formatOf(config),
    ...optional('maxItems', read(config).value('MaxItems')),
  };
}

function formatOf(config: JsonObject): ItemFormat {
  const {
    InputType: inputType,
    CSVHeaders: headers,
    CSVDelimiter: delimiter,
    ItemsPointer: pointer,
  } = config;
  if (inputType === 'JSONL') return { inputType };
  if (inputType !== 'CSV')
    return { inputType: 'JSON', ...(typeof pointer === 'string' && { itemsPointer: pointer }) };
  const isGiven = config['CSVHeaderLocation'] === 'GIVEN';
  return {
    inputType,
    ...(isGiven && Array.isArray(headers) && { headers: headers.map(String) }),
    delimiter: CSV_DELIMITERS.get(String(delimiter ?? 'COMMA')) ?? ',',
  };
}

function batcherOf(batcher: JsonObject, read: Read): ItemBatcher {
  const fields = read(batcher);
  const input = batcher['BatchInput'];
  return {
    ...optional('maxItems', fields.value('MaxItemsPerBatch')),
    ...optional('maxBytes', fields.value('MaxInputBytesPerBatch')),
    // A template like any other, in the state's own language.
    ...optional(
      'batchInput',
      input === undefined ? undefined : read({ Arguments: input, Parameters: input }).arguments(),
    ),
  };
}

function optional<Name extends string>(name: Name, field: Field | undefined) {
  return (field === undefined ? {} : { [name]: field }) as { readonly [key in Name]?: Field };
}
