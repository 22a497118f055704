import { APP_OPTIONS, assemblyOf } from '../app/assembly';
import { requireLocal } from '../app/installed';
import { clientsFor } from '../aws/clients';
import { table } from '../layout';
import { EXIT } from '../program/exit';
import { optionHelp } from '../program/options';
import { requireOneWay, usage } from '../program/refusal';
import type { Style } from '../terminal';
import { plural } from '../text';
import { Questions } from '../validate/ask';
import { type Row, rowsOf } from '../validate/rows';
import { command } from './command';
import { ANSWER_OPTIONS, WHERE_OPTIONS } from './shared-options';

const OPTIONS = {
  ...APP_OPTIONS,
  endpoint: WHERE_OPTIONS.endpoint,
  region: WHERE_OPTIONS.region,
  ...ANSWER_OPTIONS,
};

/** Asks AWS about what an app deploys. Fails for an app that cannot be used. */
export const validate = command({
  name: 'validate',
  line: [
    'validate',
    'asks AWS about the state machines of the app before they are deployed; creates nothing',
  ],
  help: `Usage: onceflow validate [options]

Asks AWS about the state machines of an app before they are deployed, and creates nothing: whether their definitions are
accepted (ValidateStateMachineDefinition), and whether each state does with each error what its retriers and catchers
say (TestState, with mocks). Needs the package @onceflow/local, states:ValidateStateMachineDefinition and
states:TestState. docs/reference/aws-claims.md says what each row settles.

${optionHelp(OPTIONS)}
Examples:
  onceflow validate --assembly cdk.out
  onceflow validate --endpoint http://127.0.0.1:8083 --json

A row is confirmed, refused, or unknown: it could not be asked, for the reason that it gives.

Exit codes: 0 nothing of the app is refused, 1 something is, or every row is unknown, 2 wrong usage, no @onceflow/local,
or an app or a directory that cannot be used, 3 a fault of this program, 130 interrupted.
`,
  options: OPTIONS,
  wantedIn({ values }) {
    requireOneWay(values, ['app', 'assembly'], 'what is asked about');
    return values;
  },
  async run(wanted, { terminal, env, ended }) {
    const { stateMachines } = await assemblyOf(wanted, requireLocal('validate'), ended);
    if (stateMachines.length === 0) throw usage('there is no state machine in this app to ask about');
    const aws = clientsFor(wanted, env, ended);
    try {
      const { progress } = terminal;
      const rows = await rowsOf(stateMachines, new Questions(aws.sfn, ended, { progress }), progress);
      const endpoint = wanted.endpoint ?? env['AWS_ENDPOINT_URL'] ?? null;
      const isAnswered = rows.some(({ verdict }) => verdict !== 'unknown');
      return {
        code: isAnswered && !rows.some(isRefused) ? EXIT.done : EXIT.failed,
        json: { endpoint, rows },
        text: style => rendered(rows, endpoint, style),
      };
    } finally {
      aws.close();
    }
  },
});

/** Only what the app deploys can be refused to it. */
function isRefused({ verdict, isDeployed }: Row): boolean {
  return verdict === 'refused' && isDeployed;
}

function rendered(rows: readonly Row[], endpoint: string | null, style: Style): string {
  const columns = [
    { title: 'state machine', values: rows.map(({ machine }) => machine), isElastic: true },
    { title: 'claim', values: rows.map(({ claim }) => claim), isElastic: true },
    { title: 'answer', values: rows.map(({ verdict }) => verdict), isElastic: false },
    { title: 'why', values: rows.map(({ detail }) => detail), isElastic: true },
  ];
  const counts = (['confirmed', 'refused', 'unknown'] as const).map(
    verdict => `${rows.filter(row => row.verdict === verdict).length} ${verdict}`,
  );
  const sum = `${plural(rows.length, 'row')}: ${counts.join(', ')}`;
  const asked = endpoint === null ? '' : `; asked of ${endpoint}, and not of AWS`;
  return `${table(style, columns)}\n\n${sum}${asked}\n`;
}
