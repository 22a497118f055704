import { readFileSync } from 'node:fs';
import { installedLocal } from '../dev/server';
import { EXIT } from '../program/exit';
import { installHint } from '../program/install-hint';
import { usage } from '../refusal';
import type { Style, Terminal } from '../terminal';
import { candidatesOf, reportOn } from './definitions';
import { HELP, parseOptions } from './options';
import { type Row, rendered } from './render';

/** The person who asked, and how the answer is laid out for them. */
interface Reader {
  readonly terminal: Terminal & { clear(): void };
  readonly style: Style;
}

/**
 * Replays histories against a definition, prints how each came out, and gives the exit code. `args` are those after
 * `replay`.
 *
 * @throws Refusal for a command line, a definition or an app that cannot be used
 */
export async function replay(
  args: readonly string[],
  { terminal, style }: Reader,
  ended: AbortSignal,
): Promise<number> {
  const parsed = parseOptions(args);
  if (parsed.kind === 'usage') throw usage(parsed.message);
  if (parsed.kind === 'help') {
    process.stdout.write(HELP);
    return EXIT.done;
  }
  const { options } = parsed;
  const local = installedLocal();
  if (!local) throw usage(`replay needs @onceflow/local; ${installHint('@onceflow/local')}`);
  const candidates = await candidatesOf(options, local, ended);
  const rows: Row[] = [];
  for (const [index, file] of options.files.entries()) {
    terminal.progress(`replaying ${file} (${index + 1} of ${options.files.length})`);
    const row = await rowOf(file, text => reportOn(text, candidates, local), terminal);
    // Every other history would be refused for it, too.
    if (row.report.kind === 'refused' && row.report.subject === 'definition') throw usage(row.report.reason);
    rows.push(row);
    // Ctrl-C is heard between two histories.
    await new Promise(resolve => setImmediate(resolve));
    ended.throwIfAborted();
  }
  terminal.clear();
  process.stdout.write(options.json ? `${JSON.stringify(jsonOf(rows))}\n` : rendered(rows, style));
  if (rows.some(({ isFault }) => isFault)) return EXIT.fault;
  if (rows.some(({ report }) => report.kind === 'diverged')) return EXIT.failed;
  return rows.some(({ report }) => report.kind === 'refused') ? EXIT.usage : EXIT.done;
}

/** How the replay of a file came out. What goes wrong with one file, a fault of ours included, is told of that file. */
export async function rowOf(
  file: string,
  reportOf: (text: string) => Row['report'],
  terminal: Pick<Terminal, 'readInput'>,
): Promise<Row> {
  const refused = (reason: string): Row => ({
    file,
    report: { kind: 'refused', subject: 'history', reason },
  });
  let text: string;
  try {
    text = file === '-' ? await terminal.readInput() : readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return refused(code === 'ENOENT' ? 'there is no such file' : `it cannot be read: ${message}`);
  }
  try {
    return { file, report: reportOf(text) };
  } catch (error) {
    return { ...refused(`internal error: ${(error as Error).message}`), isFault: true };
  }
}

function jsonOf(rows: readonly Row[]): unknown {
  return { histories: rows.map(({ file, report: { kind, ...rest } }) => ({ file, outcome: kind, ...rest })) };
}
