import type { MessageAttribute, MessageAttributes } from '../message-queues';

/** The fields of a request by name, the first of each name. */
export type Form = ReadonlyMap<string, string>;

/** Reads the body of a request. A map, because a request can have tens of thousands of fields. */
export function formIn(body: string): Form {
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body)) if (!form.has(name)) form.set(name, value);
  return form;
}

/** A field of the request, or an empty text. */
export function text(form: Form, name: string): string {
  return form.get(name) ?? '';
}

/** The prefixes of the members of a list, e.g. `Attributes.entry.1.`, as long as each has this field. */
export function prefixesOf(form: Form, list: string, field: string): readonly string[] {
  const prefixes: string[] = [];
  while (form.has(`${list}${prefixes.length + 1}.${field}`)) prefixes.push(`${list}${prefixes.length + 1}.`);
  return prefixes;
}

/** The message attributes of a list in the request, or undefined if there are none. */
export function attributesIn(form: Form, list: string): MessageAttributes | undefined {
  const entries = prefixesOf(form, list, 'Name').map((prefix): [string, MessageAttribute] => {
    const DataType = text(form, `${prefix}Value.DataType`);
    const binary = form.get(`${prefix}Value.BinaryValue`);
    const value =
      binary === undefined
        ? { StringValue: text(form, `${prefix}Value.StringValue`) }
        : { BinaryValue: binary };
    return [text(form, `${prefix}Name`), { DataType, ...value }];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
