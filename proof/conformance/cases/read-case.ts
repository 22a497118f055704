import { isJsonObject } from '../../../packages/local/json/json';
import { firstErrorIn } from '../../../packages/local/json/syntax';
import type { RecordedCase } from './recorded-case';

/** A case, or why a text is none. */
export type ReadCase =
  | { readonly kind: 'case'; readonly recorded: RecordedCase }
  | { readonly kind: 'foreign'; readonly reason: string }
  | { readonly kind: 'broken'; readonly reason: string };

/**
 * The case in a JSON text. `foreign` is JSON that claims to be no case (an index beside the cases), `broken` is a case
 * that cannot be used.
 */
export function readCase(text: string, fileName: string): ReadCase {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'broken', reason: `not JSON: the first error is at ${firstErrorIn(text)}` };
  }
  if (!isJsonObject(value) || typeof value['kind'] !== 'string') {
    return { kind: 'foreign', reason: 'not a case: it has no `kind`' };
  }
  const kinds = Object.keys(KINDS);
  if (!kinds.includes(value['kind']))
    return { kind: 'broken', reason: `\`kind\` is none of ${kinds.join(', ')}` };
  const problem = problemOfCase(value['kind'] as RecordedCase['kind'], value);
  if (problem !== undefined) return { kind: 'broken', reason: problem };
  return { kind: 'case', recorded: { ...DEFAULTS, name: fileName, ...value } as unknown as RecordedCase };
}

const DEFAULTS = {
  services: [],
  features: [],
  lambdas: {},
  tables: {},
  queues: {},
  topics: {},
  buckets: {},
  logGroups: {},
  stateMachines: {},
  activities: {},
  setup: [],
  workers: [],
  placeholders: {},
  ignore: [],
  historyOrder: 'strict',
};

/** The reason why a value does not fit here, or undefined. */
type Form = (value: unknown, path: string) => string | undefined;

interface Members {
  readonly [name: string]: Form;
}

/** The members of every case; a case may have others, which are notes. */
const COMMON: Members = {
  services: listOf(text),
  features: listOf(text),
  lambdas: mapOf(object({ behaviour: required(text) })),
  tables: mapOf(object({ KeySchema: required(listOf(object())), items: listOf(object()) })),
  queues: mapOf(object()),
  topics: mapOf(object({ attributes: object() })),
  buckets: mapOf(object()),
  logGroups: mapOf(object()),
  stateMachines: mapOf(object()),
  activities: mapOf(object()),
  setup: listOf(object()),
  workers: listOf(object({ behaviour: required(text), calls: listOf(object({ op: required(text) })) })),
  placeholders: mapOf(object()),
  ignore: listOf(text),
};

const RUN: Members = {
  definition: required(anything),
  definitionText: text,
  inputText: text,
  executionName: text,
  expected: required(object({ history: listOf(object({ type: required(text) })), other: object() })),
};

const AWAIT: Members = { await: text, args: object() };

const CALL: Members = {
  id: required(text),
  op: required(text),
  request: required(object()),
  error: object(),
};

const KINDS: { readonly [Kind in RecordedCase['kind']]: Members } = {
  execution: { ...COMMON, ...RUN, during: listOf(object()) },
  'execution-batch': { ...COMMON, runs: required(someOf(object(RUN))) },
  api: { ...COMMON, calls: required(someOf(step)) },
};

/** The reason why a case has the wrong form, with its position; undefined if the form is right. */
function problemOfCase(kind: RecordedCase['kind'], value: unknown): string | undefined {
  return object(KINDS[kind])(value, '');
}

function step(value: unknown, path: string): string | undefined {
  return object(isJsonObject(value) && 'await' in value ? AWAIT : CALL)(value, path);
}

function text(value: unknown, path: string): string | undefined {
  return value === undefined || typeof value === 'string' ? undefined : `${path} is not a text`;
}

function anything(): undefined {
  return undefined;
}

/** For a required member; the other checks accept a missing member. */
function required(form: Form): Form {
  return (value, path) => (value === undefined ? `lacks ${path}` : form(value, path));
}

function listOf(form: Form): Form {
  return (value, path) => {
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return `${path} is not a list`;
    return first(value.map((item, index) => form(item, `${path}/${index}`)));
  };
}

/** A list that cannot be empty: a case of nothing would pass. */
function someOf(form: Form): Form {
  return (value, path) =>
    Array.isArray(value) && value.length === 0 ? `${path} is empty` : listOf(form)(value, path);
}

function mapOf(form: Form): Form {
  return (value, path) => {
    if (value === undefined) return undefined;
    if (!isJsonObject(value)) return `${path} is not an object`;
    return first(Object.entries(value).map(([name, member]) => form(member, `${path}/${name}`)));
  };
}

function object(members: Members = {}): Form {
  return (value, path) => {
    if (value === undefined) return undefined;
    if (!isJsonObject(value)) return `${path} is not an object`;
    return first(Object.entries(members).map(([name, form]) => form(value[name], `${path}/${name}`)));
  };
}

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find(problem => problem !== undefined);
}
