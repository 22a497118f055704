import type { PlaceholderSpec } from '../cases/recorded-case';
import { literally } from './difference';

/** A recorded text that holds placeholders, ready to be matched. */
export interface Pattern {
  readonly expression: RegExp;
  /** One per group of the expression. */
  readonly names: readonly string[];
  /** The one placeholder that is the whole text and says so by its brackets: it may stand for any value at all. */
  readonly whole: string | undefined;
}

/** What each placeholder has stood for so far. */
export type Bindings = ReadonlyMap<string, string>;

/**
 * The placeholders of one case.
 *
 * A placeholder stands for the same text wherever it occurs, unless its spec says otherwise. The first text it meets
 * counts; a search that goes back on its steps takes that back with `restore`.
 */
export class Placeholders {
  readonly #specs: Readonly<Record<string, PlaceholderSpec>>;
  readonly #scan: RegExp;
  readonly #patterns = new Map<string, Pattern | undefined>();
  #bound: Map<string, string>;

  constructor(specs: Readonly<Record<string, PlaceholderSpec>>, bindings: Bindings = new Map()) {
    this.#specs = specs;
    this.#bound = new Map(bindings);
    const bare = Object.keys(specs).filter(name => !BRACKETED.test(name));
    // Of two that begin alike the longer one is meant.
    const words = [...bare.toSorted((a, b) => b.length - a.length), DATE];
    const parts = words.map(word => `(?<![\\w-])${literally(word)}(?![\\w-])`);
    this.#scan = new RegExp([BRACKETED.source, ACCOUNT, ...parts].join('|'), 'g');
  }

  /** The pattern of a recorded text, or undefined where it holds no placeholder. */
  patternOf(text: string): Pattern | undefined {
    if (!this.#patterns.has(text)) this.#patterns.set(text, this.#compile(text));
    return this.#patterns.get(text);
  }

  /** Takes `text` for what the placeholder stands for; false where it stood for something else before. */
  bind(name: string, text: string): boolean {
    if (this.#specs[name]?.consistent === false) return true;
    const before = this.#bound.get(name);
    if (before === undefined) this.#bound.set(name, text);
    return before === undefined || before === text;
  }

  /** What a placeholder stands for so far. */
  valueOf(name: string): string | undefined {
    return this.#bound.get(name);
  }

  save(): Bindings {
    return new Map(this.#bound);
  }

  restore(bindings: Bindings): void {
    this.#bound = new Map(bindings);
  }

  #compile(text: string): Pattern | undefined {
    const names: string[] = [];
    let source = '';
    let at = 0;
    for (const { 0: found, index } of text.matchAll(this.#scan)) {
      if (!this.#isKnown(found)) continue;
      source += literally(text.slice(at, index));
      at = index + found.length;
      if (found === DATE) source += `(?:${DATE}|${ISO_TIME})`;
      else {
        source += `(${valuesOf(found)})`;
        names.push(found);
      }
    }
    if (at === 0) return undefined;
    const expression = new RegExp(`^${source}${literally(text.slice(at))}$`);
    return { expression, names, whole: names.find(name => name === text && name.startsWith('<')) };
  }

  #isKnown(found: string): boolean {
    return ALWAYS_KNOWN.has(found) || Object.hasOwn(this.#specs, found);
  }
}

/** Whether a value may stand where a placeholder is a whole text. */
export function isValueOf(name: string, value: unknown): boolean {
  const values = valuesOf(name);
  return values === ANY_TEXT || (typeof value === 'string' && new RegExp(`^${values}$`).test(value));
}

/** `<name>`, `<name:1>`, `<<name>:1>` */
const BRACKETED = /<(?:<[A-Za-z][\w.-]*>|[A-Za-z][\w.-]*)(?::\d+)?>/;
/** The account of every recording. */
const ACCOUNT = '111111111111';
const DATE = 'date';
const ALWAYS_KNOWN: ReadonlySet<string> = new Set([ACCOUNT, DATE, '<region>', '<partition>']);
const ISO_TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)`;
const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const ANY_TEXT = String.raw`[\s\S]+?`;

function valuesOf(name: string): string {
  if (/^<+uuid[>:]/.test(name)) return UUID;
  return VALUES.get(name) ?? ANY_TEXT;
}

const VALUES: ReadonlyMap<string, string> = new Map([
  [ACCOUNT, String.raw`\d{12}`],
  ['<region>', String.raw`[a-z]{2}(?:-[a-z]+)+-\d`],
  ['<partition>', 'aws(?:-[a-z]+)*'],
]);
