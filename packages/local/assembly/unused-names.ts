import { notKnown } from './likeness';
import type { Problem } from './problem';
import type { Stack } from './stack';

/**
 * Values by name, and those names that nothing has asked for: a name with a typing error is never asked for, and
 * whatever it was meant for keeps its default.
 */
export class GivenValues {
  /** The values as a record, which notes what is read of it. */
  readonly values: Readonly<Record<string, string>>;
  readonly #read = new Set<string>();

  constructor(given: Readonly<Record<string, string>>) {
    const get = (target: Readonly<Record<string, string>>, name: string) => {
      this.#read.add(name);
      return target[name];
    };
    this.values = new Proxy(given, { get });
  }

  /** The names that nothing has read, of which the templates say nothing. */
  problems(stacks: readonly Stack[]): readonly Problem[] {
    const unread = Object.keys(this.values).filter(name => !this.#read.has(name));
    if (unread.length === 0) return [];
    const declared = stacks.flatMap(stack => Object.keys(stack.template.parameters));
    const scoped = stacks.flatMap(({ name, template }) =>
      Object.keys(template.parameters).map(parameter => `${name}:${parameter}`),
    );
    const text = textOf(stacks);
    return unread
      .filter(name => ![...declared, ...scoped].includes(name) && !text.includes(name))
      .map(where => {
        const known = [...new Set(where.includes(':') ? scoped : declared)];
        return { where, message: notKnown(where, 'a parameter', known) };
      });
  }
}

/** The resources and outputs of templates, to find a name in them whatever it is there for. */
export function textOf(stacks: readonly Stack[]): string {
  return JSON.stringify(
    stacks.map(({ template }) => ({ ...template, resources: [...template.resources.values()] })),
  );
}
