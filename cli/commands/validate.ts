import { documentation } from '../../state-machine/words/documentation';
import { APP_OPTIONS, assemblyOf } from '../app/assembly';
import { requireLocal } from '../app/installed';
import { clientsFor } from '../aws/clients';
import { table } from '../layout';
import { withoutSecrets } from '../program/address';
import { EXIT } from '../program/exit';
import { optional, optionHelp } from '../program/options';
import { requireAtMostOne, usage } from '../program/rejection';
import type { Style } from '../terminal';
import { plural } from '../text';
import { Questions } from '../validate/ask';
import {
  type Difference,
  differencesFrom,
  type Recording,
  readRecording,
  requireWritable,
  writeRecording,
} from '../validate/recording';
import { type Row, rowsOf } from '../validate/rows';
import { command } from './command';
import { ANSWER_OPTIONS, WHERE_OPTIONS } from './shared-options';

const OPTIONS = {
  ...APP_OPTIONS,
  endpoint: WHERE_OPTIONS.endpoint,
  region: WHERE_OPTIONS.region,
  record: optional('FILE', 'a file', 'store the answers of AWS in FILE, for a later --compare'),
  compare: optional('FILE', 'a file', 'list the answers that differ from FILE, which --record wrote'),
  ...ANSWER_OPTIONS,
};

/** Asks AWS about what an app deploys. Fails for an app that cannot be used. */
export const validate = command({
  name: 'validate',
  line: ['validate', 'asks AWS whether it accepts the state machines of the app; creates nothing'],
  isReadOnly: true,
  help: `Usage: onceflow validate [options]

Asks AWS about the state machines of an app before you deploy them, and creates nothing. It asks whether AWS accepts the
definitions (ValidateStateMachineDefinition), and whether each state handles each error as its retriers and catchers
say (TestState, with mocks). You must install @onceflow/local, and the credentials must allow
states:ValidateStateMachineDefinition and states:TestState. What each row settles:
${documentation('docs/reference/aws-claims.md')}

${optionHelp(OPTIONS)}
Examples:
  onceflow validate --assembly cdk.out
  onceflow validate --assembly cdk.out --record aws-answers.json
  onceflow validate --assembly cdk.out --compare aws-answers.json
  onceflow validate --endpoint http://127.0.0.1:8083 --json

A row is confirmed, rejected, or unknown. If AWS could not be asked, the row gives the reason.

Exit codes: 0 AWS rejects nothing, 1 AWS rejects something, every row is unknown, or an answer differs from the
recording, 2 wrong usage, no @onceflow/local, or an app, a directory or a recording that cannot be used, 3 a fault of
this program, 130 interrupted.
`,
  options: OPTIONS,
  wantedIn({ values }) {
    requireAtMostOne(values, ['app', 'assembly'], 'the app');
    return values;
  },
  async run(wanted, { terminal, env, ended }) {
    const recording = wanted.compare === undefined ? undefined : readRecording(wanted.compare);
    if (wanted.record !== undefined) requireWritable(wanted.record, 'the recording');
    const { stateMachines } = await assemblyOf(wanted, requireLocal('validate'), ended);
    if (stateMachines.length === 0) throw usage('there is no state machine in this app to ask about');
    const aws = clientsFor(wanted, env, ended);
    try {
      const { progress } = terminal;
      const rows = await rowsOf(stateMachines, new Questions(aws.sfn, ended, { progress }), progress);
      const asked = wanted.endpoint ?? env['AWS_ENDPOINT_URL'];
      const endpoint = asked === undefined ? null : withoutSecrets(asked);
      const isAnswered = rows.some(({ verdict }) => verdict !== 'unknown');
      const recordedAt = new Date().toISOString();
      if (wanted.record !== undefined) writeRecording(wanted.record, { recordedAt, endpoint, rows });
      const differences = recording && differencesFrom(recording, rows);
      const isDone = isAnswered && !rows.some(isRejected) && (differences ?? []).length === 0;
      const told = recording && differences && comparison(recording, differences);
      return {
        code: isDone ? EXIT.done : EXIT.failed,
        json: { endpoint, rows, ...(differences && { differences }) },
        text: style => rendered(rows, endpoint, style) + (told ?? ''),
      };
    } finally {
      aws.close();
    }
  },
});

/** Only what the app deploys can be rejected. */
function isRejected({ verdict, isDeployed }: Row): boolean {
  return verdict === 'rejected' && isDeployed;
}

function comparison({ recordedAt, endpoint }: Recording, differences: readonly Difference[]): string {
  const from = `the answers of ${endpoint ?? 'AWS'}, recorded ${recordedAt}`;
  if (differences.length === 0) return `the same as ${from}\n`;
  const lines = differences.map(({ machine, claim, before, after }) => {
    const what = [machine, claim].filter(one => one !== '').join(', ');
    return `  ${what}: ${before ?? 'not asked'} before, ${after ?? 'not asked'} now\n`;
  });
  return `${plural(differences.length, 'row')} not as in ${from}:\n${lines.join('')}`;
}

function rendered(rows: readonly Row[], endpoint: string | null, style: Style): string {
  const columns = [
    { title: 'state machine', values: rows.map(({ machine }) => machine), isElastic: true },
    { title: 'claim', values: rows.map(({ claim }) => claim), isElastic: true },
    { title: 'answer', values: rows.map(({ verdict }) => verdict), isElastic: false },
    { title: 'why', values: rows.map(({ detail }) => detail), isElastic: true },
  ];
  const counts = (['confirmed', 'rejected', 'unknown'] as const).map(
    verdict => `${rows.filter(row => row.verdict === verdict).length} ${verdict}`,
  );
  const sum = `${plural(rows.length, 'row')}: ${counts.join(', ')}`;
  const asked = endpoint === null ? '' : `; asked of ${endpoint}, and not of AWS`;
  return `${table(style, columns)}\n\n${sum}${asked}\n`;
}
