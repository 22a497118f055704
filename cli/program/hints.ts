import { withoutSecrets } from './address';

/** How people start the program: in a clone nothing is installed under the name of the command. */
export const COMMAND = /\bcli[\\/]main\.ts$/.test(process.argv[1] ?? '')
  ? 'npm run onceflow --'
  : 'npx onceflow';

/** Say where a workflow is, or which one, so that a command that follows needs them as well. */
const CONNECTION = ['endpoint', 'region', 'stack', 'state-machine', 'scope', 'table'] as const;
/** Say how the key is written. */
const FORMS = ['number', 'recorded'] as const;

/**
 * A text for people, in which each command of onceflow can be pasted: it is started as this process was, and has the
 * options of these arguments that say where the workflow is. If it takes a key and names none, it gets the key of
 * these arguments.
 *
 * @param commands - the help of each command by its name, which says whether it takes such an option
 *
 * @example
 * ```ts
 * // 'see `npx onceflow show order-7 --endpoint http://127.0.0.1:8083`'
 * withWholeHints('see `onceflow show order-7`', ['--endpoint', 'http://127.0.0.1:8083'], new Map([['show', help]]));
 * ```
 */
export function withWholeHints(
  text: string,
  args: readonly string[],
  commands: ReadonlyMap<string, string>,
): string {
  const whole = text.replace(/`onceflow (\w+)([^`\n]*)`/g, (hint, name: string, rest: string) => {
    const help = commands.get(name);
    if (help === undefined) return hint;
    const isOfKey = takesKey(name, help) && /^(?: --(?!failed)|$)/.test(rest);
    const key = isOfKey ? keyIn(args, commands) : [];
    const connection = CONNECTION.flatMap(option => {
      const isTaken = help.includes(`--${option} `) && !rest.includes(` --${option}`);
      const value = isTaken ? givenAs(option, args) : undefined;
      return value === undefined ? [] : [`--${option} ${inShell(withoutSecrets(value))}`];
    });
    return `\`${[`${COMMAND} ${name}`, ...key].join(' ')}${[rest, ...connection].join(' ')}\``;
  });
  // A command on a line of its own, at its end, has its options already.
  const names = [...commands.keys()].join('|');
  return whole.replace(new RegExp(`(?<=: |, )onceflow (?=(?:${names})\\b)`, 'g'), `${COMMAND} `);
}

function takesKey(name: string, help: string): boolean {
  return new RegExp(`onceflow ${name} \\[?KEY`).test(help);
}

/** The key of these arguments, with the options that say how it is written; empty for a command without one. */
function keyIn(args: readonly string[], commands: ReadonlyMap<string, string>): readonly string[] {
  const [name = '', ...rest] = args;
  if (!takesKey(name, commands.get(name) ?? '')) return [];
  const json = givenAs('json-key', args);
  if (json !== undefined) return [`--json-key ${inShell(json)}`];
  const end = rest.findIndex(arg => arg.startsWith('-'));
  const parts = (end === -1 ? rest : rest.slice(0, end)).map(inShell);
  const forms = FORMS.filter(form => args.includes(`--${form}`)).map(form => `--${form}`);
  return parts.length === 0 ? [] : [...parts, ...forms];
}

/** A word as a shell reads it. */
function inShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function givenAs(option: string, args: readonly string[]): string | undefined {
  const at = args.indexOf(`--${option}`);
  if (at !== -1) return args[at + 1];
  const prefix = `--${option}=`;
  return args.find(arg => arg.startsWith(prefix))?.slice(prefix.length);
}
