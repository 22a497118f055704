import { isJsonObject, type JsonObject } from '../../json/json';
import type { ComputedFields, FlowPart } from './computed-fields';
import type { JsonataFlow } from './definition';
import { type Template, templateOf } from './template';

/** What a JSONata state computes: every field may hold expressions. */
export class JsonataFields implements ComputedFields {
  readonly #fields: JsonObject;

  constructor(fields: JsonObject) {
    this.#fields = fields;
  }

  value(field: string): Template | undefined {
    return templateIn(this.#fields, field);
  }

  arguments(): Template | undefined {
    return this.value('Arguments');
  }

  items(): Template | undefined {
    return this.value('Items');
  }

  itemSelector(): Template | undefined {
    return this.value('ItemSelector');
  }

  /** A JSONata Pass has its result in `Output`. */
  result(): undefined {
    return undefined;
  }

  roleArn(): Template | undefined {
    const credentials = this.#fields['Credentials'];
    return isJsonObject(credentials) ? templateIn(credentials, 'RoleArn') : undefined;
  }

  condition(rule: JsonObject): Template {
    return templateOf(rule['Condition'] ?? null);
  }

  dataFlow(part: FlowPart = { list: 'state', fields: this.#fields }): JsonataFlow {
    const output = templateIn(part.fields, 'Output');
    const assign = part.fields['Assign'];
    return {
      ...(output && { output }),
      ...(isJsonObject(assign) && {
        assign: Object.entries(assign).map(([name, value]) => [name, templateOf(value)] as const),
      }),
    };
  }
}

function templateIn(fields: JsonObject, field: string): Template | undefined {
  const value = fields[field];
  return value === undefined ? undefined : templateOf(value);
}
