import { parseArgs } from 'node:util';
import { nearestName } from '../../state-machine/words/nearest-name';
import type { OptionTable, ValuesOf } from './options';
import type { Parsed } from './program';

/** A command line that was read. */
export interface CommandLine<Table extends OptionTable> {
  readonly values: ValuesOf<Table>;
  /** The options that were given; the others have their defaults. */
  readonly given: ReadonlySet<keyof Table>;
  /** An argument that is neither an option nor the value of one. */
  readonly positionals: readonly string[];
}

/**
 * Reads a command line by the table of its options. `positional` names what may stand there beside options, such as
 * `key`; without it nothing may. `--help`, or `-h`, wins over whatever is wrong with the rest.
 */
export function readCommandLine<Table extends OptionTable>(
  args: readonly string[],
  table: Table,
  { positional }: { readonly positional?: string } = {},
): Parsed<CommandLine<Table>> {
  const { tokens } = parseArgs({ args: [...args], options: forNode(table), strict: false, tokens: true });
  if (tokens.some(token => token.kind === 'option' && token.name === 'help')) return { kind: 'help' };
  const texts = new Map<string, string[]>();
  const positionals: string[] = [];
  // If one is there already, an argument that begins with a dash was hardly meant as one.
  const missing = tokens.some(({ kind }) => kind === 'positional') ? undefined : positional;
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const message = problemWith({ ...token, rawName: writtenAs(token, args) }, table, missing);
    if (message !== undefined) return { kind: 'usage', message };
    texts.set(token.name, [...(texts.get(token.name) ?? []), token.value ?? '']);
  }
  const [unexpected] = positionals;
  if (positional === undefined && unexpected !== undefined)
    return { kind: 'usage', message: `unexpected argument ${JSON.stringify(unexpected)}` };
  return valuesOf(table, texts, positionals);
}

function forNode(table: OptionTable) {
  const help = { type: 'boolean', short: 'h' } as const;
  const options = Object.entries(table).map(([name, { valueName }]) => {
    return [name, { type: valueName === undefined ? 'boolean' : 'string' }] as const;
  });
  return { ...Object.fromEntries(options), help };
}

/** As it was written: Node takes `-seed` for five options of one letter. */
function writtenAs(
  { rawName, index }: { readonly rawName: string; readonly index: number },
  args: readonly string[],
) {
  const [written = rawName] = (args[index] ?? '').split('=');
  return /^-[a-z-]{2,}$/i.test(written) ? written : rawName;
}

interface OptionToken {
  readonly name: string;
  /** As it was written: `--seed`, `-s`, `-seed`. */
  readonly rawName: string;
  readonly value: string | undefined;
  /** Whether the value was written with `=`. */
  readonly inlineValue: boolean | undefined;
}

function problemWith(
  { name, rawName, value, inlineValue }: OptionToken,
  table: OptionTable,
  missing: string | undefined,
): string | undefined {
  const option = Object.hasOwn(table, name) ? table[name] : undefined;
  if (!option) return unknownOption(rawName, Object.keys(table), missing);
  if (option.valueName === undefined)
    return value === undefined ? undefined : `--${name} does not take a value; got ${JSON.stringify(value)}`;
  if (value === undefined) return `--${name} needs a value: ${option.takes}`;
  const looksLikeOption = /^-./.test(value) && !(option.isNumber && /^-\d/.test(value));
  if (!looksLikeOption || inlineValue) return undefined;
  return `--${name} needs a value. If the value begins with a dash, write --${name}=VALUE`;
}

function unknownOption(written: string, names: readonly string[], missing: string | undefined): string {
  const near = nearestName(written.replace(/^-+/, ''), [...names, 'help']);
  if (near !== undefined) return `unknown option ${written}; did you mean --${near}?`;
  if (missing === undefined) return `unknown option ${written}`;
  return `unknown option ${written}; if a ${missing} begins with a dash, put it last, after --`;
}

function valuesOf<Table extends OptionTable>(
  table: Table,
  texts: ReadonlyMap<string, readonly string[]>,
  positionals: readonly string[],
): Parsed<CommandLine<Table>> {
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(table)) {
    const given = texts.get(name);
    const value = given === undefined ? option.byDefault : option.read(given);
    values[name] = value;
    if (given === undefined) continue;
    const shown = given.map(one => option.quoted?.(one) ?? JSON.stringify(one)).join(' and ');
    if (given.length > 1 && option.valueName !== undefined && !option.isRepeatable)
      return { kind: 'usage', message: `--${name} can be given only once; got ${shown}` };
    if (value === undefined)
      return { kind: 'usage', message: `--${name} must be ${option.takes}; got ${shown}` };
  }
  // Every name of the table was gone through.
  const read = values as ValuesOf<Table>;
  return { kind: 'options', options: { values: read, given: new Set(texts.keys()), positionals } };
}
