import { existsSync, readFileSync } from 'node:fs';
import { APP_OPTIONS } from '../app/assembly';
import { requireLocal } from '../app/installed';
import { EXIT } from '../program/exit';
import { optional, optionHelp } from '../program/options';
import { requireOneWay, usage } from '../program/refusal';
import { candidatesOf, reportOn } from '../replay/definitions';
import { type Row, rendered } from '../replay/render';
import type { Terminal } from '../terminal';
import { command } from './command';
import { ANSWER_OPTIONS } from './shared-options';

const OPTIONS = {
  definition: optional('FILE', 'a file', 'the definition in FILE (Amazon States Language) instead of an app'),
  assembly: APP_OPTIONS.assembly,
  app: APP_OPTIONS.app,
  'state-machine': optional(
    'NAME',
    'a name',
    'the state machine of the app, by its name or the beginning of its logical id (default: the one with the states of ' +
      'the history)',
  ),
  ...ANSWER_OPTIONS,
};

/** Replays histories against a definition. Fails for a definition or an app that cannot be used. */
export const replay = command({
  name: 'replay',
  line: ['replay', 'finds where a definition would differ from recorded histories'],
  help: `Usage: onceflow replay HISTORY.json... [options]

Replays recorded histories of Standard executions against a definition. It reports the first event at which the
definition would have gone another way: another state, or other arguments, outputs, variables, errors or retries. Task
results, times and random values come from the recording, and nothing is called. HISTORY.json is the output of
\`aws stepfunctions get-execution-history\`; - reads stdin. You must install @onceflow/local first.

${optionHelp(OPTIONS)}
Examples:
  onceflow replay history.json
  onceflow replay histories/*.json --assembly cdk.out --state-machine OrderWorkflow
  onceflow replay history.json --definition order.asl.json --json

Exit codes: 0 every history goes the recorded way, 1 at least one does not, 2 wrong usage, no @onceflow/local, or a
history, a definition or an app that cannot be used, 3 internal error (the other files are still reported), 130
interrupted.
`,
  options: OPTIONS,
  positional: 'file',
  wantedIn({ values, positionals }) {
    requireOneWay(values, ['definition', 'assembly', 'app'], 'the definition');
    if (values.definition !== undefined && values['state-machine'] !== undefined)
      throw usage(
        '--state-machine selects one of an app, which --definition replaces; leave one of them out',
      );
    if (positionals.length === 0)
      throw usage(
        'which history? Pass a file with the output of aws stepfunctions get-execution-history, or - for stdin',
      );
    return { files: positionals, ...values };
  },
  async run({ files, ...which }, { terminal, ended }) {
    const local = requireLocal('replay');
    // A wrong path is the error to report, and not that there is no app beside it.
    const isAnyThere = files.some(file => file === '-' || existsSync(file));
    const candidates = isAnyThere ? await candidatesOf(which, local, ended) : [];
    const rows: Row[] = [];
    for (const [index, file] of files.entries()) {
      terminal.progress(`replaying ${file} (${index + 1} of ${files.length})`);
      const row = await rowOf(file, text => reportOn(text, candidates, local), terminal);
      // Every other history would be rejected for it, too.
      if (row.report.kind === 'rejected' && row.report.subject === 'definition')
        throw usage(row.report.reason);
      rows.push(row);
      // Ctrl-C is heard between two histories.
      await new Promise(resolve => setImmediate(resolve));
      ended.throwIfAborted();
    }
    return { code: codeOf(rows), json: jsonOf(rows), text: style => rendered(rows, style) };
  },
});

function codeOf(rows: readonly Row[]): number {
  if (rows.some(({ isFault }) => isFault)) return EXIT.fault;
  if (rows.some(({ report }) => report.kind === 'diverged')) return EXIT.failed;
  return rows.some(({ report }) => report.kind === 'rejected') ? EXIT.usage : EXIT.done;
}

/** How the replay of a file came out. What goes wrong with one file, a fault of ours included, is told of that file. */
export async function rowOf(
  file: string,
  reportOf: (text: string) => Row['report'],
  terminal: Pick<Terminal, 'readInput'>,
): Promise<Row> {
  const rejected = (reason: string): Row => ({
    file,
    report: { kind: 'rejected', subject: 'history', reason },
  });
  let text: string;
  try {
    text = file === '-' ? await terminal.readInput() : readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return rejected(
      code === 'ENOENT' ? 'there is no such file; check the path' : `it cannot be read: ${message}`,
    );
  }
  try {
    return { file, report: reportOf(text) };
  } catch (error) {
    return { ...rejected(`internal error: ${(error as Error).message}`), isFault: true };
  }
}

function jsonOf(rows: readonly Row[]): object {
  return { histories: rows.map(({ file, report: { kind, ...rest } }) => ({ file, outcome: kind, ...rest })) };
}
