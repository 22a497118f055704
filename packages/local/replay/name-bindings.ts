/**
 * The names that a definition leaves open: of what CloudFormation names, and of the execution itself. What the
 * recording has where one is first met is taken for its value; it must be the same everywhere after.
 */
export class NameBindings {
  readonly #values = new Map<string, string>();
  #names: readonly string[];

  constructor(names: Iterable<string>) {
    // The longer first: one may be a part of another.
    this.#names = [...new Set(names)].filter(name => name !== '').sort((a, b) => b.length - a.length);
  }

  /** The known names, in the order in which they were learned. */
  get known(): readonly { readonly name: string; readonly value: string }[] {
    return [...this.#values].map(([name, value]) => ({ name, value }));
  }

  /** The value of a name, as far as it is known. */
  valueOf(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** Says what a name stands for. */
  bind(name: string, value: string): void {
    this.#values.set(name, value);
    if (!this.#names.includes(name)) this.#names = [...this.#names, name].sort((a, b) => b.length - a.length);
  }

  /** A text with the names in it that are known. */
  substitute(text: string): string {
    if (this.#values.size === 0) return text;
    const names = this.#names.filter(name => this.#values.has(name));
    const pattern = new RegExp(names.map(escaped).join('|'), 'g');
    return text.replace(pattern, name => this.#values.get(name) ?? name);
  }

  /** The meanings of the names in `text` with which it is the recorded text; undefined if no meaning makes it so. */
  match(text: string, recorded: string): ReadonlyMap<string, string> | undefined {
    const within = this.#names.filter(name => text.includes(name));
    if (within.length === 0) return undefined;
    const parts = text.split(new RegExp(`(${within.map(escaped).join('|')})`));
    const order = parts.filter((_, index) => index % 2 === 1);
    const pattern = parts.map((part, index) => (index % 2 === 1 ? '(.+?)' : escaped(part))).join('');
    const found = new RegExp(`^${pattern}$`, 's').exec(recorded);
    if (!found) return undefined;
    const values = new Map<string, string>();
    for (const [index, name] of order.entries()) {
      const value = found[index + 1] ?? '';
      if ((values.get(name) ?? this.#values.get(name) ?? value) !== value) return undefined;
      values.set(name, value);
    }
    return values;
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
