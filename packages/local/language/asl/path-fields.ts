import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { parseChoiceRule } from '../jsonpath/choice-rule';
import {
  type PayloadTemplate,
  parsePayloadTemplate,
  parseQuery,
  type Query,
} from '../jsonpath/payload-template';
import { parseReferencePath, type ReferencePath } from '../jsonpath/reference-path';
import type { ComputedFields, FlowPart } from './computed-fields';
import type { Field, PathFlow, PathQuery, Paths } from './definition';

/** What a JSONPath state computes: payload templates, and fields called `...Path` in place of literals. */
export class PathFields implements ComputedFields {
  readonly #fields: JsonObject;

  constructor(fields: JsonObject) {
    this.#fields = fields;
  }

  value(field: string): Field | undefined {
    return this.#query(`${field}Path`) ?? literal(this.#fields[field]);
  }

  arguments(): Field | undefined {
    return payloadField(this.#fields['Parameters']);
  }

  items(): Field | undefined {
    return this.#query('ItemsPath');
  }

  /** `Parameters` is its older name. */
  itemSelector(): Field | undefined {
    return payloadField(this.#fields['ItemSelector'] ?? this.#fields['Parameters']);
  }

  result(): Field | undefined {
    return literal(this.#fields['Result']) ?? this.arguments();
  }

  roleArn(): Field | undefined {
    const credentials = this.#fields['Credentials'];
    if (!isJsonObject(credentials)) return undefined;
    const path = credentials['RoleArn.$'];
    return typeof path === 'string' ? queryField('RoleArn.$', path) : literal(credentials['RoleArn']);
  }

  condition(rule: JsonObject): Field {
    const parsed = parseChoiceRule(rule);
    if (parsed.kind === 'invalid') throw unchecked('rule', rule);
    return { kind: 'rule', rule: parsed.rule };
  }

  /** What a rule of a Choice hands on goes through the state's own paths; what a catcher hands on does not. */
  dataFlow(part: FlowPart = { list: 'state', fields: this.#fields }): PathFlow {
    const { list, fields } = part;
    const state = list === 'Catch' ? {} : this.#fields;
    const assign = payloadTemplate(fields['Assign']);
    const resultSelector = payloadTemplate(state['ResultSelector']);
    const paths: Paths = {
      ...pathOrNull(state, 'InputPath', 'inputPath'),
      ...(resultSelector && { resultSelector }),
      ...(assign && { assign }),
      ...resultPath(fields),
      ...pathOrNull(state, 'OutputPath', 'outputPath'),
    };
    return { paths };
  }

  #query(field: string): Field | undefined {
    const text = this.#fields[field];
    return typeof text === 'string' ? queryField(field, text) : undefined;
  }
}

function literal(value: Json | undefined): Field | undefined {
  return value === undefined ? undefined : { kind: 'constant', value };
}

function queryField(name: string, text: string): Field {
  return { kind: 'query', name, query: queryOf(text) };
}

function queryOf(text: string): Query {
  const parsed = parseQuery(text);
  if (parsed.kind === 'invalid') throw unchecked('path', text);
  return parsed.query;
}

function pathOf(text: string): PathQuery {
  const query = queryOf(text);
  if (query.kind !== 'path') throw unchecked('path', text);
  return query;
}

function payloadField(json: Json | undefined): Field | undefined {
  const template = payloadTemplate(json);
  return template && { kind: 'payload', template };
}

function payloadTemplate(json: Json | undefined): PayloadTemplate | undefined {
  if (json === undefined) return undefined;
  const parsed = parsePayloadTemplate(json);
  if (parsed.kind === 'invalid') throw unchecked('payload template', json);
  return parsed.template;
}

function pathOrNull<Name extends string>(fields: JsonObject, field: string, name: Name) {
  const text = fields[field];
  const path = text === null ? null : typeof text === 'string' ? pathOf(text) : undefined;
  return (path === undefined ? {} : { [name]: path }) as { readonly [key in Name]?: PathQuery | null };
}

function resultPath(fields: JsonObject): { readonly resultPath?: ReferencePath | null } {
  const text = fields['ResultPath'];
  if (text === null) return { resultPath: null };
  if (typeof text !== 'string') return {};
  const parsed = parseReferencePath(text);
  if (parsed.kind === 'invalid') throw unchecked('reference path', text);
  return { resultPath: parsed.referencePath };
}

function unchecked(what: string, json: Json): Error {
  return new Error(`an unchecked ${what}: ${JSON.stringify(json)}`);
}
