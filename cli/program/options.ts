/** An option of a program: what it is in the help, and how its value is read. */
export interface Option<Value> {
  /** What its value is called in the help, such as `FILE`; undefined for a flag, which takes none. */
  readonly valueName: string | undefined;
  readonly help: string;
  /** What it is where the command line does not have it. */
  readonly byDefault: Value;
  /** What it takes, as in `--seed takes a whole number from 0`. */
  readonly takes: string;
  /** Whether its value may be a number below zero, which begins with a dash as options do. */
  readonly isNumber: boolean;
  readonly isRepeatable: boolean;
  /** The value of the texts that were given, at least one; undefined if that is not what the option takes. */
  read(texts: readonly string[]): Value | undefined;
  /** A value as a message about it quotes it; by default as JSON. */
  quoted?(text: string): string;
}

/** The options of a program by their names without dashes, in the order of the help. `--help` always exists. */
export type OptionTable = Readonly<Record<string, Option<unknown>>>;

export type ValuesOf<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : never;
};

interface Described {
  readonly valueName: string;
  readonly help: string;
}

const ONCE = { isNumber: false, isRepeatable: false } as const;
const NUMBER = { isNumber: true, isRepeatable: false } as const;

/** An option without a value: false unless it is given. */
export function flag(help: string): Option<boolean> {
  return { ...ONCE, valueName: undefined, help, byDefault: false, takes: 'no value', read: () => true };
}

/** An option with a text that is not empty; `takes` says what it is, such as `a directory`. */
export function text<Default extends string | undefined>(
  option: Described & { readonly takes: string; readonly byDefault: Default },
): Option<string | Default> {
  return { ...ONCE, ...option, read: ([given = '']) => (given.trim() === '' ? undefined : given) };
}

/** An option with a whole number, in decimal digits; without `to` as far as numbers are exact. */
export function wholeNumber<Default extends number | undefined>({
  from,
  to,
  ...option
}: Described & {
  readonly from: number;
  readonly to?: number;
  readonly byDefault: Default;
}): Option<number | Default> {
  const takes = `a whole number from ${from}${to === undefined ? '' : ` to ${to}`}`;
  const read = ([given = '']: readonly string[]) => {
    const value = /^-?\d+$/.test(given) ? Number(given) : Number.NaN;
    return value >= from && value <= (to ?? Number.MAX_SAFE_INTEGER) ? value : undefined;
  };
  return { ...NUMBER, ...option, takes, read };
}

/** An option with a number for which `isRight` holds; `takes` says in words for which it does. */
export function decimal({
  isRight,
  ...option
}: Described & {
  readonly takes: string;
  readonly byDefault: number;
  isRight(value: number): boolean;
}): Option<number> {
  const read = ([given = '']: readonly string[]) => {
    // `Number` makes 0 of an empty text, which is never meant.
    const value = given.trim() === '' ? Number.NaN : Number(given);
    return isRight(value) ? value : undefined;
  };
  return { ...NUMBER, ...option, read };
}

/** An option with one of these words. */
export function oneOf<Word extends string, Default extends Word | undefined>({
  words,
  ...option
}: Described & { readonly words: readonly Word[]; readonly byDefault: Default }): Option<Word | Default> {
  const read = ([given]: readonly string[]) => words.find(word => word === given);
  return { ...ONCE, ...option, takes: `one of ${words.join(', ')}`, read };
}

/** An option with a text that is absent by default. */
export function optional(valueName: string, takes: string, help: string) {
  return text({ valueName, takes, help, byDefault: undefined });
}

/** The same option, which may be given more than once: its values in the order they were given. */
export function repeatable<Value>(
  option: Option<Value | undefined>,
  byDefault: readonly Value[],
): Option<readonly Value[]> {
  const read = (texts: readonly string[]) => {
    const values = texts.flatMap(given => option.read([given]) ?? []);
    return values.length === texts.length ? values : undefined;
  };
  return { ...option, byDefault, isRepeatable: true, read };
}

/** Characters of a line of help. */
const HELP_WIDTH = 118;

/** The lines of a help text about these options and `--help`, aligned and filled. */
export function optionHelp(table: OptionTable): string {
  const rows = Object.entries(table).map(([name, { valueName, help }]) => ({
    name: `--${name}${valueName === undefined ? '' : ` ${valueName}`}`,
    help,
  }));
  rows.push({ name: '--help', help: 'this text' });
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.flatMap(({ name, help }) => {
    const filled = fill(help, HELP_WIDTH - width - 5);
    return filled.map((line, index) => `  ${(index === 0 ? name : '').padEnd(width)}  ${line}\n`);
  });
  return lines.join('');
}

function fill(words: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines;
}
