import { isJsonObject } from '../../json/json';
import { parseJson } from '../../json/syntax';
import { buildDefinition } from './build';
import type { Definition } from './definition';
import { type Problem, Problems } from './problems';
import { has, type RawMachine, rawMachine } from './raw';
import { validateChoiceAndWait } from './validate/choice-and-wait';
import { validateDistributedMaps } from './validate/distributed-map';
import { validateErrors } from './validate/errors';
import { validateExpressions } from './validate/expressions';
import { validateFields } from './validate/fields';
import { validateNames } from './validate/names';
import { validateNumbers } from './validate/numbers';
import { validatePaths } from './validate/paths';
import { validateQueryLanguage } from './validate/query-language';
import { type Rules, validateResources } from './validate/resource';
import { validateScopes } from './validate/scopes';
import { validateTargets } from './validate/targets';
import { validateVariableScopes } from './validate/variable-scopes';

/** A definition that runs, or all reasons why it does not. */
export type ParsedDefinition =
  | { readonly kind: 'definition'; readonly definition: Definition }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] };

/**
 * The definition in a text, or everything that is wrong with it.
 *
 * Rejects what the service rejects, with its codes and messages. What only this engine does not run
 * (`NOT_SUPPORTED_LOCALLY`) is reported when nothing else is wrong: a definition that is returned runs as on the
 * service.
 *
 * The same text by the same rules is read once, as the same machine is often registered again: what is returned is
 * never changed.
 */
export function parseDefinition(text: string, rules: Rules = {}): ParsedDefinition {
  const known = READ.get(text)?.find(reading => isBy(rules, reading));
  if (known) return known.parsed;
  const reading = read(text, rules);
  if (READ.size >= READ_MAX) READ.clear();
  if (text.length <= READ_CHARACTERS_MAX)
    READ.set(text, [reading, ...(READ.get(text) ?? [])].slice(0, RULES_MAX));
  return reading.parsed;
}

/** What a text was read to, and all that it was read by. */
interface Reading extends Pick<Rules, 'type' | 'isTested'> {
  readonly parsed: ParsedDefinition;
  /** What the rules have said of integrations. */
  readonly answers: ReadonlyMap<string, boolean>;
}

/** The bounds are for processes that see very many definitions. */
const READ_MAX = 50;
const READ_CHARACTERS_MAX = 200_000;
const RULES_MAX = 4;
const READ = new Map<string, readonly Reading[]>();

function isBy({ type, isTested, knows = () => true }: Rules, reading: Reading): boolean {
  if (type !== reading.type || isTested !== reading.isTested) return false;
  return [...reading.answers].every(([integration, isKnown]) => knows(integration) === isKnown);
}

function read(text: string, rules: Rules): Reading {
  const { knows = () => true, type, isTested } = rules;
  const answers = new Map<string, boolean>();
  const parsed = parseNew(text, {
    ...rules,
    knows: integration => {
      const isKnown = knows(integration);
      answers.set(integration, isKnown);
      return isKnown;
    },
  });
  return { parsed, answers, ...(type && { type }), ...(isTested !== undefined && { isTested }) };
}

function parseNew(text: string, rules: Rules): ParsedDefinition {
  const problems = new Problems();
  const machine = readMachine(text, problems);
  if (machine) for (const validate of RULES) validate(machine, problems, rules);
  const found = rules.isTested ? problems.rejected : problems.found;
  if (!machine || found.length > 0) return { kind: 'problems', problems: found };
  return { kind: 'definition', definition: buildDefinition(machine) };
}

const RULES: readonly ((machine: RawMachine, problems: Problems, rules: Rules) => void)[] = [
  validateFields,
  validateScopes,
  validateDistributedMaps,
  validateQueryLanguage,
  validateNames,
  validateNumbers,
  validateErrors,
  validateChoiceAndWait,
  validateResources,
  validateExpressions,
  validatePaths,
  validateTargets,
  validateVariableScopes,
];

function readMachine(text: string, problems: Problems): RawMachine | undefined {
  const parsed = text.trim() === '' ? undefined : parseJson(text);
  if (parsed?.kind === 'invalid') {
    const { message, line, column } = parsed;
    const quoted = JSON.stringify(text.slice(0, SHOWN_CHARACTERS));
    const source = `[Source: (String)${quoted}; line: ${line}, column: ${column}]`;
    problems.add('INVALID_JSON_DESCRIPTION', message, source);
    return undefined;
  }
  if (!parsed || !isJsonObject(parsed.value)) {
    problems.schema('Definition must be a valid JSON object', null);
    return undefined;
  }
  const fields = parsed.value;
  const missing = ['States', 'StartAt'].filter(field => !has(fields, field));
  if (missing.length === 0) return rawMachine(fields);
  problems.schema(`These fields are required: [${missing.join(', ')}]`, '/');
  return undefined;
}

/** Characters of a broken text that its error quotes, as the service's parser does. */
const SHOWN_CHARACTERS = 500;
