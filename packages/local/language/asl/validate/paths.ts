import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import { parsePath } from '../../jsonpath/path';
import { parsePayloadTemplate, parseQuery } from '../../jsonpath/payload-template';
import { parseReferencePath } from '../../jsonpath/reference-path';
import type { Problems } from '../problems';
import { has, objectsIn, type RawMachine, type RawState } from '../raw';

// Paths: https://states-language.net/spec.html#path
// Payload templates: https://states-language.net/spec.html#payload-template
// What compares in a Choice is checked in choice-and-wait.ts.

/** Checks every path and every payload template of JSONPath states. */
export function validatePaths(machine: RawMachine, problems: Problems): void {
  for (const state of machine.states) {
    if (state.language === 'JSONPath') checkState(state, problems);
  }
}

/** Paths that may lead to several values; `null` stands for an empty object. */
const FILTERS = ['InputPath', 'OutputPath'];

/** Paths that must lead to one value, of the input or of a variable. */
const VALUES = [
  ...['TimeoutSecondsPath', 'HeartbeatSecondsPath', 'SecondsPath', 'TimestampPath', 'MaxConcurrencyPath'],
  ...['ToleratedFailureCountPath', 'ToleratedFailurePercentagePath'],
];

/** Paths, or intrinsic functions, that must lead to a text. */
const TEXTS = ['ErrorPath', 'CausePath'];

/** Literals that have a path for the case that they are computed. Those of a Wait are checked with it. */
const LITERALS = [
  ...['TimeoutSeconds', 'HeartbeatSeconds', 'MaxConcurrency', 'Error', 'Cause'],
  ...['ToleratedFailureCount', 'ToleratedFailurePercentage'],
];

const TEMPLATES = ['Parameters', 'ResultSelector', 'ItemSelector', 'Credentials'];

/** The same of the parts of a Distributed Map. */
const PART_TEMPLATES = ['Parameters', 'BatchInput'];
const PART_VALUES = ['MaxItemsPath', 'MaxItemsPerBatchPath', 'MaxInputBytesPerBatchPath'];

function partsOf({ fields, location }: RawState): (readonly [part: JsonObject, location: string])[] {
  const reader = fields['ItemReader'];
  const config = isJsonObject(reader) ? reader['ReaderConfig'] : undefined;
  const parts: [Json | undefined, string][] = [
    [reader, 'ItemReader'],
    [config, 'ItemReader/ReaderConfig'],
    [fields['ItemBatcher'], 'ItemBatcher'],
    [fields['ResultWriter'], 'ResultWriter'],
  ];
  return parts.flatMap(([part, name]) =>
    isJsonObject(part) ? [[part, `${location}/${name}`] as const] : [],
  );
}

function checkState(state: RawState, problems: Problems): void {
  const { fields, location } = state;
  const at = (field: string) => `${location}/${field}`;
  for (const field of FILTERS) checkFilter(fields[field], at(field), problems);
  for (const field of VALUES) checkValue(fields[field], at(field), problems);
  for (const field of TEXTS) checkQuery(fields, field, location, problems);
  checkItems(fields['ItemsPath'], at('ItemsPath'), problems);
  checkResultPath(fields['ResultPath'], at('ResultPath'), problems);
  for (const field of TEMPLATES) checkTemplate(fields[field], at(field), problems);
  for (const literal of LITERALS) {
    if (has(fields, literal) && has(fields, `${literal}Path`)) {
      const pair = `[${literal}, ${literal}Path]`;
      problems.schema(`There should only be one of the following fields: ${pair}`, location);
    }
  }
  for (const [part, partLocation] of partsOf(state)) {
    for (const field of PART_TEMPLATES) checkTemplate(part[field], `${partLocation}/${field}`, problems);
    for (const field of PART_VALUES) checkValue(part[field], `${partLocation}/${field}`, problems);
  }
  checkTemplate(fields['Assign'], at('Assign'), problems);
  for (const item of [...objectsIn(state, 'Choices'), ...objectsIn(state, 'Catch')]) {
    checkTemplate(item.fields['Assign'], `${item.location}/Assign`, problems);
  }
  for (const item of objectsIn(state, 'Catch')) {
    checkResultPath(item.fields['ResultPath'], `${item.location}/ResultPath`, problems);
  }
}

const NO_PATH = 'Value must be a valid JSONPath.';

function checkFilter(path: Json | undefined, location: string, problems: Problems): void {
  if (path === undefined || path === null) return;
  if (typeof path !== 'string') problems.schema('Expected value of type String', location);
  else {
    const parsed = parsePath(path);
    if (parsed.kind === 'invalid') problems.schema(NO_PATH, location, parsed.reason);
  }
}

function checkResultPath(path: Json | undefined, location: string, problems: Problems): void {
  checkFilter(path, location, problems);
  if (typeof path !== 'string' || parsePath(path).kind === 'invalid') return;
  const parsed = parseReferencePath(path);
  if (parsed.kind === 'invalid') problems.schema(`${NO_REFERENCE}: ${parsed.reason}`, location);
}

const NO_REFERENCE = 'Value is not a Reference Path';

/** Only the items of a Map may be taken from the context. */
function checkItems(path: Json | undefined, location: string, problems: Problems): void {
  checkReference(path, location, problems, () => true);
}

function checkValue(path: Json | undefined, location: string, problems: Problems): void {
  checkReference(path, location, problems, root => root !== 'context');
}

function checkReference(
  path: Json | undefined,
  location: string,
  problems: Problems,
  mayBegin: (root: string) => boolean,
): void {
  if (path === undefined) return;
  if (typeof path !== 'string') {
    problems.schema('Expected value of type String', location);
    return;
  }
  const parsed = parsePath(path);
  if (parsed.kind === 'invalid') problems.schema(NO_PATH, location, parsed.reason);
  else if (!parsed.path.isDefinite || !mayBegin(parsed.path.root.kind))
    problems.schema(NO_REFERENCE, location);
}

function checkQuery(fields: JsonObject, field: string, location: string, problems: Problems): void {
  const text = fields[field];
  if (text === undefined) return;
  if (typeof text !== 'string') problems.schema('Expected value of type String', `${location}/${field}`);
  else {
    const parsed = parseQuery(text);
    if (parsed.kind === 'invalid') problems.schema(noQuery(field), `${location}/${field}`, parsed.reason);
  }
}

function checkTemplate(template: Json | undefined, location: string, problems: Problems): void {
  if (template === undefined) return;
  const parsed = parsePayloadTemplate(template);
  if (parsed.kind === 'template') return;
  for (const { place, reason } of parsed.problems) {
    problems.schema(noQuery(place.at(-1) ?? ''), location, `\`${place.join('.')}\`: ${reason}`);
  }
}

function noQuery(field: string): string {
  return `The value for the field '${field}' must be a valid JSONPath or a valid intrinsic function call`;
}
