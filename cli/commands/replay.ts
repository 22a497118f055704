import { existsSync } from 'node:fs';
import { APP_OPTIONS } from '../app/assembly';
import { requireLocal } from '../app/installed';
import { EXIT } from '../program/exit';
import { optional, optionHelp } from '../program/options';
import { requireAtMostOne, usage } from '../program/rejection';
import { candidatesOf } from '../replay/definitions';
import { renderReplays } from '../replay/render';
import { type ReplayedFile, replayFile, reportOn } from '../replay/replay-file';
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
  isReadOnly: true,
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
    requireAtMostOne(values, ['definition', 'assembly', 'app'], 'the definition');
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
    const replayed: ReplayedFile[] = [];
    for (const [index, file] of files.entries()) {
      terminal.progress(`replaying ${file} (${index + 1} of ${files.length})`);
      const one = await replayFile(file, text => reportOn(text, candidates, local), terminal);
      // No other history can be replayed on it, either.
      if (one.report.kind === 'notReplayed' && one.report.subject === 'definition')
        throw usage(one.report.reason);
      replayed.push(one);
      // Ctrl-C is heard between two histories.
      await new Promise(resolve => setImmediate(resolve));
      ended.throwIfAborted();
    }
    return { code: codeOf(replayed), json: jsonOf(replayed), text: style => renderReplays(style, replayed) };
  },
});

function codeOf(replayed: readonly ReplayedFile[]): number {
  if (replayed.some(({ isFault }) => isFault)) return EXIT.fault;
  if (replayed.some(({ report }) => report.kind === 'diverged')) return EXIT.failed;
  return replayed.some(({ report }) => report.kind === 'notReplayed') ? EXIT.usage : EXIT.done;
}

function jsonOf(replayed: readonly ReplayedFile[]): object {
  const histories = replayed.map(({ file, report: { kind, ...rest } }) => ({ file, outcome: kind, ...rest }));
  return { histories };
}
