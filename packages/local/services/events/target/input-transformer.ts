import type { Json } from '../../../json/json';
import type { EventEnvelope } from '../event';
import {
  jsonFault,
  renderTemplate,
  templateFault,
  templateParts,
  type VariableValue,
} from './input-template';
import { compileJsonPath, type JsonPath } from './json-path';
import type { CompiledTargetInput, InputContext, InputTransformer } from './target';

/** AWS quotas of an input transformer. */
const PATHS_MAX = 100;
const TEMPLATE_CHARACTERS_MAX = 8_192;

type Predefined = (event: EventEnvelope, context: InputContext) => Json;

const PREDEFINED: ReadonlyMap<string, Predefined> = new Map<string, Predefined>([
  ['aws.events.rule-arn', (_event, { ruleArn }) => ruleArn],
  ['aws.events.rule-name', (_event, { ruleName }) => ruleName],
  ['aws.events.event.ingestion-time', (_event, { ingestedAt }) => isoTime(ingestedAt)],
  ['aws.events.event.json', event => event],
  ['aws.events.event', withoutDetail],
]);

/**
 * Compiles an input transformer for the target `id`; all problems of the transformer are reported together.
 *
 * A template that is a JSON object or array but renders to something else fails for that event: a quote in a value, or
 * an object or array of texts between quotes. Plain text goes to the target as it comes out.
 */
export function compileInputTransformer(id: string, transformer: InputTransformer): CompiledTargetInput {
  const { inputPathsMap = {}, inputTemplate } = transformer;
  const problems: string[] = [];
  const paths = compilePaths(id, inputPathsMap, problems);
  if (inputTemplate.length === 0 || inputTemplate.length > TEMPLATE_CHARACTERS_MAX)
    problems.push(`InputTemplate for target ${id} must have 1 to ${TEMPLATE_CHARACTERS_MAX} characters`);

  const parts = templateParts(inputTemplate);
  for (const part of parts) {
    if (part.kind === 'variable' && !PREDEFINED.has(part.name) && !Object.hasOwn(inputPathsMap, part.name))
      problems.push(`InputTemplate for target ${id} contains invalid placeholder ${part.name}.`);
  }
  const fault = templateFault(parts);
  if (fault !== undefined) problems.push(`Invalid InputTemplate for target ${id} : ${fault}`);
  if (problems.length > 0) return { kind: 'invalid', problems };

  const mustBeJson = /^\s*[{[]/.test(inputTemplate);
  return {
    kind: 'target',
    build(event, context) {
      const text = renderTemplate(parts, name => variable(name, paths, event, context), mustBeJson);
      const broken = mustBeJson ? jsonFault(text) : undefined;
      if (broken === undefined) return { kind: 'input', text };
      return { kind: 'failed', reason: `InputTransformer made text that is not JSON (${broken}): ${text}` };
    },
  };
}

function compilePaths(
  id: string,
  inputPathsMap: Readonly<Record<string, string>>,
  problems: string[],
): ReadonlyMap<string, JsonPath> {
  const entries = Object.entries(inputPathsMap);
  if (entries.length > PATHS_MAX)
    problems.push(
      `InputPathsMap for target ${id} must have at most ${PATHS_MAX} entries, got ${entries.length}`,
    );
  const paths = new Map<string, JsonPath>();
  for (const [name, text] of entries) {
    const path = compileJsonPath(text);
    if (/^aws\./i.test(name))
      problems.push(`InputPathsMap for target ${id} must not define ${name}: names with AWS. are reserved`);
    else if (!/^[A-Za-z0-9_-]+$/.test(name))
      problems.push(`InputPathsMap for target ${id} has the name ${name}; use letters, digits, _ and - only`);
    else if (path === undefined)
      problems.push(`InputPathsMap for target ${id}: ${text} must be a path like $.detail.items[0].name`);
    else paths.set(name, path);
  }
  return paths;
}

function variable(
  name: string,
  paths: ReadonlyMap<string, JsonPath>,
  event: EventEnvelope,
  context: InputContext,
): VariableValue {
  const predefined = PREDEFINED.get(name);
  const value = predefined ? predefined(event, context) : paths.get(name)?.(event);
  return value === undefined ? { kind: 'missing' } : { kind: 'json', value };
}

/** AWS spells and orders these members in its own way here, and gives the time of ingestion as the event's time. */
function withoutDetail(event: EventEnvelope, { ingestedAt }: InputContext): Json {
  return {
    id: event.id,
    account: event.account,
    detailType: event['detail-type'],
    time: isoTime(ingestedAt),
    source: event.source,
    region: event.region,
    resources: event.resources,
    version: event.version,
  };
}

function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
